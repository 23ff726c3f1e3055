package fetch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
)

// Few requests read one shard that holds all items: each one reads as many as those before.
func TestOneFullShardNeedsFewRequests(t *testing.T) {
	t.Parallel()
	schema := entity.NewSchema(entity.Config{Sort: entity.N("SK")})
	all := entity.Define[reading](schema)
	table, err := schema.Open(ddbtest.Start(t).Client(), "readings")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for i := range 1000 {
		require.NoError(t, all.In(table).Put(t.Context(), &reading{At: i}))
	}
	source := hooks.SourceOf(all.In(table))
	const shards = 50
	plan := planOf(t, source, 0, false)
	for i := 1; i < shards; i++ {
		plan.Add(planOf(t, source, i, false))
	}
	run := fetch.New(source.Config, plan, &readings{}, fetch.Bounds{Items: 1000}, fetch.Merged, nil)
	ctx := run.Start(t.Context())
	for run.Next(ctx) {
	}
	run.Close(ctx)
	require.NoError(t, run.Err())
	require.Equal(t, 1000, run.Event().Items)
	require.LessOrEqual(t, run.Event().Requests, shards+8, fmt.Sprint(run.Event().Scanned))
}
