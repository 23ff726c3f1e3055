package attr_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
		"order of a bool":                    {done.Lt(true), errs.Invalid, []string{"done"}},
		"order of a list":                    {skills.Gt([]string{"a"}), errs.Invalid, []string{"skills"}},
		"order of a set":                     {tags.Ge([]string{"a"}), errs.Invalid, []string{"tags"}},
		"order of a map":                     {prefs.Le(nil), errs.Invalid, []string{"prefs"}},
		"order of a struct":                  {work.Between(nil, nil), errs.Invalid, []string{"work"}},
		"order of NULL":                      {limitPtr.Lt(nil), errs.Invalid, []string{"limit"}},
		"order of numbers in text":           {code.Lt(3), errs.Invalid, []string{"code"}},
		"order of any, given a bool":         {anything.Lt(true), errs.Invalid, []string{"any"}},
		"order of texts of time":             {attr.Compare(at, attr.Must(func(x *Thing) *time.Time { return &x.Day })).Lt(), errs.Invalid, []string{"at"}},
		"order of fields without order":      {attr.Compare(skills, attr.Must(func(x *Thing) *[]string { return &x.Tags })).Lt(), errs.Invalid, []string{"skills"}},
		"fields of unlike storage":           {attr.Compare(skills, tags).Eq(), errs.Invalid, []string{"skills"}},
		"a field with itself":                {attr.Compare(status, status).Eq(), errs.Invalid, []string{"status"}},
		"contains in bytes":                  {attr.Contains(blob, 1), errs.Invalid, []string{"blob"}},
		"size of a number":                   {attr.Size(count).Eq(1), errs.Invalid, []string{"count"}},
		"size of a bool":                     {attr.Size(done).Eq(1), errs.Invalid, []string{"done"}},
		"negative size":                      {attr.Size(skills).Gt(-1), errs.Invalid, []string{"skills"}},
		"reversed sizes":                     {attr.Size(skills).Between(2, 1), errs.Invalid, []string{"skills"}},
		"reversed numbers":                   {count.Between(10, 9), errs.Invalid, []string{"count"}},
		"reversed fractions":                 {price.Between(-0.5, -0.75), errs.Invalid, []string{"price"}},
		"reversed texts":                     {status.Between("b", "a"), errs.Invalid, []string{"status"}},
		"reversed bytes":                     {blob.Between([]byte{2}, []byte{1, 9}), errs.Invalid, []string{"blob"}},
		"reversed times":                     {at.Between(noon.Add(time.Nanosecond), noon), errs.Invalid, []string{"at"}},
		"reversed times in seconds":          {expires.Between(noon.Add(time.Nanosecond), noon), errs.Invalid, []string{"expires"}},
		"reversed period":                    {attr.During(at, attr.Period{Start: noon, End: noon.Add(-1)}), errs.Invalid, []string{"at"}},
		"bounds of two types":                {anything.Between(1, "a"), errs.Invalid, []string{"any"}},
		"nothing to be in":                   {status.In(), errs.Invalid, []string{"status"}},
		"too much to be in":                  {status.In(many...), errs.Limit, []string{"status"}},
		"empty set":                          {attr.Key(rest, "x").Eq(&types.AttributeValueMemberSS{}), errs.Invalid, []string{`rest["…"]`}},
		"not a number":                       {price.Eq(math.NaN()), errs.Invalid, []string{"price"}},
		"a number too large":                 {price.Gt(1e126), errs.Limit, []string{"price"}},
		"zero time in seconds":               {attr.Must(func(x *Thing) *time.Time { return x.Until }).Lt(time.Time{}), errs.Invalid, []string{"until"}},
		"an operand that does not fit":       {attr.Named[Thing]("count").Eq("three"), errs.Invalid, []string{"count"}},
		"an operand that loses its fraction": {attr.Named[Thing]("count").Eq(3.5), errs.Invalid, []string{"count"}},
		"an operand that overflows":          {attr.Named[Thing]("small").Eq(256), errs.Invalid, []string{"small"}},
		"nil for a number":                   {attr.Named[Thing]("count").Eq(nil), errs.Invalid, []string{"count"}},
		"another type than the field's":      {attr.Typed[int](attr.Named[Thing]("status")).Eq(1), errs.Invalid, []string{"status"}},
		"no path":                            {attr.Named[Thing]("").Exists(), errs.Invalid, []string{""}},
		"a path that does not parse":         {attr.Named[Thing]("a[").Exists(), errs.Invalid, []string{""}},
		"a position in a set":                {attr.At(tags, 0).Eq("a"), errs.Invalid, []string{"tags[0]"}},
		"a negative position":                {attr.At(skills, -1).Eq("a"), errs.Invalid, []string{"skills[-1]"}},
		"a position beyond an array":         {attr.Named[Thing]("grid[2]").Exists(), errs.Invalid, []string{"grid[2]"}},
		"a part of a text":                   {attr.Named[Thing]("status.x").Exists(), errs.Invalid, []string{`status["…"]`}},
		"a part of a time":                   {attr.Named[Thing]("at.wall").Exists(), errs.Invalid, []string{`at["…"]`}},
		"an unknown part of a struct":        {attr.Named[Thing]("home.nowhere").Exists(), errs.Invalid, []string{`home["…"]`}},
		"a name in a list":                   {attr.Named[Thing]("lines.sku").Exists(), errs.Invalid, []string{`lines["…"]`}},
		"the rest field itself":              {rest.Exists(), errs.Invalid, []string{"rest"}},
		"an element that is another struct":  {attr.Sub(attr.Typed[Line](attr.Named[Thing]("home")), func(l *Line) *string { return &l.SKU }).Eq("a"), errs.Invalid, []string{"home.sku"}},
		"a function that leads nowhere":      {attr.Sub(attr.At(lines, 0), func(*Line) *string { return nil }).Eq("a"), errs.Invalid, []string{"lines[0]"}},
		"an empty handle":                    {empty.Eq("a"), errs.Invalid, []string{""}},
		"an unknown type":                    {status.IsType("TEXT"), errs.Invalid, []string{"status"}},
		"no conditions":                      {attr.And[Thing](), errs.Invalid, []string{""}},
		"no alternatives":                    {attr.Or[Thing](), errs.Invalid, []string{""}},
		"a nil condition":                    {attr.And[Thing](nil), errs.Invalid, []string{""}},
		"nil negated":                        {attr.Not[Thing](nil), errs.Invalid, []string{""}},
		"every fault at once":                {attr.And[Thing](done.Lt(true), attr.Not[Thing](attr.Size(count).Eq(1)), status.In()), errs.Invalid, []string{"done", "count", "status"}},
		"too many operators":                 {attr.And(repeat(done.Exists(), 151)...), errs.Limit, []string{""}},
		"too long":                           {attr.And(repeat(attr.Named[Thing]("any"+strings.Repeat(".a", 12)).Exists(), 60)...), errs.Limit, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := expr.Condition(expr.NewBuilder(), plan[Thing](t), expr.CondOf(c.cond))
			requireProblems(t, err, c.kind, c.fields...)
		})
	}
}

