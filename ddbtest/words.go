package ddbtest

import "fmt"

// plural returns a number with its unit.
func plural(n float64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%g %ss", n, thing)
}
