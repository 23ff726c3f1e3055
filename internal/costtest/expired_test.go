package costtest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// draft expires.
type draft struct {
	_       entity.Key `type:"draft" pk:"B#<book>" sk:"D#<id:04>" lifetime:"24h"`
	Book    string     `dynamodbav:"book"`
	ID      int        `dynamodbav:"id"`
	Text    string     `dynamodbav:"text"`
	Version int64      `dynamodbav:"version" entity:"version"`
	Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
}

// draftID is a part of a draft.
type draftID struct {
	ID int `dynamodbav:"id"`
}

var draftText = attr.Must(func(d *draft) *string { return &d.Text })

// bill adds what operations cost.
type bill struct {
	trestle.Capacity
	requests int
}

func (b *bill) Start(ctx context.Context, _ trestle.OperationInfo) context.Context { return ctx }

func (b *bill) End(_ context.Context, e trestle.Event) {
	b.Add(e.Capacity)
	b.requests += e.Requests
}

// drafts is a table of ten drafts with 1,000 bytes each, of which the first eight have expired.
type drafts struct {
	*costtest.Meter
	*entity.Repo[draft]
	bill *bill
	now  time.Time
	ids  entity.Projection[draft, draftID]
}

func newDrafts(t *testing.T, client *dynamodb.Client) drafts {
	t.Helper()
	now := time.Now().Add(time.Hour) // the engine deletes nothing
	d := drafts{Meter: costtest.NewMeter(client), bill: &bill{}, now: now}
	s := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }, Observer: d.bill})
	typ := entity.Define[draft](s)
	d.ids = entity.Project[draftID](typ)
	table, err := s.Open(d.Meter, "drafts")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	d.Repo = typ.In(table)
	for i := range 10 {
		end := now
		if i >= 8 {
			end = now.Add(time.Hour)
		}
		require.NoError(t, d.Put(t.Context(), &draft{Book: "b", ID: i, Text: strings.Repeat("x", 900), Expires: end}))
	}
	d.Reset()
	*d.bill = bill{}
	return d
}

// A read costs the same whether it drops the expired items or shows them.
func TestExpiredItemsAreCharged(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		d := newDrafts(t, e.Client(t))
		assumed := trestle.Assumption{Items: 10, ItemSize: 1000}
		units := map[bool][]float64{}
		for _, shown := range []bool{false, true} {
			repo := d.Reader()
			if shown {
				repo = d.With(entity.ShowExpired()).Reader()
			}
			q := query.Of(repo, draft{Book: "b"})
			x, err := q.Explain(assumed)
			require.NoError(t, err)
			require.Equal(t, shown, x.Expired == "")
			all, err := q.Collect(t.Context())
			require.NoError(t, err)
			require.Len(t, all, map[bool]int{true: 10, false: 2}[shown])
			d.Check(t, costtest.Query(q))
			d.Reset()
			n, err := q.Count(t.Context())
			require.NoError(t, err)
			require.Equal(t, len(all), n)
			units[shown] = []float64{x.Units.Read, d.bill.Read}
			d.Reset()
			*d.bill = bill{}
		}
		require.Equal(t, units[true], units[false])
		require.InDelta(t, 2*units[false][0], units[false][1], 0, "the query and the count cost what Explain reports")
	})
}

