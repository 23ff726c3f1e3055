package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
)

// The requests of the store cost what Explain reports: a board is one query of each shard.
func TestCosts(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]struct {
		schema *entity.Schema
		scores *entity.Type[Score]
	}{"4": {Schema, Scores}, "4,16": {Grown, GrownScores}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
				table, err := open.schema.Open(client, tableName, entity.PlainCursors())
				require.NoError(t, err)
				require.NoError(t, table.Create(t.Context()))
				s := NewStore(open.scores, table)
				require.NoError(t, tour{program.Tour{Out: io.Discard}, client, s}.play(t.Context(), 0, 40))
				key, eve := Score{Player: player(3), Game: game}, &Score{Player: "eve", Game: game, Points: 300}
				return table.Name(), []costs.Pattern{
					costs.Of("board", func(ctx context.Context) error { return costs.ReadAll(s.Board(game).All(ctx)) }, costtest.Query(s.Board(game))),
					costs.Of("at least", func(ctx context.Context) error { return costs.ReadAll(s.AtLeast(game, 150).All(ctx)) },
						costtest.Query(s.AtLeast(game, 150))),
					costs.Of("score", func(ctx context.Context) error { return costs.Err(s.Score(ctx, game, player(3))) }, costtest.Get(s.scores, key)),
					costs.Of("new player", func(ctx context.Context) error { return s.Submit(ctx, game, "eve", 300) }, costtest.Create(s.scores, eve)),
					costs.Of("better score", func(ctx context.Context) error { return s.raise(ctx, game, player(3), 400) },
						costtest.Update(s.scores, key, Points.Set(400), attr.If(Points.Lt(400)))),
					costs.Of("motto", func(ctx context.Context) error { return s.SetMotto(ctx, game, player(3), text) },
						costtest.Update(s.scores, key, Motto.Set(text))),
				}
			})
		})
	}
}
