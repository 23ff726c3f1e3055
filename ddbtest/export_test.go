package ddbtest

// Describe returns an effect's name.
func Describe(e Effect) string { return e.effect().String() }
