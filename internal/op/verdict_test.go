package op_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/clause"
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
	clauses []clause.Clause
	met     op.Item
	then    clause.Then
	kind    error
	members []int
}

// judge checks the only judgement of an action with the clauses.
func (j judged) judge(t *testing.T) {
	t.Helper()
	a := op.Action{Plan: ownPlan(), Clauses: j.clauses, Expiry: atHundred}
	got := a.Judge(j.met)
	require.Len(t, got, 1, j.name)
	require.Equal(t, j.then, got[0].Then, j.name)
	require.Equal(t, j.kind, got[0].Kind, j.name)
	require.Equal(t, j.members, got[0].Members, j.name)
}

func ownPlan() *core.Plan {
	p := &core.Plan{Name: "own", Schema: &core.Schema{TypeAttr: "type"}}
	p.TTL = &codec.Field{Name: "ttl"}
	return p
}

// The clauses of the tests.
var (
	aItem    = clause.Clause{Pred: clause.AnItem{Key: &core.Attribute{Name: "k"}}, Fails: errs.NotFound, Rank: clause.Existence}
	aOwn     = clause.Clause{Pred: &clause.State{Attribute: "type", Absent: true, Values: []types.AttributeValue{text("own")}}, Fails: errs.Exists, Rank: clause.OtherType}
	aNew     = clause.Clause{Pred: clause.NoItem{Key: &core.Attribute{Name: "k"}}, Fails: errs.Exists, Rank: clause.Existence}
	aOne     = clause.Value("a", number("1"))
	aRead    = clause.Clause{Pred: aOne, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan}
	aAbsent  = clause.Clause{Pred: clause.Value("a", nil), Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan}
	aAlive   = clause.Clause{Pred: clause.Not{Pred: clause.Expired{Attribute: "ttl", Expiry: atHundred}}, Fails: errs.Condition, Rank: clause.Dead, Then: clause.Bury}
	aNotNull = clause.Clause{Pred: clause.NotNull{At: &core.BoundPath{Attribute: "a"}}, Fails: errs.Condition, Rank: clause.Null, Then: clause.Unset}
	bNotNull = clause.Clause{Pred: clause.NotNull{At: &core.BoundPath{Attribute: "b"}}, Fails: errs.Condition, Rank: clause.Null, Then: clause.Unset}
)

func caller(p clause.Pred) clause.Clause {
	return clause.Clause{Pred: p, Fails: errs.Condition, Rank: clause.Called}
}

// TestVerdictsOfCertainConditions checks that a condition which the operation has in any case is
// told from those that repeat what was read, whichever of them are false too.
func TestVerdictsOfCertainConditions(t *testing.T) {
	t.Parallel()
	three := op.Item{"a": number("3")}
	moved := clause.Clause{Pred: aOne, Fails: errs.Condition, Rank: clause.Moved, Then: clause.Depend}
	taken := clause.Clause{Pred: clause.NoItem{Key: &core.Attribute{Name: "k"}}, Fails: errs.Taken, Rank: clause.Existence, Then: clause.Depend}
	stale := func(p clause.Pred) clause.Clause {
		return clause.Clause{Pred: p, Fails: errs.Stale, Rank: clause.Version}
	}
	for _, j := range []judged{
		{"failed", []clause.Clause{{Pred: aOne, Fails: errs.Tenant}}, op.Item{}, clause.Fail, errs.Tenant, nil},
		{"guard", []clause.Clause{taken}, op.Item{}, clause.Depend, errs.Taken, nil},
		{"missing", []clause.Clause{aItem}, nil, clause.Fail, errs.NotFound, nil},
		{"not missing", []clause.Clause{aItem}, three, clause.Replan, errs.Condition, nil},
		{"another type", []clause.Clause{aOwn}, op.Item{"type": text("other")}, clause.Fail, errs.Exists, nil},
		{"no type", []clause.Clause{aOwn}, three, clause.Replan, errs.Condition, nil},
		{"there", []clause.Clause{aNew}, op.Item{}, clause.Fail, errs.Exists, nil},
		{"not there", []clause.Clause{aNew}, nil, clause.Replan, errs.Condition, nil},
		{"version", []clause.Clause{stale(aOne)}, three, clause.Fail, errs.Stale, nil},
		{"zero version", []clause.Clause{stale(&clause.State{Attribute: "a", Absent: true, Null: true, Values: []types.AttributeValue{number("0")}})}, three, clause.Fail, errs.Stale, nil},
		{"no version", []clause.Clause{stale(clause.Value("v", number("1")))}, op.Item{}, clause.Fail, errs.Stale, nil},
		{"count", []clause.Clause{{Pred: aOne, Fails: errs.Stale, Rank: clause.Counts}}, three, clause.Fail, errs.Stale, nil},
		{"caller", []clause.Clause{caller(aOne)}, three, clause.Fail, errs.Condition, nil},
		{"the caller's holds", []clause.Clause{caller(clause.Attribute("a", clause.Ge, number("1")))}, three, clause.Replan, errs.Condition, nil},
		{"parent", []clause.Clause{caller(clause.Kind{At: &core.BoundPath{Attribute: "a"}})}, op.Item{"a": list}, clause.Fail, errs.Condition, nil},
		{"moved", []clause.Clause{moved}, three, clause.Depend, errs.Condition, nil},
	} {
		read := clause.Clause{Pred: clause.Value("b", number("1")), Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan}
		j.clauses = append([]clause.Clause{read}, j.clauses...)
		j.judge(t)
	}
}

