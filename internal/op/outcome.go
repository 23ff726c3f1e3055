package op

// Outcome is whether a write was applied.
type Outcome uint8

const (
	// Unknown means that the write may or may not have been applied.
	Unknown Outcome = iota
	// Applied means that DynamoDB acknowledged the write.
	Applied
	// NotApplied means that the write was certainly not applied.
	NotApplied
	// NoWrite means that the operation is not a write.
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
