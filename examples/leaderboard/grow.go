package main

import (
	"context"
	"fmt"

	"github.com/trestledb/trestle/entity"
)

// grow replaces the program, in two steps, by one that writes to 16 shards.
func (t tour) grow(ctx context.Context) error {
	t.Printf("\n5. The board grows from 4 to 16 shards")
	prepared, err := t.open(Prepared, PreparedScores)
	if err != nil {
		return err
	}
	grown, err := t.open(Grown, GrownScores)
	if err != nil {
		return err
	}
	t.Printf("  All programs are replaced by one with shards:\"16,4\", which reads 16 shards and writes to 4.")
	t.Printf("  Then they are replaced by one with shards:\"4,16\", which also writes to 16. 40 more players play:")
	if err := grown.play(ctx, 40, 80); err != nil {
		return err
	}
	if err := t.entries(ctx); err != nil {
		return err
	}
	if err := grown.explain(grown.store.Board(game).Limit(10).Explain()); err != nil {
		return err
	}
	for _, program := range []struct {
		name string
		tour tour
	}{{`"4,16"`, grown}, {`"16,4"`, prepared}, {`"4"   `, t}} {
		n, err := program.tour.store.Board(game).Count(ctx)
		if err != nil {
			return err
		}
		t.Printf("  a program with shards:%s finds %d of 80 scores", program.name, n)
	}
	return grown.moved(ctx)
}

// moved raises all scores of the first players, which moves their entries to the 16 shards.
func (t tour) moved(ctx context.Context) error {
	t.Printf("  The new program, the top ten of all players:")
	if err := t.top(ctx); err != nil {
		return err
	}
	t.Printf("\n6. The first 40 players improve their scores, so their entries move to the shards of today")
	for i := range 40 {
		s, err := t.store.Score(ctx, game, player(i))
		if err != nil {
			return err
		}
		if err := t.store.Submit(ctx, game, player(i), s.Points+5); err != nil {
			return err
		}
	}
	if err := t.entries(ctx); err != nil {
		return err
	}
	n, err := t.store.Board(game).Count(ctx)
	if err != nil {
		return err
	}
	if n != 80 {
		return fmt.Errorf("the board has %d of 80 scores", n)
	}
	t.Printf("  The board has %d scores. When no old entry is left, shards:\"16\" is enough.", n)
	return nil
}

// open returns the tour of another version of the program.
func (t tour) open(s *entity.Schema, scores *entity.Type[Score]) (tour, error) {
	table, err := s.Open(t.client, tableName, entity.PlainCursors())
	if err != nil {
		return tour{}, err
	}
	t.store = NewStore(scores, table)
	return t, nil
}
