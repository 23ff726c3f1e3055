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

// Unverified returns the items as they are, without comparing their revisions with the checksums of
// the root. Use it to repair a document with [ErrIncomplete]: read it with Unverified, correct it,
// and save it. The read may be a mixture of two states, but only if the document was saved
// meanwhile, and then the save fails.
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
