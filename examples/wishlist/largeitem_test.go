package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// pair is one fact about a user. It is an item of its own, or a part of a larger item.
type pair struct {
	_      entity.Key `type:"pair" pk:"USER#<user_id>" sk:"PAIR#<id>"`
	UserID string     `dynamodbav:"user_id"`
	ID     string     `dynamodbav:"id"`
	Body   string     `dynamodbav:"body"`
	Seen   int        `dynamodbav:"seen"`
}

// sized returns a pair whose item has size bytes, names and values.
func sized(t *testing.T, of *entity.Type[pair], id string, size int) *pair {
	t.Helper()
	names := len("PK") + len("SK") + len("_type") + len("user_id") + len("id") + len("body") + len("seen")
	// A number of one digit takes two bytes.
	frame := names + len("USER#"+user) + len("PAIR#"+id) + len("pair") + len(user) + len(id) + 2
	p := &pair{UserID: user, ID: id, Body: strings.Repeat("x", size-frame)}
	_, err := of.Encode(p)
	require.NoError(t, err)
	return p
}

// The estimates of Explain equal what the service charges. Every request for a large item costs its
// whole size. As separate items, each part costs one unit to store and one unit to update.
func TestLargeItemCostsItsWholeSize(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		schema := entity.NewSchema(entity.Config{})
		pairs := entity.Define[pair](schema)
		seen := attr.Must(func(p *pair) *int { return &p.Seen })
		table, err := schema.Open(e.Client(t), "pairs", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		repo := pairs.In(table)
		put := func(p *pair) float64 {
			r, err := repo.Op().Put(p).Return(trestle.AllOld).Do(ctx)
			require.NoError(t, err)
			x, err := repo.Op().Put(p).Explain()
			require.NoError(t, err)
			require.InDelta(t, r.Capacity.Write, x.Units.Write, 0)
			return r.Capacity.Write
		}
		change := func(p *pair, size int) float64 {
			r, err := repo.Op().Update(pair{UserID: p.UserID, ID: p.ID}, seen.Set(1)).Return(trestle.AllNew).Do(ctx)
			require.NoError(t, err)
			x, err := repo.Op().Update(pair{UserID: p.UserID, ID: p.ID}, seen.Set(1)).Explain(trestle.Assumption{ItemSize: size})
			require.NoError(t, err)
			require.InDelta(t, r.Capacity.Write, x.Units.Write, 0)
			return r.Capacity.Write
		}

		large := sized(t, pairs, "large", 150<<10)
		require.InDelta(t, 150, put(large), 0)
		require.InDelta(t, 150, change(large, 150<<10), 0)
		read, err := query.Of(repo, pair{UserID: user}).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, trestle.Capacity{Read: 19}, read.Capacity)
		read, err = query.Of(repo.Strong(), pair{UserID: user}).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, trestle.Capacity{Read: 38}, read.Capacity)
		require.InDelta(t, 1, put(sized(t, pairs, "small", 125)), 0)

		split := 0.0
		for i := range 100 {
			split += put(sized(t, pairs, strconv.Itoa(i), 512))
		}
		whole := sized(t, pairs, "whole", 50<<10)
		one := put(whole)
		require.InDelta(t, 100, split, 0)
		require.InDelta(t, 50, one, 0)
		split += change(&pair{UserID: user, ID: "7"}, 512)
		one += change(whole, 50<<10)
		require.InDelta(t, 101, split, 0)
		require.InDelta(t, 100, one, 0)
	})
}

// DynamoDB rounds the size of a read up to a multiple of 4 KB. An eventually consistent read of 150
// KB costs 19 units (half of 38), and a strongly consistent read costs 38.
func TestReadUnitsAreRoundedUp(t *testing.T) {
	t.Parallel()
	table, err := Schema.Open(ddbtest.Client(t), "wishlist")
	require.NoError(t, err)
	s := NewStore(table)
	large := trestle.Assumption{Items: 1, ItemSize: 150 << 10}
	x, err := s.ExplainRead(user, large)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Read: 19}, x.Units)
	x, err = s.ExplainStrongRead(user, large)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Read: 38}, x.Units)
	x, err = query.Of(s.informations.Strong(), Information{UserID: user}).Explain(large)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Read: 38}, x.Units)
	x, err = s.ExplainChange(user, large)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Write: 150}, x.Units)
}
