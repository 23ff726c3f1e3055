package op

import (
	"errors"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
)

// Why tells what a failed condition means: what the action asked of the item that it met.
type Why struct {
	MustExist bool                 // the item must be there
	MustNot   bool                 // the item must not be there
	Stale     bool                 // an item that is gone, or there against expectation, is a matter of versions
	Version   string               // the attribute of the version that was asked for; empty: none was
	Expect    types.AttributeValue // the version that was asked for; nil: no item, or one without a version
	Zero      types.AttributeValue // with a nil Expect: a version that counts as none
	Type      *Guard               // the type that the item must be of, where it says so; nil: no other can be there
	Other     error                // what an item of another type means
	Guards    []Guard              // what the action was planned from, where it was read before
	Parents   []Parent             // what a change goes below, and so must be there
	Claims    []Claim              // what the example says of fields that the write rests on
}

// Claim is what an example says of an attribute: that it is absent, where that may be, or one of the values.
type Claim struct {
	Attribute    string
	Absent, Null bool
	Values       []types.AttributeValue
}

// holds reports whether a stored attribute is as the example says.
func (c Claim) holds(av types.AttributeValue) bool {
	if _, null := av.(*types.AttributeValueMemberNULL); null && c.Null {
		return true
	}
	return av == nil && c.Absent || slices.ContainsFunc(c.Values, func(v types.AttributeValue) bool { return reflect.DeepEqual(v, av) })
}

// expected reports whether a stored version is the one that was asked for.
func (w Why) expected(av types.AttributeValue) bool {
	if w.Expect != nil || w.Zero == nil {
		return reflect.DeepEqual(av, w.Expect)
	}
	return Claim{Absent: true, Null: true, Values: []types.AttributeValue{w.Zero}}.holds(av)
}

// Parent is a place that a change goes below: it must hold a map, or a list.
type Parent struct {
	At   *core.Bound
	List bool
}

// there reports whether an item has the parent.
func (p Parent) there(item Item) bool {
	switch p.At.In(item).(type) {
	case *types.AttributeValueMemberM:
		return !p.List
	case *types.AttributeValueMemberL:
		return p.List
	default:
		return false
	}
}

// Guard is an attribute's value that an action was planned with.
type Guard struct {
	Attribute string
	Value     types.AttributeValue // nil: absent
}

// Kind is the outcome of the glossary that a failed condition is, by the item that it met; nil stands for no item.
func (w Why) Kind(met Item) error {
	switch {
	case met == nil && w.MustExist:
		return fail.NotFound
	case met == nil && w.Stale && w.Expect != nil: // it had a version once
		return fail.Stale
	case met == nil:
		return fail.Condition
	case w.Type != nil && met[w.Type.Attribute] != nil && !reflect.DeepEqual(met[w.Type.Attribute], w.Type.Value):
		return w.Other
	case w.MustNot:
		return fail.Exists
	case w.Version != "" && !w.expected(met[w.Version]):
		return fail.Stale
	case w.Stale && w.Version == "":
		return fail.Stale
	default:
		return fail.Condition
	}
}

// Cure says what mends a failed condition that the caller did not give: a change goes below a place that
// the item does not have, or the example says of a field what is not so. It is empty where the condition
// failed for another reason.
func (w Why) Cure(met Item) string {
	if !errors.Is(w.Kind(met), fail.Condition) {
		return ""
	}
	for _, p := range w.Parents {
		if p.there(met) {
			continue
		}
		kind := "map"
		if p.List {
			kind = "list"
		}
		return "the update changes a part of " + p.At.String() + ", and no " + kind + " is stored there: Set the whole of it first"
	}
	for _, c := range w.Claims {
		if met != nil && !c.holds(met[c.Attribute]) {
			return "the example gives " + c.Attribute + ", a zero included where it has a version or is said to be as read, and the stored item has " +
				"another value, or the same in another form: read the item again, or use With(entity.ReadFirst())"
		}
	}
	return ""
}