// TestVerdictsOfUndecidedActions checks the order of the reasons for which an operation is made
// again, and which of them an item shows.
func TestVerdictsOfUndecidedActions(t *testing.T) {
	t.Parallel()
	expired, alive := op.Item{"ttl": number("50")}, op.Item{"ttl": number("200")}
	unexpired := clause.Clause{Pred: aAlive.Pred, Fails: errs.Condition, Rank: clause.Rest}
	for _, j := range []judged{
		{"nothing is known", nil, op.Item{"a": number("3")}, clause.Fail, errs.Condition, nil},
		{"as planned", []clause.Clause{aRead}, op.Item{"a": number("1")}, clause.Fail, errs.Condition, nil},
		{"as planned, in another form", []clause.Clause{aRead}, op.Item{"a": number("1.0")}, clause.Fail, errs.Condition, nil},
		{"changed", []clause.Clause{aRead}, op.Item{"a": number("3")}, clause.Replan, errs.Condition, nil},
		{"removed", []clause.Clause{aRead}, op.Item{}, clause.Replan, errs.Condition, nil},
		{"added", []clause.Clause{aAbsent}, op.Item{"a": number("1")}, clause.Replan, errs.Condition, nil},
		{"NULL", []clause.Clause{aNotNull, bNotNull}, op.Item{"b": null}, clause.Unset, errs.Condition, nil},
		{"changed to NULL", []clause.Clause{aNotNull, aRead}, op.Item{"a": null}, clause.Replan, errs.Condition, nil},
		{"expired", []clause.Clause{aAlive, aRead}, expired, clause.Bury, errs.Condition, nil},
		{"expired, but not in the way", []clause.Clause{unexpired, aRead}, expired, clause.Replan, errs.Condition, nil},
		{"expired, and needed", []clause.Clause{aAlive, aItem}, expired, clause.Fail, errs.NotFound, nil},
		{"expired, of another type", []clause.Clause{unexpired}, op.Item{"ttl": number("50"), "type": text("other")}, clause.Fail, errs.Condition, nil},
		{"alive", []clause.Clause{aAlive}, alive, clause.Fail, errs.Condition, nil},
		{"missing", []clause.Clause{aAlive}, nil, clause.Fail, errs.Condition, nil},
		{"a planned version", []clause.Clause{{Pred: aOne, Fails: errs.Stale, Rank: clause.Read, Then: clause.Replan}, aAbsent}, op.Item{"a": number("3")}, clause.Replan, errs.Stale, nil},
		{"the expected version in another form", []clause.Clause{{Pred: aOne, Fails: errs.Stale, Rank: clause.Version}}, op.Item{"a": number("1.0")}, clause.Fail, errs.Condition, nil},
	} {
		j.judge(t)
	}
}

// TestJudgementsOfSeveralMembers checks that the members of an action fail for their own clauses:
// those of the lowest rank of all.
func TestJudgementsOfSeveralMembers(t *testing.T) {
	t.Parallel()
	missing := clause.Clause{Pred: clause.AnItem{Key: &core.Attribute{Name: "k"}}, Fails: errs.NotFound, Rank: clause.Existence, Then: clause.Depend, Members: []int{1}, Implied: true, Reason: "the parent", Cure: "create it first"}
	enough := clause.Clause{Pred: clause.Attribute("c", clause.Ge, number("2")), Fails: errs.Condition, Rank: clause.Enough, Then: clause.Depend, Members: []int{2, 3}}
	for name, c := range map[string]struct {
		clauses []clause.Clause
		met     op.Item
		members [][]int
		thens   []clause.Then
	}{
		"missing":                          {[]clause.Clause{aItem, missing, enough}, nil, [][]int{nil, {1}}, []clause.Then{clause.Fail, clause.Depend}},
		"only others need it":              {[]clause.Clause{missing, enough}, nil, [][]int{{1}}, []clause.Then{clause.Depend}},
		"too few":                          {[]clause.Clause{aItem, missing, enough, bNotNull}, op.Item{"c": number("1"), "b": null}, [][]int{{2, 3}}, []clause.Then{clause.Depend}},
		"NULL is too few":                  {[]clause.Clause{enough}, op.Item{"c": null}, [][]int{{2, 3}}, []clause.Then{clause.Depend}},
		"enough, but NULL":                 {[]clause.Clause{enough, bNotNull}, op.Item{"c": number("2"), "b": null}, [][]int{nil}, []clause.Then{clause.Unset}},
		"too few, and the operation fails": {[]clause.Clause{caller(aOne), enough}, op.Item{"c": number("1")}, [][]int{nil}, []clause.Then{clause.Fail}},
		"too few of a changed item":        {[]clause.Clause{aAbsent, enough}, op.Item{"a": number("1"), "c": number("1")}, [][]int{nil}, []clause.Then{clause.Replan}},
	} {
		a := op.Action{Plan: ownPlan(), Clauses: c.clauses}
		var members [][]int
		var thens []clause.Then
		for _, j := range a.Judge(c.met) {
			members, thens = append(members, j.Members), append(thens, j.Then)
		}
		require.Equal(t, c.members, members, name)
		require.Equal(t, c.thens, thens, name)
	}
}

// TestTheFirstClauseWithACureTells checks which of several false clauses of one rank tells the
// cure.
func TestTheFirstClauseWithACureTells(t *testing.T) {
	t.Parallel()
	with := func(cure string) clause.Clause {
		c := caller(aOne)
		c.Cure = cure
		return c
	}
	a := op.Action{Plan: ownPlan(), Clauses: []clause.Clause{with(""), with("first"), with("second")}}
	require.Equal(t, "first", a.Judge(op.Item{})[0].Cure)
}
