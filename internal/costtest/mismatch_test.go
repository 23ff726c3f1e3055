package costtest_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// Check reports every difference from the expected calls, with the given number of errors.
func TestCheckFailsForOtherRequests(t *testing.T) {
	t.Parallel()
	one, second := note{Book: "b"}, note{Book: "b", ID: 1}
	for what, c := range map[string]struct {
		run     func(context.Context, store) error
		expects func(store) []costtest.Call
		errors  int
	}{
		"another filter":      {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(allOf(s).Filter(text.Eq("none"))) }), 2},
		"another order":       {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(allOf(s).Desc()) }), 2},
		"another operand":     {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(query.Of(s.notes, note{Book: "c"})) }), 2},
		"another index":       {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(query.On(s.notes, "by-label", note{Label: "l"})) }), 2},
		"another consistency": {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(query.Of(s.notes.Strong(), one)) }), 2},
		"another page size": {collect(func(s store) query.Query[note] { return allOf(s).PageSize(1) }),
			calls(func(s store) costtest.Call { return costtest.Query(allOf(s)) }), 1},
		"a request missing": {collect(allOf), calls(func(s store) costtest.Call { return costtest.Query(allOf(s)).Requests(2) }), 1},
		"a call more": {collect(allOf), func(s store) []costtest.Call {
			return []costtest.Call{costtest.Query(allOf(s)), costtest.Query(allOf(s))}
		}, 1},
		"a call less": {collect(allOf), func(store) []costtest.Call { return nil }, 1},
		"a loop in place of a query": {
			func(ctx context.Context, s store) error {
				_, err := s.notes.Get(ctx, one)
				return errors.Join(err, errOf(s.notes.Get(ctx, second)))
			},
			calls(func(s store) costtest.Call { return costtest.Query(allOf(s)) }), 2,
		},
		"another item": {get(one), calls(func(s store) costtest.Call { return costtest.Get(s.notes, second) }), 2},
		"another item of a batch": {
			func(ctx context.Context, s store) error { return errOf(s.notes.GetMany(ctx, []note{one, second})) },
			calls(func(s store) costtest.Call { return costtest.GetMany(s.notes, []note{one, {Book: "b", ID: 2}}) }), 2,
		},
		"an item more in a batch": {
			func(ctx context.Context, s store) error { return errOf(s.notes.GetMany(ctx, []note{one, second})) },
			calls(func(s store) costtest.Call { return costtest.GetMany(s.notes, []note{one, second, {Book: "b", ID: 2}}) }), 1,
		},
		"a scan": {
			func(ctx context.Context, s store) error { return draining(query.Scan(s.notes))(ctx) },
			calls(func(s store) costtest.Call { return costtest.Query(allOf(s)) }), 2,
		},
		"another item written": {
			func(ctx context.Context, s store) error { return s.notes.Put(ctx, &note{Book: "c"}) },
			calls(func(s store) costtest.Call { return costtest.Put(s.notes, &note{Book: "d"}) }), 2,
		},
		"a larger item written": {
			func(ctx context.Context, s store) error {
				return s.notes.Put(ctx, &note{Book: "c", Text: strings.Repeat("x", 2000)})
			},
			calls(func(s store) costtest.Call { return costtest.Put(s.notes, &note{Book: "c"}) }), 1,
		},
		"an index more written": {
			func(ctx context.Context, s store) error {
				return errOf(s.notes.Update(ctx, second, label.Set("o"), rank.Set("o")))
			},
			calls(func(s store) costtest.Call { return costtest.Update(s.notes, second, label.Set("o")) }), 1,
		},
		"a request of the SDK": {
			func(ctx context.Context, s store) error {
				return errOf(s.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
					{Put: &types.Put{TableName: aws.String("notes"), Item: map[string]types.AttributeValue{
						"PK": &types.AttributeValueMemberS{Value: "x"}, "SK": &types.AttributeValueMemberS{Value: "x"},
					}}},
				}}))
			},
			func(store) []costtest.Call { return nil }, 1,
		},
		"no call at all":       {collect(allOf), func(store) []costtest.Call { return []costtest.Call{{}} }, 2},
		"a call without a key": {get(one), calls(func(s store) costtest.Call { return costtest.Get(s.notes, note{}) }), 2},
		"no entity":            {get(one), calls(func(s store) costtest.Call { return costtest.Put(s.notes, nil) }), 2},
		"a batch of a query":   {get(one), calls(func(s store) costtest.Call { return costtest.Batch(costtest.Query(allOf(s))) }), 2},
		"no repository":        {get(one), calls(func(store) costtest.Call { return costtest.Get[note](nil, one) }), 2},
		"an empty repository":  {get(one), calls(func(store) costtest.Call { return costtest.Get(&entity.Repo[note]{}, one) }), 2},
		"an unsound query":     {get(one), calls(func(s store) costtest.Call { return costtest.Query(allOf(s).Limit(-1)) }), 2},
		"an unsound scan":      {get(one), calls(func(s store) costtest.Call { return costtest.Scan(query.Scan(s.notes).Segments(-1)) }), 2},
	} {
		s := newStore(t, ddbtest.Client(t))
		s.fill(t, 8, 10)
		require.NoError(t, c.run(t.Context(), s), what)
		got := s.check(c.expects(s)...)
		require.Len(t, got, c.errors, "%s: %v", what, got)
		require.Empty(t, s.check(), "%s: what was said is over", what)
	}
}

