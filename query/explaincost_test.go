package query_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// ticket has a version, and index keys that an update cannot compute without reading the item.
type ticket struct {
	_       entity.Key   `type:"ticket" pk:"T#<id>" sk:"T"`
	_       entity.Index `name:"by-agent" on:"GSI1" pk:"A#<agent>" sk:"<rank:04>#<id>"`
	_       entity.Index `name:"by-queue" on:"GSI2" pk:"Q#<queue>" sk:"T#<id>"`
	ID      string       `dynamodbav:"id"`
	Agent   string       `dynamodbav:"agent,omitempty"`
	Rank    int          `dynamodbav:"rank,omitempty"`
	Queue   string       `dynamodbav:"queue,omitempty"`
	Text    string       `dynamodbav:"text"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

type desk struct {
	table   *entity.Table
	tickets *entity.Repo[ticket]
	last    trestle.Event
}

func newDesk(t *testing.T, client trestle.Client) *desk {
	t.Helper()
	d := &desk{}
	s := entity.NewSchema(entity.Config{
		Indexes:  []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}},
		Observer: trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { d.last = e }),
	})
	tickets := entity.Define[ticket](s)
	var err error
	d.table, err = s.Open(client, "desk")
	require.NoError(t, err)
	d.tickets = tickets.In(d.table)
	return d
}

var (
	agent = attr.Must(func(t *ticket) *string { return &t.Agent })
	rank  = attr.Must(func(t *ticket) *int { return &t.Rank })
	text  = attr.Must(func(t *ticket) *string { return &t.Text })
)

// Writes that read first or that remove an index entry cost what Explain estimates, measured with
// an item of 300 KB.
func TestWritesCostWhatExplainEstimates(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		d, ctx := newDesk(t, e.Client(t)), t.Context()
		require.NoError(t, d.table.Create(ctx))
		one := ticket{ID: "1", Agent: "a", Rank: 3, Queue: "q", Text: strings.Repeat("x", 300<<10)}
		require.NoError(t, d.tickets.Create(ctx, &one))
		assume := trestle.Assumption{ItemSize: 300<<10 + 150}
		check := func(what string, readsFirst bool, explained trestle.Explanation, err, done error) {
			t.Helper()
			require.NoError(t, err, what)
			require.NoError(t, done, what)
			require.Equal(t, readsFirst, explained.ReadsFirst, what)
			require.InDelta(t, d.last.Capacity.Read, explained.Units.Read, 1, "%s: %s", what, explained)
			require.InDelta(t, d.last.Capacity.Write, explained.Units.Write, 3, "%s: %s", what, explained)
		}
		first := d.tickets.With(entity.ReadFirst())
		x, err := first.Op().Update(ticket{ID: "1"}, agent.Set("b")).Explain(assume)
		_, done := first.Update(ctx, ticket{ID: "1"}, agent.Set("b"))
		check("an update that needs the read", true, x, err, done)
		require.Contains(t, x.Update, "GSI1PK = ?")

		x, err = first.Op().Update(ticket{ID: "1"}, text.Set(one.Text)).Explain(assume)
		_, done = first.Update(ctx, ticket{ID: "1"}, text.Set(one.Text))
		check("an update that does not", false, x, err, done)

		_, err = d.tickets.Op().Update(ticket{ID: "1"}, agent.Set("c")).Explain(assume)
		require.ErrorIs(t, err, trestle.ErrInvalid, "nobody allowed the read")

		next := one
		x, err = d.tickets.Op().Overwrite(&next).Explain(assume)
		check("an overwrite", true, x, err, d.tickets.Overwrite(ctx, &ticket{ID: "1", Agent: "b", Rank: 3, Queue: "q", Text: one.Text}))
		require.Equal(t, one, next, "it is not stamped")

		x, err = d.tickets.Op().Update(ticket{ID: "1"}, agent.Remove()).Explain(assume)
		_, done = d.tickets.Update(ctx, ticket{ID: "1"}, agent.Remove())
		check("an entry taken away", false, x, err, done)
		require.Contains(t, x.Indexes, "GSI1 (an entry taken away)")

		x, err = first.Op().Upsert(ticket{ID: "1", Version: 4}, attr.Add(rank, 1)).Explain(assume)
		require.NoError(t, err)
		require.True(t, x.ReadsFirst)
		require.Contains(t, x.Condition, "version = ?")
	})
}

// Explain does not modify an embedded pointer of the example.
func TestExplainDoesNotChangeTheExample(t *testing.T) {
	t.Parallel()
	type Part struct {
		Agent string `dynamodbav:"agent,omitempty"`
		Rank  int    `dynamodbav:"rank,omitempty"`
	}
	type parted struct {
		_  entity.Key   `type:"parted" pk:"T#<id>" sk:"T"`
		_  entity.Index `name:"by-agent" on:"GSI1" pk:"A#<agent>" sk:"<rank:04>#<id>"`
		ID string       `dynamodbav:"id"`
		*Part
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	types := entity.Define[parted](s)
	table, err := s.Open(silent{}, "desk")
	require.NoError(t, err)
	part := &Part{Agent: "a"}
	x, err := types.In(table).With(entity.ReadFirst()).Op().Update(parted{ID: "1", Part: part}, attr.Named[parted]("agent").Set("b")).Explain()
	require.NoError(t, err)
	require.True(t, x.ReadsFirst)
	require.Equal(t, &Part{Agent: "a"}, part)
}

// Explanations take the bounds of a read into account.
func TestExplainRespectsLimitsAndBudgets(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	repo, in := employees.In(table), employee{CompanyID: "c"}
	q := query.Of(repo, in)
	for _, c := range []struct {
		q      explainer
		assume trestle.Assumption
		items  int
		units  float64
		bounds string
	}{
		{q.Where(employeeID.Eq("e")), trestle.Assumption{}, 1, 0.5, ""},
		{q.Where(employeeID.Eq("e")).Filter(level.Gt(1)), trestle.Assumption{}, 1, 0.5, ""},
		{q.Where(attr.BeginsWith(employeeID, "e")), trestle.Assumption{}, 100, 12.5, ""},
		{q.Where(employeeID.Between("e", "e")), trestle.Assumption{}, 100, 12.5, ""},
		{query.On(repo, "by-hire", in).Where(hiredAt.Eq(day(1)), employeeID.Eq("e")), trestle.Assumption{}, 1, 0.5, ""},
		{query.On(repo, "by-hire", in).Where(hiredAt.Eq(day(1))), trestle.Assumption{}, 100, 12.5, ""},
		{query.On(companies.In(table), "by-name", company{Name: "n"}), trestle.Assumption{}, 100, 12.5, ""},
		{q.Filter(level.Gt(1)).PageSize(10).MaxRequests(3), trestle.Assumption{}, 30, 4.5, "PageSize 10, MaxRequests 3"},
		{q.Filter(level.Gt(1)).PageSize(10).MaxRequests(3), trestle.Assumption{Items: 20}, 20, 3, "PageSize 10, MaxRequests 3"},
		{q.Filter(level.Gt(1)).MaxRequests(2), trestle.Assumption{Items: 10000}, 2048, 256, "MaxRequests 2"},
		{q.Limit(20), trestle.Assumption{Items: 5000}, 20, 2.5, "Limit 20"},
		{q.Limit(20).Filter(level.Gt(1)), trestle.Assumption{Items: 5000}, 5000, 625, "Limit 20"},
		{q.PageSize(4).MaxUnits(2), trestle.Assumption{Items: 5000}, 16, 2, "PageSize 4, MaxUnits 2"},
		{q.MaxUnits(0.04), trestle.Assumption{Items: 1}, 1, 0.5, "MaxUnits 0.04"},
		{q.MaxUnits(1.25), trestle.Assumption{Items: 1}, 1, 0.5, "MaxUnits 1.25"},
		{q.Limit(math.MaxInt), trestle.Assumption{Items: 1}, 1, 0.5, "Limit 9223372036854775807"},
		{query.Scan(repo).MaxRequests(1), trestle.Assumption{Items: 5000}, 1024, 128, "MaxRequests 1"},
	} {
		e, err := c.q.Explain(c.assume)
		require.NoError(t, err)
		require.Equal(t, c.items, e.Assumed.Items, "%s", e)
		require.InDelta(t, c.units, e.Units.Read, 0, "%s", e)
		require.Equal(t, c.bounds, e.Bounds)
	}
}

// Estimates do not overflow for extreme assumptions.
func TestExplainedUnitsDoNotOverflow(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	repo, one := employees.In(table), employee{CompanyID: "c", ID: "e"}
	least := trestle.Assumption{Items: 1 << 24, ItemSize: 1 << 24}
	for _, huge := range []trestle.Assumption{
		{Items: 1 << 30, ItemSize: 1 << 30}, {Items: math.MaxInt, ItemSize: math.MaxInt, EntrySize: math.MaxInt}, {Items: math.MaxInt - 1, ItemSize: math.MaxInt - 4095},
	} {
		for name, explain := range map[string]func(trestle.Assumption) (trestle.Explanation, error){
			"get":    func(a trestle.Assumption) (trestle.Explanation, error) { return repo.Op().Get(one).Explain(a) },
			"delete": func(a trestle.Assumption) (trestle.Explanation, error) { return repo.Op().Delete(one).Explain(a) },
			"query": func(a trestle.Assumption) (trestle.Explanation, error) {
				return query.Of(repo, employee{CompanyID: "c"}).Explain(a)
			},
			"paged": func(a trestle.Assumption) (trestle.Explanation, error) {
				return query.Of(repo, employee{CompanyID: "c"}).PageSize(math.MaxInt).MaxRequests(math.MaxInt).Limit(math.MaxInt).Explain(a)
			},
			"scan": func(a trestle.Assumption) (trestle.Explanation, error) {
				return query.Scan(repo).Segments(1000).Explain(a)
			},
		} {
			little, err := explain(least)
			require.NoError(t, err, name)
			much, err := explain(huge)
			require.NoError(t, err, name)
			require.Greater(t, much.Units.Read+much.Units.Write, little.Units.Read+little.Units.Write, "%s: %s", name, much)
		}
	}
}
