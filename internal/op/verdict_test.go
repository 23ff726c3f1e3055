package op_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

var (
	null = &types.AttributeValueMemberNULL{Value: true}
	list = &types.AttributeValueMemberL{}

	atHundred = core.ExpiryAt(time.Unix(100, 0))
)

// judged is a failed conditional check, and its meaning.
type judged struct {
	name    string
	check   op.ConditionCheck
	met     op.Item
	verdict op.Verdict
	kind    error
	members []int
}

// judge checks the only judgement of an action with the names and values of the tests.
func (j judged) judge(t *testing.T) {
	t.Helper()
	p := &core.Plan{Name: "own", Schema: &core.Schema{TypeAttr: "type"}}
	p.TTL = &codec.Field{Name: "ttl"}
	a := op.Action{
		Plan: p, Names: map[string]string{"#a": "a", "#c": "c"}, Values: op.Item{":1": number("1"), ":2": number("2")}, Check: j.check,
	}
	got := a.Judge(j.met)
	require.Len(t, got, 1, j.name)
	require.Equal(t, j.verdict, got[0].Verdict, j.name)
	require.Equal(t, j.kind, got[0].Kind, j.name)
	require.Equal(t, j.members, got[0].Members, j.name)
}

// TestVerdictsOfCertainConditions checks that a condition which the operation has in any case is
// told from those that repeat what was read, whichever of them are false too.
func TestVerdictsOfCertainConditions(t *testing.T) {
	t.Parallel()
	own := &op.Expected{Attribute: "type", Value: text("own")}
	one := op.ExampleValue{Attribute: "a", Values: []types.AttributeValue{number("1")}}
	parent := op.Parent{At: &core.BoundPath{Attribute: "a"}}
	for _, j := range []judged{
		{"failed", op.ConditionCheck{Failed: errs.Tenant}, op.Item{}, op.Failed, errs.Tenant, nil},
		{"guard", op.ConditionCheck{Unique: "mail"}, op.Item{}, op.Depends, errs.Taken, nil},
		{"missing", op.ConditionCheck{MustExist: true}, nil, op.Failed, errs.NotFound, nil},
		{"not missing", op.ConditionCheck{MustExist: true}, op.Item{"a": number("3")}, op.Changed, errs.Condition, nil},
		{"another type", op.ConditionCheck{ItemType: own, OtherType: errs.Exists}, op.Item{"type": text("other")}, op.Failed, errs.Exists, nil},
		{"no type", op.ConditionCheck{ItemType: own, OtherType: errs.Exists}, op.Item{"a": number("3")}, op.Changed, errs.Condition, nil},
		{"there", op.ConditionCheck{MustNotExist: true}, op.Item{}, op.Failed, errs.Exists, nil},
		{"not there", op.ConditionCheck{MustNotExist: true}, nil, op.Changed, errs.Condition, nil},
		{"version", op.ConditionCheck{VersionAttribute: "a", ExpectedVersion: number("1")}, op.Item{"a": number("3")}, op.Failed, errs.Stale, nil},
		{"zero version", op.ConditionCheck{VersionAttribute: "a", ZeroVersion: number("0")}, op.Item{"a": number("3")}, op.Failed, errs.Stale, nil},
		{"no version", op.ConditionCheck{VersionAttribute: "v", ExpectedVersion: number("1")}, op.Item{}, op.Failed, errs.Stale, nil},
		{"count", op.ConditionCheck{Counts: []op.ExampleValue{one}}, op.Item{"a": number("3")}, op.Failed, errs.Stale, nil},
		{"example", op.ConditionCheck{Example: []op.ExampleValue{one}}, op.Item{"a": number("3")}, op.Failed, errs.Condition, nil},
		{"caller", op.ConditionCheck{Caller: "#a = :1"}, op.Item{"a": number("3")}, op.Failed, errs.Condition, nil},
		{"the caller's holds", op.ConditionCheck{Caller: "#a > :1"}, op.Item{"a": number("3")}, op.Changed, errs.Condition, nil},
		{"no condition of package expr", op.ConditionCheck{Caller: "a = 1"}, op.Item{"a": number("3")}, op.Changed, errs.Condition, nil},
		{"parent", op.ConditionCheck{Parents: []op.Parent{parent}}, op.Item{"a": list}, op.Failed, errs.Condition, nil},
		{"moved", op.ConditionCheck{Moved: []op.ExampleValue{one}}, op.Item{"a": number("3")}, op.Depends, errs.Condition, nil},
	} {
		j.check.Planned = []op.Expected{{Attribute: "b", Value: number("1")}}
		j.judge(t)
	}
}

