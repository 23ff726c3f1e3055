package fetch_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testrand"
)

// reading is an item of a partition that is written in shards.
type reading struct {
	_    entity.Key `type:"reading" pk:"SENSOR#<part:raw>" sk:"<at>"`
	Part int        `dynamodbav:"part"`
	At   int        `dynamodbav:"at"`
}

// readings is a sink of readings.
type readings struct {
	list []int
	next reading
}

func (s *readings) Target(*core.Plan) (codec.Ptr, bool) {
	s.next = reading{}
	return codec.PtrTo(&s.next), true
}

func (s *readings) Commit(*core.Plan) error {
	s.list = append(s.list, s.next.At)
	return nil
}

func (s *readings) Unmatched(*core.Plan, core.Row) (bool, error) { return false, nil }

// TestPartitionsAreMergedBySortKey reads two partitions as one, in pages that continue from the
// positions of both.
func TestPartitionsAreMergedBySortKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		schema := entity.NewSchema(entity.Config{Sort: entity.N("SK")})
		all := entity.Define[reading](schema)
		table, err := schema.Open(e.Client(t), "readings")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := all.In(table)
		var want []int
		for i := range 40 {
			at := i*10 - 150 + r.IntN(10) // numbers, and not in the order of their texts
			want = append(want, at)
			require.NoError(t, repo.Put(t.Context(), &reading{Part: r.IntN(2), At: at}))
		}

		for _, desc := range []bool{false, true} {
			for _, limit := range []int{0, 1, 7} {
				slices.Sort(want)
				if desc {
					slices.Reverse(want)
				}
				for _, order := range []fetch.Order{fetch.Merged, fetch.InTurn} {
					t.Run(fmt.Sprint(desc, limit, order), func(t *testing.T) {
						got := readAll(t, hooks.SourceOf(repo), desc, limit, order)
						if order == fetch.Merged {
							require.Equal(t, want, got)
							return
						}
						require.ElementsMatch(t, want, got)
						require.NotEqual(t, want, got, "control: one partition after the other")
					})
				}
			}
		}
	})
}

// readAll reads two partitions, with a new run after each limit.
func readAll(t *testing.T, s hooks.Source, desc bool, limit int, order fetch.Order) []int {
	t.Helper()
	plan := planOf(t, s, 0, desc)
	plan.Add(planOf(t, s, 1, desc))
	var sink readings
	var from []cursor.Position
	for {
		run := fetch.New(s.Config, plan, &sink, fetch.Bounds{Items: limit, PageSize: 3}, order, from)
		ctx := run.Start(t.Context())
		for run.Next(ctx) {
		}
		run.Close(ctx)
		require.NoError(t, run.Err())
		if limit > 0 {
			require.LessOrEqual(t, run.Event().Items, limit)
		}
		if from = run.Positions(); run.Ended() {
			return sink.list
		}
	}
}

func planOf(t *testing.T, s hooks.Source, shard int, desc bool) *read.Plan {
	t.Helper()
	q := read.Query{Schema: s.Plan.Schema, Plan: s.Plan, Example: codec.PtrTo(&reading{Part: shard}), Desc: desc}
	p := new(read.Plan)
	require.NoError(t, q.Compile(p))
	return p
}
