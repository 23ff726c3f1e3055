package attr_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// Card has a field that occurs in keys only.
type Card struct {
	_    Key    `type:"card" pk:"C#<id>" sk:"K#<kind>"`
	ID   string `dynamodbav:"id"`
	Kind string `dynamodbav:"kind" entity:"key"`
	Note string `dynamodbav:"note,omitempty"`
}

var (
	eventDay   = attr.Must(func(x *Event) *time.Time { return &x.Day })
	eventKept  = attr.Must(func(x *Event) *string { return &x.Kept })
	cardKind   = attr.Must(func(x *Card) *string { return &x.Kind })
	august     = attr.Month(2026, 8)
	augustNoon = time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)
	augustDay  = time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)
)

// Conditions on a field that is a whole key attribute use the format of its template, here days in
// descending order.
func TestConditionsOnFormattedKeys(t *testing.T) {
	t.Parallel()
	p := plan[Event](t)
	day := func(text string) string { // as the template writes it
		at, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		key, err := p.KeyAttr("SK").Template.Render(keys.Time(at))
		require.NoError(t, err)
		return key
	}
	for _, c := range []struct {
		cond attr.Cond[Event]
		want string
		vals []string
	}{
		{eventDay.Eq(augustDay), "#n0 = :v0", []string{day("2026-08-03")}},
		{eventDay.Ne(augustDay), "#n0 <> :v0", []string{day("2026-08-03")}},
		{eventDay.In(augustDay), "#n0 IN (:v0)", []string{day("2026-08-03")}},
		{eventDay.Lt(augustDay), "#n0 > :v0", []string{day("2026-08-03")}},
		{eventDay.Ge(augustDay), "#n0 <= :v0", []string{day("2026-08-03")}},
		{eventDay.Between(augustDay, august.End), "#n0 BETWEEN :v0 AND :v1", []string{day("2026-09-01"), day("2026-08-03")}},
		{attr.During(eventDay, august), "#n0 BETWEEN :v0 AND :v1", []string{day("2026-09-01") + "\x00", day("2026-08-01")}},
		{attr.During(eventDay, attr.Year(9999)), "#n0 <= :v0", []string{day("9999-01-01")}},
	} {
		b := expr.NewBuilder()
		text, err := expr.Condition(b, p, expr.CondOf(c.cond))
		require.NoError(t, err)
		require.Equal(t, c.want, text)
		for i, want := range c.vals {
			require.Equal(t, show(core.KeyValue("S", want)), show(b.Values()[":v"+string(rune('0'+i))]))
		}
	}
	for _, c := range []attr.Cond[Event]{eventDay.Eq(augustNoon), eventDay.Lt(augustNoon), eventDay.In(augustDay, augustNoon), eventDay.In()} {
		_, err := expr.Condition(expr.NewBuilder(), p, expr.CondOf(c))
		requireProblems(t, err, errs.Invalid, "SK")
	}
}

// A condition that a key can serve is passed on as an operator, a field and key values.
func TestKeyConds(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	for _, c := range []struct {
		cond attr.KeyCond[Thing]
		op   keyspace.Op
		vals []keys.Value
	}{
		{status.Eq("a"), keyspace.Eq, []keys.Value{keys.Text("a")}},
		{count.Gt(3), keyspace.Gt, []keys.Value{keys.Int(3)}},
		{limit.Le(3), keyspace.Le, []keys.Value{keys.Int(3)}},
		{attr.BeginsWith(status, "a"), keyspace.BeginsWith, []keys.Value{keys.Text("a")}},
		{at.Between(august.Start, august.End), keyspace.Between, []keys.Value{keys.Time(august.Start), keys.Time(august.End)}},
		{attr.During(at, august), keyspace.During, []keys.Value{keys.Time(august.Start), keys.Time(august.End)}},
		{attr.Named[Thing]("count").Lt(3), keyspace.Lt, []keys.Value{keys.Int(3)}},
	} {
		term, err := expr.NewKeyCond(expr.CondOf(c.cond), p)
		require.NoError(t, err)
		require.Equal(t, c.op, term.Op)
		require.Equal(t, c.vals, term.Operands())
		require.NotNil(t, term.Field)
	}
	for field, c := range map[string]attr.Cond[Thing]{
		"status": status.Ne("a"), "work.city": city.Eq("a"), "rest[\"…\"]": attr.Key(rest, "x").Eq(nil), "count": attr.Named[Thing]("count").Lt("x"),
		"skills": attr.Size(skills).Eq(1), "copy": attr.Compare(dup, status).Eq(), "lines": lines.Eq([]Line{{}}),
	} {
		_, err := expr.NewKeyCond(expr.CondOf(c), p)
		requireProblems(t, err, errs.Invalid, field)
		require.NotRegexp(t, wrongWords, err.Error())
	}
	_, err := expr.NewKeyCond(expr.CondOf(attr.Or(status.Eq("a"), status.Eq("b"))), p)
	requireProblems(t, err, errs.Invalid, "")
}

