package main

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// Schema has no entities. The counters are stored in the same table as the entities of a service.
var Schema = entity.NewSchema(entity.Config{})

const (
	family = "votes"
	rate   = 2000 // votes per second for one candidate
	tries  = 3
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct{ votes *shard.Counters }

func NewStore(t *entity.Table) Store {
	return Store{shard.NewCounters(t, family, shard.Config{
		Mode:   shard.ExactForever,
		Shards: shard.For(2*rate, 100), // a vote takes 2 write units of its shard
		Listed: true,                   // for Standings
	})}
}

// Vote counts the vote of a voter for a candidate. A voter has one vote for each candidate: the
// voter is the key of the increment, so it does not matter how often the vote is sent.
func (s Store) Vote(ctx context.Context, voter, candidate string) (err error) {
	for range tries {
		if err = s.votes.Add(ctx, candidate, 1, shard.Once(voter)); !errors.Is(err, trestle.ErrUnknown) {
			return err
		}
	}
	return err
}

// Total returns the current number of votes.
func (s Store) Total(ctx context.Context, candidate string) (int64, error) {
	return s.votes.Total(ctx, candidate)
}

// Publish stores the totals of all candidates. A job calls it at intervals.
func (s Store) Publish(ctx context.Context) error { return s.votes.RollUpAll(ctx) }

// Published returns the total of the last Publish. It reads one item, however many shards there
// are.
func (s Store) Published(ctx context.Context, candidate string) (shard.RolledUp, error) {
	return s.votes.Cached(ctx, candidate)
}

// Spread changes the number of shards of a candidate, while votes arrive.
func (s Store) Spread(ctx context.Context, candidate string, shards int) error {
	return s.votes.Resize(ctx, candidate, shards)
}

// Shards returns the number of shards of a candidate.
func (s Store) Shards(ctx context.Context, candidate string) (int, error) {
	info, err := s.votes.Shards(ctx, candidate)
	return info.Shards, err
}

// ShardValues returns the votes in each shard of a candidate, for the view.
func (s Store) ShardValues(ctx context.Context, candidate string) ([]int64, error) {
	return s.votes.ShardValues(ctx, candidate)
}

// Standings returns the candidates with the most votes, the first one first.
func (s Store) Standings(ctx context.Context, n int) ([]shard.Standing, error) {
	return s.votes.Top(ctx, n)
}

// PublishedStandings are the Standings of the last Publish.
func (s Store) PublishedStandings(ctx context.Context, n int) ([]shard.Standing, error) {
	return s.votes.TopCached(ctx, n)
}
