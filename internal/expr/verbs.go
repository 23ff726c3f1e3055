package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Verb is the kind of a change.
type Verb uint8

// The verbs of changes.
const (
	Set         Verb = iota + 1
	SetIfAbsent      // sets the value if there is none
	Remove
	Add       // adds to a number
	Append    // appends the elements of the operand, a Go slice of the field's type
	Prepend   // inserts them at the beginning
	SetAdd    // adds them to a set
	SetDelete // deletes them from a set
	If        // changes nothing: conditions of the whole update
)

// verb describes a verb. A new verb is a constant, an entry of the table below, and a function of
// package attr that makes its changes.
type verb struct {
	name     string // the name in package attr
	section  section
	text     string // the expression; see expand. 0 stands for the initial value
	initial  types.AttributeValue
	nested   string // the expression in SET below the top level; "" for the same as above
	stored   storedAs
	elements bool // the operand is a list or set that must have elements
	reads    bool // the result depends on the stored value, where NULL counts as none
	constant bool // the result depends on the change alone
}

// storedAs is how a field must be stored that a verb changes. The zero value accepts all fields.
type storedAs struct {
	types      codec.Wire
	name, hint string
}

var (
	storedNumber = storedAs{codec.WireN, "a number", "set the sum instead, with a condition that the number is the one that was read"}
	storedList   = storedAs{codec.WireL, "a list", "use SetAdd to add elements to a set"}
	storedSet    = storedAs{sets, "a set", "tag the field stringset, numberset or binaryset"}
	emptyList    = &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
)

// checkStored returns an error if the verb does not change attributes of these types.
func (v *verb) checkStored(c *BoundChange, types codec.Wire) error {
	if v.stored.types == 0 || types&v.stored.types != 0 {
		return nil
	}
	return invalid(c.Path.String(), "is not stored as "+v.stored.name, v.stored.hint)
}

var verbs = [...]verb{
	Set:         {name: "Set", section: sectionSet, text: "@ = ?", constant: true},
	SetIfAbsent: {name: "SetIfAbsent", section: sectionSet, text: "@ = if_not_exists(@, ?)", reads: true},
	Remove:      {name: "Remove", section: sectionRemove, text: "@", constant: true},
	// DynamoDB documents ADD for top-level attributes only.
	Add:       {name: "Add", section: sectionAdd, text: "@ ?", nested: "@ = if_not_exists(@, 0) + ?", initial: numberValue(0), stored: storedNumber, reads: true},
	Append:    {name: "Append", section: sectionSet, text: "@ = list_append(if_not_exists(@, 0), ?)", initial: emptyList, stored: storedList, elements: true, reads: true},
	Prepend:   {name: "Prepend", section: sectionSet, text: "@ = list_append(?, if_not_exists(@, 0))", initial: emptyList, stored: storedList, elements: true, reads: true},
	SetAdd:    {name: "SetAdd", section: sectionAdd, text: "@ ?", stored: storedSet, elements: true, reads: true},
	SetDelete: {name: "SetDelete", section: sectionDelete, text: "@ ?", stored: storedSet, elements: true, reads: true},
	If:        {name: "If"},
}

// String returns the name of the verb in package attr.
func (v Verb) String() string { return verbs[v].name }
