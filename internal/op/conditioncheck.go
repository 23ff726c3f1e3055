package op

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// ConditionCheck holds what the action requires of the stored item. It determines the meaning of a
// failed conditional check.
type ConditionCheck struct {
	MustExist        bool                 // the item must exist
	MustNotExist     bool                 // the item must not exist
	Stale            bool                 // a missing or unexpected item is a version conflict
	VersionAttribute string               // the version attribute that is checked; empty for none
	ExpectedVersion  types.AttributeValue // the expected version; nil for no item or no version
	ZeroVersion      types.AttributeValue // if Expect is nil: a version that counts as no version
	ItemType         *Expected            // the expected type attribute; nil if no other type can occur
	OtherType        error                // the error for an item of another type
	Planned          []Expected           // the attributes that the action was planned from
	Parents          []Parent             // the places that the action changes parts of
	NotNull          []*core.BoundPath    // the places that must not hold NULL; it is removed first, and the action is then sent again
	Caller           string               // the caller's conditions, an expression with the action's placeholders
	Example          []ExampleValue       // the example's values of fields that the write depends on
	Counts           []ExampleValue       // the counts that a put must not change
	Moved            []ExampleValue       // the counts that a move takes along
	Counting         *Counting            // the action only changes counts; nil: it is another one
	Joined           *Counting            // the counts that the action changes for other operations; nil: none
	Expiry           core.Expiry          // an expired item counts as none
	Anew             bool                 // an expired item is deleted first, and the action is then sent again
	Failed           error                // the error of a failed check, whatever the reason; nil: see Kind
	Unique           string               // the action is on a guard: the unique fields whose value it guards
}

// ExampleValue is the state that an example implies for an attribute: absent if Absent is true,
// NULL if Null is true, or one of Values.
type ExampleValue struct {
	Attribute    string
	Absent, Null bool
	Values       []types.AttributeValue
}

// matches reports whether a stored attribute matches the claim.
func (c ExampleValue) matches(av types.AttributeValue) bool {
	if _, null := av.(*types.AttributeValueMemberNULL); null && c.Null {
		return true
	}
	return av == nil && c.Absent || slices.ContainsFunc(c.Values, func(v types.AttributeValue) bool { return same(v, av) })
}

// expected reports whether a stored version is the expected one.
func (w ConditionCheck) expected(av types.AttributeValue) bool {
	if w.ExpectedVersion != nil || w.ZeroVersion == nil {
		return same(av, w.ExpectedVersion)
	}
	return ExampleValue{Absent: true, Null: true, Values: []types.AttributeValue{w.ZeroVersion}}.matches(av)
}

// Nulls returns the places that must not hold NULL and do in an item.
func (w ConditionCheck) Nulls(item Item) (places []*core.BoundPath) {
	for _, at := range w.NotNull {
		if _, null := at.In(item).(*types.AttributeValueMemberNULL); null {
			places = append(places, at)
		}
	}
	return places
}

// Parent is a place that a change goes into. It must hold a list if List is true, and a map
// otherwise.
type Parent struct {
	At   *core.BoundPath
	List bool
}

// isIn reports whether an item has the parent.
func (p Parent) isIn(item Item) bool {
	switch p.At.In(item).(type) {
	case *types.AttributeValueMemberM:
		return !p.List
	case *types.AttributeValueMemberL:
		return p.List
	default:
		return false
	}
}

// Expected is an attribute and the value that an action was planned with.
type Expected struct {
	Attribute string
	Value     types.AttributeValue // nil if absent
	Read      int                  // the index of the read that had it
}

// Kind returns the sentinel error for a failed conditional check. met is the item for which it
// failed, or nil if there was none.
func (w ConditionCheck) Kind(met Item) error {
	switch {
	case w.Failed != nil:
		return w.Failed
	case w.Unique != "":
		return errs.Taken
	case met == nil && w.MustExist:
		return errs.NotFound
	case met == nil && w.Stale && w.ExpectedVersion != nil: // the item existed with a version
		return errs.Stale
	case met == nil && slices.ContainsFunc(w.Counts, func(c ExampleValue) bool { return !c.Absent }):
		return errs.Stale
	case met == nil:
		return errs.Condition
	case w.otherType(met):
		return w.OtherType
	case w.MustNotExist:
		return errs.Exists
	case w.VersionAttribute != "" && !w.expected(met[w.VersionAttribute]):
		return errs.Stale
	case w.Stale && w.VersionAttribute == "":
		return errs.Stale
	case slices.ContainsFunc(w.Counts, notIn(met)):
		return errs.Stale
	default:
		return errs.Condition
	}
}

// Cure returns how to fix a failed conditional check that the caller did not request: a change goes
// into a place that the item does not have, or the example has another value than the item. It
// returns "" if the check failed for another reason.
func (w ConditionCheck) Cure(met Item) string {
	changed := notIn(met)
	switch kind := w.Kind(met); {
	case errors.Is(kind, errs.Stale) && w.VersionAttribute == "" && slices.ContainsFunc(w.Counts, changed):
		return "the stored counts are not those of the entity: read it again, or change other attributes with Update"
	case !errors.Is(kind, errs.Condition):
		return ""
	case met != nil && slices.ContainsFunc(w.Moved, changed):
		return "it counts items that would stay with the old key: move them in the same transaction, or create the new item, move them one by one, and delete the old item"
	}
	if nulls := w.Nulls(met); len(nulls) > 0 {
		return cureOfNull(nulls)
	}
	for _, p := range w.Parents {
		if p.isIn(met) {
			continue
		}
		kind := "map"
		if p.List {
			kind = "list"
		}
		return "the update changes a part of " + p.At.String() + ", where no " + kind + " is stored: Set the whole attribute first"
	}
	for _, c := range w.Example {
		if met != nil && changed(c) {
			return "the stored item has another value of " + c.Attribute + " than the example, or the same value in another form; a zero of the example counts if it " +
				"has a version or is used with AsRead: read the item again, or use With(entity.ReadFirst())"
		}
	}
	return ""
}

func cureOfNull(nulls []*core.BoundPath) string {
	return "other writers store NULL in " + nulls[0].String() + " at the same time: repeat the call"
}