// TestVerdictsOfUndecidedActions checks the order of the reasons for which an operation is made
// again, and which of them an item shows.
func TestVerdictsOfUndecidedActions(t *testing.T) {
	t.Parallel()
	planned := []op.Expected{{Attribute: "a", Value: number("1")}}
	notNull := []*core.BoundPath{{Attribute: "a"}, {Attribute: "b"}}
	none := []op.Expected{{Attribute: "a"}}
	expired, alive := op.Item{"ttl": number("50")}, op.Item{"ttl": number("200")}
	for _, j := range []judged{
		{"nothing is known", op.ConditionCheck{}, op.Item{"a": number("3")}, op.Failed, errs.Condition, nil},
		{"as planned", op.ConditionCheck{Planned: planned}, op.Item{"a": number("1")}, op.Failed, errs.Condition, nil},
		{"as planned, in another form", op.ConditionCheck{Planned: planned}, op.Item{"a": number("1.0")}, op.Failed, errs.Condition, nil},
		{"changed", op.ConditionCheck{Planned: planned}, op.Item{"a": number("3")}, op.Changed, errs.Condition, nil},
		{"removed", op.ConditionCheck{Planned: planned}, op.Item{}, op.Changed, errs.Condition, nil},
		{"added", op.ConditionCheck{Planned: none}, op.Item{"a": number("1")}, op.Changed, errs.Condition, nil},
		{"NULL", op.ConditionCheck{NotNull: notNull}, op.Item{"b": null}, op.Null, errs.Condition, nil},
		{"changed to NULL", op.ConditionCheck{NotNull: notNull, Planned: planned}, op.Item{"a": null}, op.Changed, errs.Condition, nil},
		{"expired", op.ConditionCheck{Anew: true, Planned: planned}, expired, op.Dead, errs.Condition, nil},
		{"expired, but not in the way", op.ConditionCheck{Planned: planned}, expired, op.Changed, errs.Condition, nil},
		{"expired, and needed", op.ConditionCheck{Anew: true, MustExist: true}, expired, op.Failed, errs.NotFound, nil},
		{"alive", op.ConditionCheck{Anew: true}, alive, op.Failed, errs.Condition, nil},
		{"missing", op.ConditionCheck{Anew: true}, nil, op.Failed, errs.Condition, nil},
		{"a planned version", op.ConditionCheck{Stale: true, VersionAttribute: "a", ExpectedVersion: number("1"), Planned: planned}, op.Item{"a": number("3")}, op.Changed, errs.Stale, nil},
		{"the expected version in another form", op.ConditionCheck{VersionAttribute: "a", ExpectedVersion: number("1")}, op.Item{"a": number("1.0")}, op.Failed, errs.Condition, nil},
	} {
		j.check.Expiry = atHundred
		j.judge(t)
	}
}

