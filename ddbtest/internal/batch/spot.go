package batch

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// spot is an item or a partition: the name of the table and the encoded key.
type spot struct{ table, place string }

// spots is the set of items that a request names.
type spots map[spot]bool

// add adds an item. It returns an error if the item is already in the set.
func (s spots) add(here spot) error {
	if s[here] {
		return awserr.Validation("Provided list of item keys contains duplicates")
	}
	s[here] = true
	return nil
}
