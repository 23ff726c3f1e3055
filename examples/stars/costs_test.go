package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "stars")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		demo := tour{Tour: program.Tour{Out: io.Discard}, store: s}
		require.NoError(t, program.RunSteps(t.Context(), demo.add, demo.star))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	byStars := query.On(s.repositories, "by-stars", editor).Desc()
	return []costs.Pattern{
		costs.Of("repository", func(ctx context.Context) error { return costs.Err(s.Repository(ctx, "ann", "editor")) },
			costtest.Get(s.repositories.Strong(), editor)),
		costs.Of("top", func(ctx context.Context) error { return costs.ReadAll(s.Top(ctx, "Go", 2)) }, costtest.Query(byStars.Limit(2))),
		costs.Of("popular", func(ctx context.Context) error { return costs.ReadAll(s.Popular(ctx, "Go", 1)) },
			costtest.Query(byStars.Where(StarCount.Ge(1)))),
		costs.Of("fans", func(ctx context.Context) error { return costs.ReadAll(s.Fans(ctx, "ann", "editor")) },
			costtest.Query(query.On(s.stars, "by-repository", Star{Owner: "ann", Name: "editor"}))),
		costs.Of("stars of a user", func(ctx context.Context) error { return costs.ReadAll(s.StarsOf(ctx, "bob")) },
			costtest.Query(query.Of(s.stars, Star{User: "bob"}))),
	}
}

func writeCosts(s Store, text string) []costs.Pattern {
	tool := &Repository{Owner: "dan", Name: "tool", Language: "Go", About: text}
	star, moved := starOf("dan", editor), starOf("dan", parser)
	return []costs.Pattern{
		costs.Of("add", func(ctx context.Context) error { return s.Add(ctx, tool) }, costtest.Create(s.repositories, tool)),
		costs.Of("describe", func(ctx context.Context) error { return s.Describe(ctx, editor, text) },
			costtest.Update(s.repositories, editor, About.Set(text))),
		costs.Transaction("star", func(ctx context.Context) error { return s.Star(ctx, "dan", editor) }, costtest.Create(s.stars, &star)),
		costs.Transaction("move", func(ctx context.Context) error { return s.MoveStar(ctx, "dan", editor, parser) },
			costtest.Move(s.stars, star, &moved)),
		costs.Transaction("take back", func(ctx context.Context) error { return s.Unstar(ctx, "dan", parser) }, costtest.Delete(s.stars, moved)),
	}
}
