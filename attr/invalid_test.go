package attr_test

import (
	"math"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
)

// wrongWords matches an article that does not fit the next word, such as the name of a type, and a
// word for a feature that does not exist.
var wrongWords = regexp.MustCompile(`(?i)\ba [aeio]|\ban [b-df-gj-np-tv-z]|filter`)

func TestWrongWords(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"does not fit a int", "not a *attr.X, an string", "put the condition into Filter"} {
		require.Regexp(t, wrongWords, wrong)
	}
	require.NotRegexp(t, wrongWords, "does not fit the type int, a time.Time, an error, a uint8")
}

// requireProblems checks that an error is a ValidationError of that kind with problems of the
// fields, in order.
func requireProblems(t *testing.T, err, kind error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, kind)
	var r *errs.ValidationError
	require.ErrorAs(t, err, &r)
	var named []string
	for _, p := range r.Problems {
		named = append(named, p.Field)
		require.NotEmpty(t, p.Reason)
	}
	require.Equal(t, fields, named, "%v", err)
}

func TestInvalidConditions(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)
	many := make([]string, 101)
	var empty *attr.Field[Thing, string]
	for name, c := range map[string]struct {
		cond   attr.Cond[Thing]
		kind   error
		fields []string
	}{
		"negative size":                     {attr.Size(skills).Gt(-1), errs.Invalid, []string{"skills"}},
		"reversed period":                   {attr.During(at, attr.Period{Start: noon, End: noon.Add(-1)}), errs.Invalid, []string{"at"}},
		"nothing to be in":                  {status.In(), errs.Invalid, []string{"status"}},
		"too much to be in":                 {status.In(many...), errs.Limit, []string{"status"}},
		"not a number":                      {price.Eq(math.NaN()), errs.Invalid, []string{"price"}},
		"an operand that does not fit":      {attr.Named[Thing]("count").Eq("three"), errs.Invalid, []string{"count"}},
		"another type than the field's":     {attr.Typed[int](attr.Named[Thing]("status")).Eq(1), errs.Invalid, []string{"status"}},
		"no path":                           {attr.Named[Thing]("").Exists(), errs.Invalid, []string{""}},
		"a path that does not parse":        {attr.Named[Thing]("a[").Exists(), errs.Invalid, []string{""}},
		"a position in a set":               {attr.At(tags, 0).Eq("a"), errs.Invalid, []string{"tags[0]"}},
		"a negative position":               {attr.At(skills, -1).Eq("a"), errs.Invalid, []string{"skills[-1]"}},
		"an unknown part of a struct":       {attr.Named[Thing]("home.nowhere").Exists(), errs.Invalid, []string{`home["…"]`}},
		"the rest field itself":             {rest.Exists(), errs.Invalid, []string{"rest"}},
		"an element that is another struct": {attr.Sub(attr.Typed[Line](attr.Named[Thing]("home")), func(l *Line) *string { return &l.SKU }).Eq("a"), errs.Invalid, []string{"home.sku"}},
		"a function that leads nowhere":     {attr.Sub(attr.At(lines, 0), func(*Line) *string { return nil }).Eq("a"), errs.Invalid, []string{"lines[0]"}},
		"an empty handle":                   {empty.Eq("a"), errs.Invalid, []string{""}},
		"an unknown type":                   {status.IsType("TEXT"), errs.Invalid, []string{"status"}},
		"no conditions":                     {attr.And[Thing](), errs.Invalid, []string{""}},
		"no alternatives":                   {attr.Or[Thing](), errs.Invalid, []string{""}},
		"a nil condition":                   {attr.And[Thing](nil), errs.Invalid, []string{""}},
		"nil negated":                       {attr.Not[Thing](nil), errs.Invalid, []string{""}},
		"every fault at once":               {attr.And[Thing](done.Lt(true), attr.Not[Thing](attr.Size(count).Eq(1)), status.In()), errs.Invalid, []string{"done", "count", "status"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := expr.Condition(expr.NewBuilder(), plan[Thing](t), expr.CondOf(c.cond))
			requireProblems(t, err, c.kind, c.fields...)
		})
	}
}

func TestUnknownNames(t *testing.T) {
	t.Parallel()
	p := plan[Event](t)
	for name, c := range map[string]attr.Cond[Event]{
		"nowhere":  attr.Named[Event]("nowhere").Exists(),
		`"a name"`: attr.Named[Event](`"a name"`).Exists(),
	} {
		_, err := expr.Condition(expr.NewBuilder(), p, expr.CondOf(c))
		requireProblems(t, err, errs.Invalid, name)
	}
	_, err := expr.Condition(expr.NewBuilder(), p, expr.CondOf(status.Eq("a")))
	requireProblems(t, err, errs.Invalid, "status")
}

func TestInvalidChanges(t *testing.T) {
	t.Parallel()
	list := func(c ...attr.Change[Thing]) []attr.Change[Thing] { return c }
	var empty *attr.Field[Thing, string]
	for name, c := range map[string]struct {
		changes []attr.Change[Thing]
		field   string
	}{
		"a rendered key as rest": {list(attr.Key(rest, "GSI1PK").Remove()), `rest["…"]`},
		"one place by two ways":  {list(attr.Add(count, 1), attr.Named[Thing]("count").Set(2)), "count"},
		"not a number":           {list(price.Set(math.Inf(1))), "price"},
		"append nothing":         {list(attr.Append(skills)), "skills"},
		"nothing to add":         {list(attr.SetAdd(tags)), "tags"},
		"nothing to delete":      {list(attr.SetDelete(tags)), "tags"},
		"If of nothing":          {list(attr.If[Thing]()), ""},
		"nil":                    {list(nil), ""},
		"an empty handle":        {list(empty.Set("a")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compileUpdate(expr.NewBuilder(), plan[Thing](t), c.changes)
			requireProblems(t, err, errs.Invalid, c.field)
			require.NotRegexp(t, wrongWords, err.Error())
		})
	}
}
