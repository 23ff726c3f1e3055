package op

// Outcome says whether a write was applied.
type Outcome uint8

const (
	// Unknown says that the write may or may not have been applied.
	Unknown Outcome = iota
	// Applied says that the service acknowledged the write.
	Applied
	// NotApplied says that the write was certainly not applied.
	NotApplied
	// NoWrite says that the operation is not a write.
	NoWrite
)

// String returns the outcome in words.
func (o Outcome) String() string {
	switch o {
	case Applied:
		return "applied"
	case NotApplied:
		return "not applied"
	case NoWrite:
		return "no write"
	default:
		return "unknown"
	}
}
