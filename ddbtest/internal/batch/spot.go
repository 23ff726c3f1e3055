package batch

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// spot is an item or a partition of a table, by its place there.
type spot struct{ table, place string }

// spots are the items that a request names.
type spots map[spot]bool

// add refuses an item that is among them already.
func (s spots) add(here spot) error {
	if s[here] {
		return awserr.Validation("Provided list of item keys contains duplicates")
	}
	s[here] = true
	return nil
}
