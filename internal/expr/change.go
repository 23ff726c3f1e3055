package expr

import "github.com/trestledb/trestle/internal/core"

// Verb is what a change does.
type Verb uint8

// The verbs of an update.
const (
	Set         Verb = iota + 1 // Args[0] becomes the value
	SetIfAbsent                 // the same, where there is none
	Remove                      // the attribute goes
	Add                         // Args[0] is added to the number
	Append                      // the elements of Args[0], a Go slice like the field's, go to the end of the list
	Prepend                     // or to its beginning
	SetAdd                      // the elements of Args[0] join the set
	SetDelete                   // or leave it
	If                          // no change: conditions on the update as a whole
)

// Change is one change of an update. It does not change once it is made.
type Change struct {
	Verb  Verb
	Path  *core.Path // nil for If
	Args  []any      // pointers to operands
	Conds []*Cond    // of If
	Err   error      // why it cannot be used

	few [1]any
}

// Alter makes a change of what a path names, with pointers to its operands.
func Alter(verb Verb, path *core.Path, args ...any) *Change {
	c := &Change{Verb: verb, Path: path}
	if len(args) <= len(c.few) {
		c.Args = append(c.few[:0], args...)
	} else {
		c.Args = append(c.Args, args...)
	}
	return c
}

// Provided makes the change that only carries conditions.
func Provided(conds []*Cond) *Change {
	c := &Change{Verb: If, Conds: conds}
	if len(conds) == 0 {
		c.Err = refuse("", "If holds no condition", "leave it out where there is nothing to ask")
	}
	return c
}

// String names the verb.
func (v Verb) String() string {
	if int(v) < len(verbNames) {
		return verbNames[v]
	}
	return ""
}

var verbNames = [...]string{
	Set: "Set", SetIfAbsent: "SetIfAbsent", Remove: "Remove", Add: "Add", Append: "Append", Prepend: "Prepend", SetAdd: "SetAdd",
	SetDelete: "SetDelete", If: "If",
}
