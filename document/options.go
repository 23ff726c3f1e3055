package document

import (
	"slices"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/tag"
)

// ReadOption is an option of [Repo.Read].
type ReadOption struct{ set func(*readOptions) }

type readOptions struct {
	strong     bool
	unverified bool
	parts      []string
}

// Strong makes the reads strongly consistent, at twice the cost.
func Strong() ReadOption { return ReadOption{func(o *readOptions) { o.strong = true }} }

// Parts selects parts by the names of their fields. The root is always read. Only the key ranges of
// these parts are read and paid for. The name of the root alone selects the root alone. Without
// names, Parts selects all parts, like a read without this option. Several options select the parts
// of all of them. An unknown name is [trestle.ErrInvalid].
func Parts(fields ...string) ReadOption {
	fields = slices.Clone(fields)
	return ReadOption{func(o *readOptions) { o.parts = append(o.parts, fields...) }}
}

// Unverified returns a damaged document as it is: where Read would return [ErrIncomplete], because
// items are missing, or were added or replaced by other means than this package, or because chunks
// of a large value are missing or damaged. A value of such chunks is zero, and its [Large.Lost]
// reports true. If the log of a save beyond a transaction is lost, the changes of this save to the
// parts are missing, or some of them.
//
// Use it to repair the document: read it with Unverified, correct it, and save it. The save also
// stores the root if the program changes nothing, so the document is complete again. If it was
// saved since the read, the save fails with [trestle.ErrStale].
//
// A document that is not damaged is read as without Unverified. A damaged one is read three times,
// strongly consistent after the first, to tell damage from a save that is being applied.
func Unverified() ReadOption { return ReadOption{func(o *readOptions) { o.unverified = true }} }

func optionsOf(list []ReadOption) (o readOptions) {
	for _, option := range list {
		if option.set != nil {
			option.set(&o)
		}
	}
	return o
}

// wanted returns the parts to read, with the root.
func (s *store) wanted(o readOptions) ([]*part, error) {
	if len(o.parts) == 0 {
		return s.parts, nil
	}
	var names []string
	for _, p := range s.parts {
		names = append(names, p.name)
	}
	var wrong errs.Problems
	for _, name := range o.parts {
		if !slices.Contains(names, name) {
			hint := "use the name of a field"
			if like := tag.Suggest(name, names); like != "" {
				hint = "did you mean " + like + "?"
			}
			wrong.Add("", "the document has no part of a given name", hint)
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return !p.isRoot && !slices.Contains(o.parts, p.name) })
	return wanted, wrong.Err()
}
