package main

import "context"

// count is what the shards of a candidate hold.
type count struct {
	candidate string
	shards    []int64
}

func (c count) total() (sum int64) {
	for _, n := range c.shards {
		sum += n
	}
	return sum
}

// counts reads the shards of all candidates. Nothing drains them, so they hold all votes.
func counts(ctx context.Context, s Store) ([]count, error) {
	found := make([]count, len(candidates))
	for i, c := range candidates {
		values, err := s.ShardValues(ctx, c)
		if err != nil {
			return nil, err
		}
		found[i] = count{c, values}
	}
	return found, nil
}
