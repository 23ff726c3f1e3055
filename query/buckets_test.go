package query_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	schemas "github.com/trestledb/trestle/schema"
)

// line is a line of a log in time buckets. The partition key holds the day or the month, and the
// sort key the second.
type line struct {
	_   entity.Key   `type:"line" pk:"LOG#<at:day>" sk:"<at:s>#<id>"`
	_   entity.Index `name:"by-app" on:"GSI1" pk:"APP#<app>#<at:month>" sk:"<at:s>#<id>"`
	At  time.Time    `dynamodbav:"at"`
	ID  string       `dynamodbav:"id"`
	App string       `dynamodbav:"app"`
}

var (
	lineSchema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	lines      = entity.Define[line](lineSchema)
	lineAt     = attr.Must(func(e *line) *time.Time { return &e.At })
	lineID     = attr.Must(func(e *line) *string { return &e.ID })
)

// Any time within a bucket, set in the example, selects that bucket. Where narrows it.
func TestTimeBuckets(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := lineSchema.Open(e.Client(t), "log")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := lines.In(table)
		for i := range 30 { // a day and six hours
			require.NoError(t, r.Put(t.Context(), &line{At: day(1).Add(time.Duration(i) * time.Hour), ID: strconv.Itoa(i), App: "a"}))
		}
		today, month := query.Of(r, line{At: day(1)}), query.On(r, "by-app", line{App: "a", At: day(20)})
		for name, c := range map[string]struct {
			q           query.Query[line]
			first, last int
		}{
			"the day":                 {today, 0, 23},
			"by its noon":             {query.Of(r, line{At: day(1).Add(12 * time.Hour)}), 0, 23},
			"the next":                {query.Of(r, line{At: day(2)}), 24, 29},
			"an hour":                 {today.Where(attr.During(lineAt, attr.Hour(2026, 8, 1, 5))), 5, 5},
			"since":                   {today.Where(attr.Since(lineAt, day(1).Add(20*time.Hour))), 20, 23},
			"before":                  {today.Where(attr.Before(lineAt, day(1).Add(3*time.Hour))), 0, 2},
			"a second":                {today.Where(lineAt.Eq(day(1).Add(7*time.Hour)), lineID.Eq("7")), 7, 7},
			"the month":               {month, 0, 29},
			"a day of the month":      {month.Where(attr.During(lineAt, attr.Day(2026, 8, 2))), 24, 29},
			"from the month's middle": {month.Where(attr.Since(lineAt, day(1).Add(20*time.Hour))), 20, 29},
		} {
			found, err := c.q.Collect(t.Context())
			require.NoError(t, err, name)
			require.Len(t, found, c.last-c.first+1, name)
			require.Equal(t, strconv.Itoa(c.first), found[0].ID, name)
			require.Equal(t, strconv.Itoa(c.last), found[len(found)-1].ID, name)
		}
		_, err = today.Where(lineID.Eq("7")).Collect(t.Context())
		require.ErrorIs(t, err, trestle.ErrInvalid, "the second stands before it in the key")
		n, err := today.Collection().Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 24, n)
	})
}

// folded repeats a field of its partition key in its sort key, in a format with less precision.
type folded struct {
	_    entity.Key `type:"folded" pk:"N#<name>" sk:"<name:lower>#<id>"`
	Name string     `dynamodbav:"name"`
	ID   string     `dynamodbav:"id"`
}

// A field of the partition key is written into the sort key in the format of the sort key. The
// partition key decides conditions on it.
func TestMembersOfBothKeys(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	names := entity.Define[folded](s)
	foldedName, foldedID := attr.Must(func(f *folded) *string { return &f.Name }), attr.Must(func(f *folded) *string { return &f.ID })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "names")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := names.In(table)
		for _, f := range []folded{{Name: "Bob", ID: "1"}, {Name: "Bob", ID: "2"}, {Name: "bob", ID: "3"}} {
			require.NoError(t, r.Put(t.Context(), &f))
		}
		found, err := query.Of(r, folded{Name: "Bob"}).Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []folded{{Name: "Bob", ID: "1"}, {Name: "Bob", ID: "2"}}, found)
		found, err = query.Of(r, folded{Name: "Bob"}).Where(foldedID.Gt("1")).Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []folded{{Name: "Bob", ID: "2"}}, found)
		found, err = query.Of(r, folded{Name: "Bob"}).Where(foldedName.Eq("bob")).Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, found, "the partition holds the name as it is")
		found, err = query.Of(r, folded{Name: "Bob"}).Where(foldedName.Eq("Bob"), foldedID.Gt("1")).Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []folded{{Name: "Bob", ID: "2"}}, found)
	})
}

// twice has a field twice in its partition key. The format with more precision decides conditions.
type twice struct {
	_    entity.Key `type:"twice" pk:"N#<name:upper>#<name>" sk:"T#<name>#<id>"`
	Name string     `dynamodbav:"name"`
	ID   string     `dynamodbav:"id"`
}

// If a partition key holds a field in two formats, both formats decide conditions.
func TestAFieldTwiceInThePartitionKey(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	all := entity.Define[twice](s)
	name, id := attr.Must(func(e *twice) *string { return &e.Name }), attr.Must(func(e *twice) *string { return &e.ID })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "twice")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := all.In(table)
		require.NoError(t, r.Put(t.Context(), &twice{Name: "Bob", ID: "1"}))
		for _, c := range [][]attr.KeyCond[twice]{{}, {id.Eq("1")}, {name.Eq("Bob")}, {name.Gt("BOB"), id.Ge("1")}} {
			found, err := query.Of(r, twice{Name: "Bob"}).Where(c...).Collect(t.Context())
			require.NoError(t, err)
			require.Len(t, found, 1)
		}
		found, err := query.Of(r, twice{Name: "Bob"}).Where(name.Eq("BOB")).Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, found)
		require.Contains(t, schemas.Chart(s), "begins_with(SK, T#<name>#)", "the sheet says what is read")
	})
}