// TestVerdictsOfCounts checks whom a failed conditional check of counts concerns.
func TestVerdictsOfCounts(t *testing.T) {
	t.Parallel()
	counting := func(more, fewer []int) op.ConditionCheck {
		return op.ConditionCheck{
			Counting: &op.Counting{Label: "c", More: more, Fewer: fewer, Enough: "#c >= :1"}, NotNull: []*core.BoundPath{{Attribute: "c"}, {Attribute: "v"}},
			ItemType: &op.Expected{Attribute: "type", Value: text("own")}, OtherType: errs.NotFound,
		}
	}
	joined := op.ConditionCheck{Joined: &op.Counting{More: []int{1}, Fewer: []int{2, 3}, Enough: "#c >= :2"}, Planned: []op.Expected{{Attribute: "a"}}, NotNull: []*core.BoundPath{{Attribute: "c"}, {Attribute: "v"}}}
	both, more, fewer := counting([]int{1}, []int{2}), counting([]int{1}, nil), counting(nil, []int{2})
	certain := op.ConditionCheck{Counting: &op.Counting{More: []int{1}, Fewer: []int{4}}, NotNull: []*core.BoundPath{{Attribute: "c"}}}
	other := op.Item{"type": text("other")}
	for _, j := range []judged{
		{"negative", both, op.Item{"c": number("0")}, op.Depends, errs.Condition, []int{2}},
		{"NULL, which is too few", both, op.Item{"c": null}, op.Depends, errs.Condition, []int{2}},
		{"NULL", certain, op.Item{"c": null}, op.Null, errs.Condition, []int{1, 4}},
		{"enough, but NULL elsewhere", both, op.Item{"c": number("1"), "v": null}, op.Null, errs.Condition, []int{1, 2}},
		{"missing", both, nil, op.Depends, errs.NotFound, []int{1}},
		{"missing, only more", more, nil, op.Depends, errs.NotFound, []int{1}},
		{"missing, only fewer", fewer, nil, op.Changed, errs.NotFound, []int{2}},
		{"expired", more, op.Item{"ttl": number("50")}, op.Depends, errs.NotFound, []int{1}},
		{"of another type", both, other, op.Depends, errs.NotFound, []int{1}},
		{"of another type, only fewer", fewer, other, op.Changed, errs.NotFound, []int{2}},
		{"too few beside an operation", joined, op.Item{"c": number("1")}, op.Depends, errs.Condition, []int{2, 3}},
		{"absent beside an operation", joined, op.Item{}, op.Depends, errs.Condition, []int{2, 3}},
		{"NULL beside an operation", joined, op.Item{"c": null}, op.Depends, errs.Condition, []int{2, 3}},
		{"enough, but NULL elsewhere beside an operation", joined, op.Item{"c": number("2"), "v": null}, op.Null, errs.Condition, nil},
		{"enough beside an operation", joined, op.Item{"c": number("2")}, op.Failed, errs.Condition, nil},
		{"too few of a changed item", joined, op.Item{"a": text("x"), "c": number("1")}, op.Changed, errs.Condition, nil},
	} {
		j.check.Expiry = atHundred
		j.judge(t)
	}
	missing := op.Action{Check: op.ConditionCheck{MustExist: true, Joined: joined.Joined}}
	got := missing.Judge(nil)
	require.Len(t, got, 2)
	require.Nil(t, got[0].Members)
	require.Equal(t, op.Failed, got[0].Verdict)
	require.Equal(t, errs.NotFound, got[0].Kind)
	require.Equal(t, []int{1}, got[1].Members)
	require.Equal(t, op.Depends, got[1].Verdict)
	require.Equal(t, errs.NotFound, got[1].Kind)
	missing.Check.ItemType, missing.Check.OtherType = &op.Expected{Attribute: "type", Value: text("own")}, errs.NotFound
	got = missing.Judge(op.Item{"type": text("other")})
	require.Len(t, got, 2)
	require.Equal(t, []int{1}, got[1].Members, "an item of another type counts nothing")
	require.Equal(t, errs.NotFound, got[1].Kind)
	missing.Check.OtherType = errs.Exists
	require.Len(t, missing.Judge(op.Item{"type": text("other")}), 1, "a put would create the counting item")
	missing.Check.Joined = &op.Counting{Fewer: []int{2}, Enough: "#c >= :2"}
	require.Len(t, missing.Judge(nil), 1, "no item becomes counted")
	exists := op.Action{Check: op.ConditionCheck{MustNotExist: true, Joined: joined.Joined}}
	require.Len(t, exists.Judge(op.Item{}), 1, "the counting item exists")
}