// Stamp is stored in the text form of the embedded time: in the time's own zone.
type Stamp struct{ time.Time }

// Stamped has fields whose text does not sort by time.
type Stamped struct {
	_    Key       `type:"stamped" pk:"S#<id>" sk:"#"`
	ID   string    `dynamodbav:"id"`
	At   Stamp     `dynamodbav:"at"`
	End  *Stamp    `dynamodbav:"end"`
	All  []Stamp   `dynamodbav:"all"`
	Time time.Time `dynamodbav:"time"`
}

func TestOrderOfStructsAroundTimes(t *testing.T) {
	t.Parallel()
	at := attr.Must(func(x *Stamped) *Stamp { return &x.At })
	end := attr.Must(func(x *Stamped) **Stamp { return &x.End })
	first := attr.At(attr.Must(func(x *Stamped) *[]Stamp { return &x.All }), 0)
	inner := attr.Must(func(x *Stamped) *time.Time { return &x.At.Time })
	noon := Stamp{time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)}
	ask := func(c attr.Cond[Stamped]) error {
		_, err := expr.Condition(expr.NewBuilder(), plan[Stamped](t), expr.CondOf(c))
		return err
	}
	for field, conds := range map[string][]attr.Cond[Stamped]{
		"at": {at.Lt(noon), at.Le(noon), at.Gt(noon), at.Ge(noon), at.Between(noon, noon), attr.Named[Stamped]("at").Lt(noon), attr.Compare(at, at).Lt(),
			attr.Before(inner, noon.Time), attr.During(inner, attr.Month(2026, 8)), inner.Eq(noon.Time)},
		"end":    {end.Lt(&noon), attr.Named[Stamped]("end").Ge(noon)},
		"all[0]": {first.Lt(noon)},
	} {
		for _, c := range conds {
			requireProblems(t, ask(c), errs.Invalid, field)
		}
	}
	for _, c := range []attr.Cond[Stamped]{at.Eq(noon), at.Ne(noon), at.In(noon), at.Exists(), end.NotExists()} {
		require.NoError(t, ask(c))
	}
	require.NoError(t, ask(attr.Before(attr.Must(func(x *Stamped) *time.Time { return &x.Time }), noon.Time)))
}

