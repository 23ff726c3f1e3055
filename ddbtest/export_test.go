package ddbtest

// Describe is an effect's name.
func Describe(e Effect) string { return e.effect().String() }
