package op

import (
	"errors"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
)

// Why holds what the action requires of the stored item. It determines the meaning of a failed
// conditional check.
type Why struct {
	MustExist bool                 // the item must exist
	MustNot   bool                 // the item must not exist
	Stale     bool                 // a missing or unexpected item is a version conflict
	Version   string               // the version attribute that is checked; empty for none
	Expect    types.AttributeValue // the expected version; nil for no item or no version
	Zero      types.AttributeValue // if Expect is nil: a version that counts as no version
	Type      *Guard               // the expected type attribute; nil if no other type can occur
	Other     error                // the error for an item of another type
	Guards    []Guard              // the attributes that the action was planned from
	Parents   []Parent             // the places that the action changes parts of
	Claims    []Claim              // the example's values of fields that the write depends on
}

// Claim is the state that an example implies for an attribute: absent if Absent is true, NULL if
// Null is true, or one of Values.
type Claim struct {
	Attribute    string
	Absent, Null bool
	Values       []types.AttributeValue
}

// holds reports whether a stored attribute matches the claim.
func (c Claim) holds(av types.AttributeValue) bool {
	if _, null := av.(*types.AttributeValueMemberNULL); null && c.Null {
		return true
	}
	return av == nil && c.Absent || slices.ContainsFunc(c.Values, func(v types.AttributeValue) bool { return reflect.DeepEqual(v, av) })
}

// expected reports whether a stored version is the expected one.
func (w Why) expected(av types.AttributeValue) bool {
	if w.Expect != nil || w.Zero == nil {
		return reflect.DeepEqual(av, w.Expect)
	}
	return Claim{Absent: true, Null: true, Values: []types.AttributeValue{w.Zero}}.holds(av)
}

// Parent is a place that a change goes into. It must hold a list if List is true, and a map
// otherwise.
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

// Guard is an attribute and the value that an action was planned with.
type Guard struct {
	Attribute string
	Value     types.AttributeValue // nil if absent
}

// Kind returns the sentinel error for a failed conditional check. met is the item for which it
// failed, or nil if there was none.
func (w Why) Kind(met Item) error {
	switch {
	case met == nil && w.MustExist:
		return fail.NotFound
	case met == nil && w.Stale && w.Expect != nil: // the item existed with a version
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

// Cure returns how to fix a failed conditional check that the caller did not request: a change goes
// into a place that the item does not have, or the example has another value than the item. It
// returns "" if the check failed for another reason.
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