// Create replaces an expired item in one request. A write that begins anew sends two more, of which
// DynamoDB reports the cost of one: the deletion.
func TestCostOfWritesOfExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		d := newDrafts(t, e.Client(t))
		for _, c := range []struct {
			name     string
			write    func(ctx context.Context, d *draft) error
			explain  func(*draft) (trestle.Explanation, error)
			expects  func(*draft) []costtest.Call
			requests int
			units    float64
		}{
			{
				"create", d.Create,
				func(e *draft) (trestle.Explanation, error) { return d.Op().Create(e).Explain() },
				func(e *draft) []costtest.Call { return []costtest.Call{costtest.Create(d.Repo, e)} }, 1, 1,
			},
			{
				"put of version 0", func(ctx context.Context, e *draft) error { return d.Put(ctx, e) },
				func(e *draft) (trestle.Explanation, error) { return d.Op().Put(e).Explain() },
				func(e *draft) []costtest.Call {
					return []costtest.Call{costtest.Put(d.Repo, e), costtest.Put(d.Repo, e), costtest.Delete(d.Repo, draft{Book: e.Book, ID: e.ID})}
				}, 3, 2,
			},
			{
				"upsert", func(ctx context.Context, e *draft) error {
					_, err := d.Upsert(ctx, draft{Book: e.Book, ID: e.ID}, draftText.Set("new"))
					return err
				},
				func(e *draft) (trestle.Explanation, error) { return d.Op().Upsert(*e, draftText.Set("new")).Explain() },
				func(e *draft) []costtest.Call {
					u := costtest.Upsert(d.Repo, draft{Book: e.Book, ID: e.ID}, draftText.Set("new"))
					return []costtest.Call{u, u, costtest.Delete(d.Repo, draft{Book: e.Book, ID: e.ID})}
				}, 3, 2,
			},
		} {
			for id, expired := range []bool{true, true, false} {
				id := map[bool]int{true: id, false: 20}[expired] // there is no item 20
				v := func() *draft { return &draft{Book: "b", ID: id, Text: "new"} }
				x, err := c.explain(v())
				require.NoError(t, err)
				require.Equal(t, c.requests > 1, x.Expired != "", c.name)
				d.Reset()
				*d.bill = bill{}
				require.NoError(t, c.write(t.Context(), v()), c.name)
				requests, units := c.requests, c.units
				if !expired {
					requests, units = 1, 1
				}
				require.Equal(t, requests, d.bill.requests, c.name)
				require.InDelta(t, units, d.bill.Write, 0, c.name)
				require.InDelta(t, 1, x.Units.Write, 0, c.name)
				expects := c.expects(v())
				if !expired {
					expects = expects[:1]
				}
				d.Check(t, expects...)
			}
			require.NoError(t, d.Delete(t.Context(), draft{Book: "b", ID: 20}))
			for id := range 2 { // expired again
				require.NoError(t, d.Overwrite(t.Context(), &draft{Book: "b", ID: id, Text: "old", Expires: d.now}))
			}
		}
	})
}

// The explanation of each read has the line on expired items, unless they are shown.
func TestExplainExpired(t *testing.T) {
	t.Parallel()
	d := newDrafts(t, ddbtest.Start(t).Client())
	one := draft{Book: "b", ID: 1}
	for _, shown := range []bool{false, true} {
		repo := d.Repo
		if shown {
			repo = d.With(entity.ShowExpired())
		}
		for name, explain := range map[string]func() (trestle.Explanation, error){
			"query":         func() (trestle.Explanation, error) { return query.Of(repo, draft{Book: "b"}).Explain() },
			"scan":          func() (trestle.Explanation, error) { return query.Scan(repo).Explain() },
			"get":           func() (trestle.Explanation, error) { return repo.Op().Get(one).Explain() },
			"get many":      func() (trestle.Explanation, error) { return repo.Reader().ExplainMany([]draft{one}) },
			"projected":     func() (trestle.Explanation, error) { return d.ids.Explain(repo.Reader(), one) },
			"of many types": func() (trestle.Explanation, error) { return query.ExplainMany([]query.ItemRef{query.Ref(repo, one)}) },
			"transaction": func() (trestle.Explanation, error) {
				var found *draft
				x, err := tx.NewRead(tx.Get(repo, one, &found)).Explain()
				return x.Operations[0], err
			},
		} {
			x, err := explain()
			require.NoError(t, err, name)
			require.Equal(t, shown, x.Expired == "", name)
			require.Equal(t, !shown, strings.Contains(x.String(), "\n  expired "), name)
		}
	}
}