func allOf(s store) query.Query[note] { return query.Of(s.notes, note{Book: "b"}) }

func collect(q func(store) query.Query[note]) func(context.Context, store) error {
	return func(ctx context.Context, s store) error { return errOf(q(s).Collect(ctx)) }
}

func get(n note) func(context.Context, store) error {
	return func(ctx context.Context, s store) error { return errOf(s.notes.Get(ctx, n)) }
}

func calls(c func(store) costtest.Call) func(store) []costtest.Call {
	return func(s store) []costtest.Call { return []costtest.Call{c(s)} }
}

// worse has explanations with less information.
var worse = map[string]func(trestle.Explanation) trestle.Explanation{
	"the size of items is forgotten": func(x trestle.Explanation) trestle.Explanation {
		x.Units.Read = float64(x.Assumed.Items) * perItem(x, 1)
		if x.Units.Write > 0 {
			x.Units = trestle.Capacity{Write: float64(1 + len(x.Indexes))}
		}
		return x
	},
	"each item is rounded up by itself": func(x trestle.Explanation) trestle.Explanation {
		x.Units.Read = float64(x.Assumed.Items) * perItem(x, math.Ceil(float64(x.Assumed.ItemSize)/4096))
		return x
	},
	"indexes are forgotten": indexesForgotten,
}

func indexesForgotten(x trestle.Explanation) trestle.Explanation {
	if x.Units.Write > 0 {
		x.Units.Write = math.Ceil(float64(x.Assumed.ItemSize) / 1024)
	}
	return x
}

func perItem(x trestle.Explanation, steps float64) float64 {
	if x.Strong {
		return steps
	}
	return steps / 2
}

// Check rejects explanations with less information, if the items are large enough.
func TestCheckFailsForWrongExplanations(t *testing.T) {
	t.Parallel()
	for what, change := range worse {
		s := newStore(t, ddbtest.Client(t))
		s.fill(t, 8, 10)
		require.NoError(t, s.Enlarge(t.Context(), "notes", 9000))
		failed := 0
		for _, c := range append(s.reads(), s.writes(strings.Repeat("x", 9000))...) {
			require.NoError(t, c.run(t.Context()), c.name)
			for i := range c.expects {
				c.expects[i] = c.expects[i].Explained(change)
			}
			if len(s.check(c.expects...)) > 0 {
				failed++
			}
		}
		t.Logf("%s: seen in %d calls", what, failed)
		require.Greater(t, failed, 5, what)
	}
}

// A failed request counts as sent, and its cost is not compared.
func TestCheckIgnoresCostOfFailedRequests(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newStore(t, e.Client(t))
		s.fill(t, 2, 10)
		taken := note{Book: "b", ID: 1}
		require.ErrorIs(t, s.notes.Create(t.Context(), &taken), trestle.ErrExists)
		require.Empty(t, s.check(costtest.Create(s.notes, &taken)))
		require.ErrorIs(t, s.notes.Create(t.Context(), &taken), trestle.ErrExists)
		require.Len(t, s.check(), 1)
		_, err := s.notes.Update(t.Context(), note{Book: "none"}, text.Set("x"))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.Empty(t, s.check(costtest.Update(s.notes, note{Book: "none"}, text.Set("x"))))
	})
}

// The meter is safe for concurrent use, and requests match in any order. The library requests the
// unprocessed keys of a batch again.
func TestCheckAcceptsAnyOrder(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	s := newStore(t, db.Client())
	s.fill(t, 20, 5000)
	var all []note
	var gets []costtest.Call
	var group sync.WaitGroup
	for i := range 20 {
		n := note{Book: "b", ID: i}
		all = append(all, n)
		gets = append(gets, costtest.Get(s.notes, n))
		group.Go(func() { _, _ = s.notes.Get(t.Context(), n) })
	}
	group.Wait()
	slices.Reverse(gets)
	require.Empty(t, s.check(gets...))

	db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.First(2), ddbtest.Unprocessed(5)).MustHit(t)
	require.NoError(t, errOf(s.notes.GetMany(t.Context(), all)))
	require.Empty(t, s.check(costtest.GetMany(s.notes, all)))
}

// With an unusable client, requests fail and nothing panics.
func TestMeterWithUnusableClient(t *testing.T) {
	t.Parallel()
	for _, client := range []*dynamodb.Client{nil, ddbtest.Client(t)} { // the second has no table
		m := costtest.NewMeter(client)
		table, err := schema.Open(m, "notes")
		require.NoError(t, err)
		require.Error(t, notes.In(table).Put(t.Context(), &note{Book: "b"}))
		require.Error(t, errOf(notes.In(table).Get(t.Context(), note{Book: "b"})))
		require.Error(t, m.Enlarge(t.Context(), "notes", 10))
	}
}
