package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// write adds the clause of a change. It allocates placeholders only for a clause that it adds,
// because DynamoDB rejects unused placeholders.
func (u *Update) write(c *BoundChange) error {
	if c.Verb == Remove {
		u.add(clauseRemove, u.b.Path(c.Target))
		return nil
	}
	av, err := encode(c.Target, c.Path, c.arg)
	if err != nil {
		return err
	}
	switch c.Verb {
	case Set, SetIfAbsent:
		return u.set(c, av)
	case Add:
		return u.sum(c, av)
	case Append, Prepend:
		return u.extend(c, av)
	default:
		return u.members(c, av)
	}
}

// set sets a place, or removes it if Put would omit the value.
func (u *Update) set(c *BoundChange, av types.AttributeValue) error {
	switch {
	case av == nil && c.Verb == Set:
		u.add(clauseRemove, u.b.Path(c.Target))
	case av == nil: // nothing to store
	case emptySet(av):
		return refuse(c.name(), "is given an empty set, which the service does not have", "Remove it")
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

// sum adds to a number. DynamoDB documents ADD for top-level attributes only, so sum uses an
// addition in SET for nested ones.
func (u *Update) sum(c *BoundChange, av types.AttributeValue) error {
	if av == nil {
		return nil // Put would omit the zero
	}
	if formatted(c.Target) && wire(av) != codec.WireN {
		return refuse(c.name(), "is written in a format of its own, which the table cannot add to",
			"Set the sum, on the condition that the number is as it was read")
	}
	if wire(av) != codec.WireN {
		return refuse(c.name(), "is not stored as a number", "only numbers can be added to")
	}
	if c.Whole() {
		u.add(clauseAdd, u.b.Path(c.Target)+" "+u.b.Value(av))
		return nil
	}
	u.assign(c, "if_not_exists("+u.b.Path(c.Target)+", "+u.b.Value(number(0))+") + "+u.b.Value(av))
	return nil
}

// extend adds elements to a list. It creates the list if there is none.
func (u *Update) extend(c *BoundChange, av types.AttributeValue) error {
	switch {
	case wireOf(c.Target.Leaf)&codec.WireL == 0:
		return refuse(c.name(), "is not stored as a list", "elements of a set are added with SetAdd")
	case len(elements(av)) == 0:
		return refuse(c.name(), c.Verb.String()+" is given no elements", "")
	}
	list, empty := u.b.Path(c.Target), u.b.Value(&types.AttributeValueMemberL{Value: []types.AttributeValue{}})
	first, second := "if_not_exists("+list+", "+empty+")", u.b.Value(av)
	if c.Verb == Prepend {
		first, second = second, first
	}
	u.assign(c, "list_append("+first+", "+second+")")
	return nil
}

// members adds elements to a set, or deletes them.
func (u *Update) members(c *BoundChange, av types.AttributeValue) error {
	switch {
	case wireOf(c.Target.Leaf)&sets == 0:
		return refuse(c.name(), "is not stored as a set", "tag the field stringset, numberset or binaryset")
	case av == nil || wire(av)&sets == 0 || emptySet(av):
		return refuse(c.name(), c.Verb.String()+" is given no elements", "")
	}
	section := clauseAdd
	if c.Verb == SetDelete {
		section = clauseDelete
	}
	u.add(section, u.b.Path(c.Target)+" "+u.b.Value(av))
	return nil
}