func repeat(c attr.Cond[Thing], n int) []attr.Cond[Thing] {
	list := make([]attr.Cond[Thing], n)
	for i := range list {
		list[i] = c
	}
	return list
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
		"a rendered key":           {list(attr.Named[Thing]("GSI1PK").Set("x")), "GSI1PK"},
		"the table's key":          {list(attr.Named[Thing]("PK").Remove()), "PK"},
		"the type":                 {list(attr.Named[Thing]("_type").Set("x")), "_type"},
		"the write id":             {list(attr.Named[Thing]("_w").Set("x")), "_w"},
		"a rendered key as rest":   {list(attr.Key(rest, "GSI1PK").Remove()), `rest["…"]`},
		"a field twice":            {list(status.Set("a"), status.Remove()), "status"},
		"a part of a changed map":  {list(work.Set(nil), city.Set("a")), "work.city"},
		"the whole of a changed":   {list(city.Set("a"), work.Remove()), "work"},
		"a name of a list":         {list(attr.Named[Thing]("any[0]").Remove(), attr.Named[Thing]("any.a").Remove()), `any["…"]`},
		"one place by two ways":    {list(attr.Add(count, 1), attr.Named[Thing]("count").Set(2)), "count"},
		"a number in text":         {list(attr.Add(code, 1)), "code"},
		"not a number":             {list(price.Set(math.Inf(1))), "price"},
		"append to a set":          {list(attr.Append(tags, "a")), "tags"},
		"append to bytes":          {list(attr.Append(blob, 1)), "blob"},
		"append nothing":           {list(attr.Append(skills)), "skills"},
		"set operation on a list":  {list(attr.SetAdd(skills, "a")), "skills"},
		"nothing to add":           {list(attr.SetAdd(tags)), "tags"},
		"nothing to delete":        {list(attr.SetDelete(tags)), "tags"},
		"an element of a set":      {list(attr.At(tags, 0).Remove()), "tags[0]"},
		"an operand without place": {list(attr.Named[Thing]("count").Set("x")), "count"},
		"an empty set":             {list(attr.Key(rest, "x").Set(&types.AttributeValueMemberSS{})), `rest["…"]`},
		"If of nothing":            {list(attr.If[Thing]()), ""},
		"nil":                      {list(nil), ""},
		"an empty handle":          {list(empty.Set("a")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compileUpdate(expr.NewBuilder(), plan[Thing](t), c.changes)
			requireProblems(t, err, errs.Invalid, c.field)
			require.NotRegexp(t, wrongWords, err.Error())
		})
	}
}

func TestNumberTooLarge(t *testing.T) {
	t.Parallel()
	_, err := compileUpdate(expr.NewBuilder(), plan[Thing](t), []attr.Change[Thing]{price.Set(1e126)})
	requireProblems(t, err, errs.Limit, "price")
}

func TestUpdateTooLong(t *testing.T) {
	t.Parallel()
	var changes []attr.Change[Thing]
	for i := range 300 {
		changes = append(changes, attr.At(skills, i).Set("x"))
	}
	_, err := compileUpdate(expr.NewBuilder(), plan[Thing](t), changes)
	requireProblems(t, err, errs.Limit, "")
	_, err = compileUpdate(expr.NewBuilder(), plan[Thing](t), changes[:100])
	require.NoError(t, err)
}

// The error names the attribute if a change conflicts with a clause that the library adds.
func TestLibraryClauseConflicts(t *testing.T) {
	t.Parallel()
	u := expr.NewUpdate(expr.NewBuilder(), plan[Thing](t))
	require.True(t, u.Empty())
	require.NoError(t, u.Apply(expr.ChangeOf(city.Set("a"))))
	require.False(t, u.Empty())
	u.RemoveAttribute("work")
	_, err := u.Text()
	requireProblems(t, err, errs.Invalid, "work")
}
