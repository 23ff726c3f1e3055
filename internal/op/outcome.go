package op

// Outcome of a write.
type Outcome uint8

const (
	// Unknown says that the write may or may not have been applied.
	Unknown Outcome = iota
	// Applied says that the service acknowledged the write.
	Applied
	// NotApplied says that the write was certainly not applied.
	NotApplied
)

// String returns the outcome in words.
func (o Outcome) String() string {
	switch o {
	case Applied:
		return "applied"
	case NotApplied:
		return "not applied"
	default:
		return "unknown"
	}
}
