package ddbtest

import "fmt"

// plural is a number of things.
func plural(n float64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%g %ss", n, thing)
}
