package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// addChange adds the clause of a change. It allocates placeholders only for a clause that it adds,
// because DynamoDB rejects unused placeholders.
func (u *Update) addChange(c *BoundChange) error {
	if c.Verb == Remove {
		u.add(clauseRemove, u.b.Path(c.Target))
		return nil
	}
	av, err := encodeStored(c.Target, c.Path, c.arg)
	if err != nil {
		return err
	}
	switch c.Verb {
	case Set, SetIfAbsent:
		return u.setOrRemove(c, av)
	case Add:
		return u.addNumber(c, av)
	case Append, Prepend:
		return u.extendList(c, av)
	default:
		return u.changeSet(c, av)
	}
}

// setOrRemove sets a place, or removes it if Put would omit the value.
func (u *Update) setOrRemove(c *BoundChange, av types.AttributeValue) error {
	switch {
	case av == nil && c.Verb == Set:
		u.add(clauseRemove, u.b.Path(c.Target))
	case av == nil: // nothing to store
	case emptySet(av):
		return invalid(c.name(), "is set to an empty set, which DynamoDB does not store", "use Remove instead")
	case c.Verb == Set:
		u.assign(c, u.b.Value(av))
	default:
		u.assign(c, "if_not_exists("+u.b.Path(c.Target)+", "+u.b.Value(av)+")")
	}
	return nil
}

func (u *Update) assign(c *BoundChange, expression string) {
	u.add(clauseSet, u.b.Path(c.Target)+" = "+expression)
}

// addNumber adds to a number. DynamoDB documents ADD for top-level attributes only, so sum uses an
// addition in SET for nested ones.
func (u *Update) addNumber(c *BoundChange, av types.AttributeValue) error {
	if av == nil {
		return nil // Put would omit the zero
	}
	if formatted(c.Target) && wire(av) != codec.WireN {
		return invalid(c.name(), "has a key format, and DynamoDB can only add to plain numbers",
			"set the sum, with a condition that the number is the one that was read")
	}
	if wire(av) != codec.WireN {
		return invalid(c.name(), "is not stored as a number", "only numbers can be added to")
	}
	if c.Whole() {
		u.add(clauseAdd, u.b.Path(c.Target)+" "+u.b.Value(av))
		return nil
	}
	u.assign(c, "if_not_exists("+u.b.Path(c.Target)+", "+u.b.Value(numberValue(0))+") + "+u.b.Value(av))
	return nil
}

// extendList adds elements to a list. It creates the list if there is none.
func (u *Update) extendList(c *BoundChange, av types.AttributeValue) error {
	switch {
	case storedTypes(c.Target.Leaf)&codec.WireL == 0:
		return invalid(c.name(), "is not stored as a list", "use SetAdd to add elements to a set")
	case len(elements(av)) == 0:
		return invalid(c.name(), c.Verb.String()+" is given no elements", "")
	}
	list, empty := u.b.Path(c.Target), u.b.Value(&types.AttributeValueMemberL{Value: []types.AttributeValue{}})
	first, second := "if_not_exists("+list+", "+empty+")", u.b.Value(av)
	if c.Verb == Prepend {
		first, second = second, first
	}
	u.assign(c, "list_append("+first+", "+second+")")
	return nil
}

// changeSet adds elements to a set, or deletes them.
func (u *Update) changeSet(c *BoundChange, av types.AttributeValue) error {
	switch {
	case storedTypes(c.Target.Leaf)&sets == 0:
		return invalid(c.name(), "is not stored as a set", "tag the field stringset, numberset or binaryset")
	case av == nil || wire(av)&sets == 0 || emptySet(av):
		return invalid(c.name(), c.Verb.String()+" is given no elements", "")
	}
	section := clauseAdd
	if c.Verb == SetDelete {
		section = clauseDelete
	}
	u.add(section, u.b.Path(c.Target)+" "+u.b.Value(av))
	return nil
}
