package expr

import "github.com/trestledb/trestle/internal/core"

// Verb is the kind of a change.
type Verb uint8

// The verbs of changes.
const (
	Set         Verb = iota + 1 // sets the value to Args[0]
	SetIfAbsent                 // sets the value if there is none
	Remove                      // removes the attribute
	Add                         // adds Args[0] to the number
	Append                      // appends the elements of Args[0], a Go slice of the field's type
	Prepend                     // inserts them at the beginning
	SetAdd                      // adds the elements of Args[0] to the set
	SetDelete                   // deletes them from the set
	If                          // changes nothing: conditions of the whole update
)

// Change is one change of an update. It is immutable.
type Change struct {
	Verb  Verb
	Path  *core.Path // nil for If
	Args  []any      // pointers to operands
	Conds []*Cond    // for If
	Err   error      // why the change cannot be used

	buffer [1]any
}

// NewChange returns a change of the path's value. args are pointers to its operands.
func NewChange(verb Verb, path *core.Path, args ...any) *Change {
	c := &Change{Verb: verb, Path: path}
	if len(args) <= len(c.buffer) {
		c.Args = append(c.buffer[:0], args...)
	} else {
		c.Args = append(c.Args, args...)
	}
	return c
}

// OnlyIf returns a change that holds only conditions.
func OnlyIf(conds []*Cond) *Change {
	c := &Change{Verb: If, Conds: conds}
	if len(conds) == 0 {
		c.Err = invalid("", "If holds no condition", "leave it out if there is no condition")
	}
	return c
}

// String returns the name of the verb.
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
