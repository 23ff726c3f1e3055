package main

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
)

// The requests of the store cost what Explain reports: a query of several days is one query of each
// day and shard.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, tableName, entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, tour{program.Tour{Out: io.Discard}, client, s}.fill(t.Context()))
		r := &Reading{Sensor: roof, At: at(6, 0), Note: text}
		some := slices.Collect(samples())[:3]
		return table.Name(), []costs.Pattern{
			costs.Of("readings", func(ctx context.Context) error { return costs.ReadAll(s.Readings(roof, allDays).All(ctx)) },
				costtest.Query(s.Readings(roof, allDays))),
			costs.Of("day", func(ctx context.Context) error { return costs.ReadAll(s.Day(roof, at(2, 0)).All(ctx)) },
				costtest.Query(s.Day(roof, at(2, 0)))),
			costs.Of("report", func(ctx context.Context) error { return costs.ReadAll(s.Report(roof, allDays).All(ctx)) },
				costtest.Query(s.Report(roof, allDays))),
			costs.Of("samples", func(ctx context.Context) error { return costs.ReadAll(s.Samples(pump, allDays).All(ctx)) },
				costtest.Query(s.Samples(pump, allDays))),
			costs.Of("record", func(ctx context.Context) error { return s.Record(ctx, r) }, costtest.Create(s.readings, r)),
			costs.Of("record samples", func(ctx context.Context) error { return s.RecordSamples(ctx, slices.Values(some)) },
				costtest.PutMany(s.samples, some)),
		}
	})
}