// A field that occurs in keys only is valid in Where and nowhere else.
func TestFieldsOfKeysOnly(t *testing.T) {
	t.Parallel()
	p := plan[Card](t)
	term, err := expr.NewKeyCond(expr.CondOf(cardKind.Eq("x")), p)
	require.NoError(t, err)
	require.Equal(t, "kind", term.Field.Name)
	_, err = expr.Condition(expr.NewBuilder(), p, expr.CondOf(cardKind.Eq("x")))
	requireProblems(t, err, errs.Invalid, "kind")
	_, err = compileUpdate(expr.NewBuilder(), p, []attr.Change[Card]{cardKind.Set("x")})
	requireProblems(t, err, errs.Invalid, "kind")
	bound, err := expr.BindChange(expr.ChangeOf(cardKind.Set("x")), p)
	require.NoError(t, err, "a planner that renders keys may want it")
	v, err := bound.Value()
	require.NoError(t, err)
	require.Equal(t, keys.Text("x"), v)
}

func TestAttributesOfConditions(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	got, err := expr.Attributes(expr.CondOf(attr.And(attr.Not(city.Eq("a")), attr.Compare(status, dup).Eq(), attr.Key(rest, "x").Exists(), work.Exists())), p)
	require.NoError(t, err)
	require.Equal(t, []string{"work", "status", "copy", "x"}, got)
	_, err = expr.Attributes(expr.CondOf(attr.Named[Thing]("status.x").Exists()), p)
	requireProblems(t, err, errs.Invalid, `status["…"]`)
}

func TestBoundChanges(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	bind := func(c attr.Change[Thing]) *expr.BoundChange {
		b, err := expr.BindChange(expr.ChangeOf(c), p)
		require.NoError(t, err)
		return b
	}
	b := bind(status.Set("a"))
	v, err := b.Value()
	require.NoError(t, err)
	require.Equal(t, keys.Text("a"), v)
	require.Equal(t, "status", b.Field().Name)
	require.True(t, b.Whole())
	require.True(t, b.Constant())

	v, err = bind(level.Set("")).Value()
	require.NoError(t, err)
	require.True(t, v.IsAbsent())
	v, err = bind(status.Remove()).Value()
	require.NoError(t, err)
	require.True(t, v.IsAbsent())

	b = bind(attr.Add(limit, 2))
	v, err = b.Operand()
	require.NoError(t, err)
	require.Equal(t, keys.Int(2), v)
	require.False(t, b.Constant())

	b = bind(city.Set("a"))
	require.Equal(t, "work", b.Field().Name)
	require.False(t, b.Whole())
	_, err = b.Value()
	requireProblems(t, err, errs.Invalid, "work.city")

	b = bind(attr.Key(rest, "x").Remove())
	require.Nil(t, b.Field())
	require.True(t, b.Whole())

	b = bind(attr.If(status.Eq("a")))
	require.Nil(t, b.Field())
	require.Len(t, b.Conds, 1)
	require.Equal(t, expr.If, b.Verb)
}

func TestNilConditionsAndChanges(t *testing.T) {
	t.Parallel()
	var c attr.Cond[Thing]
	require.Error(t, expr.CondOf(c).Err)
	require.Error(t, expr.CondsOf([]attr.Cond[Thing]{status.Eq("a"), nil})[1].Err)
	require.Error(t, expr.ChangesOf[attr.Change[Thing]](nil, nil)[0].Err)
	require.Nil(t, expr.CondsOf([]attr.Cond[Thing]{}))
	require.Nil(t, expr.All())
}

// A handle can be used by many goroutines and with many plans.
func TestHandlesAreShared(t *testing.T) {
	t.Parallel()
	one, two := plan[Event](t), plan[Event](t)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			p := one
			if i%2 == 0 {
				p = two
			}
			for range 100 {
				text, err := expr.Condition(expr.NewBuilder(), p, expr.CondOf(eventKept.Eq("a")))
				if err != nil || text != "#n0 = :v0" {
					panic("a condition changed")
				}
			}
		})
	}
	all.Wait()
}

func TestOperandsAreCopied(t *testing.T) {
	t.Parallel()
	list := []string{"a"}
	c := attr.Append(skills, list...)
	list[0] = "changed"
	b := expr.NewBuilder()
	_, err := compileUpdate(b, plan[Thing](t), []attr.Change[Thing]{c})
	require.NoError(t, err)
	require.Equal(t, `L [S "a"]`, show(b.Values()[":v1"]))
}
