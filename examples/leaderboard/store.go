package main

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct{ scores *entity.Repo[Score] }

func NewStore(scores *entity.Type[Score], t *entity.Table) Store { return Store{scores.In(t)} }

// Submit stores the score of a player, unless the player has one that is at least as high. A higher
// score moves the entry of the board in the same write.
func (s Store) Submit(ctx context.Context, game, player string, points int) error {
	err := s.scores.Create(ctx, &Score{Player: player, Game: game, Points: points})
	if errors.Is(err, trestle.ErrExists) {
		err = s.raise(ctx, game, player, points)
	}
	return err
}

func (s Store) raise(ctx context.Context, game, player string, points int) error {
	_, err := s.scores.Update(ctx, Score{Player: player, Game: game}, Points.Set(points), attr.If(Points.Lt(points)))
	if errors.Is(err, trestle.ErrCondition) {
		return nil // the player was better
	}
	return err
}

// SetMotto changes an attribute that is not in the key of the board.
func (s Store) SetMotto(ctx context.Context, game, player, motto string) error {
	_, err := s.scores.Update(ctx, Score{Player: player, Game: game}, Motto.Set(motto))
	return err
}

// Score returns the score of a player.
func (s Store) Score(ctx context.Context, game, player string) (Score, error) {
	return s.scores.Get(ctx, Score{Player: player, Game: game})
}

// Board returns the scores of a game, the best ones first. Its shards are merged. A caller reads
// the top ten with Limit, or pages.
func (s Store) Board(game string) query.Query[Score] {
	return query.On(s.scores, "board", Score{Game: game})
}

// AtLeast returns the scores of a game from the best one down to these points.
func (s Store) AtLeast(game string, points int) query.Query[Score] {
	return s.Board(game).Where(Points.Ge(points))
}
