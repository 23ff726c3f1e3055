package shard_test

import (
	"context"
	"fmt"
	"log"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// Each voter's vote counts once, however often the request is repeated.
func Example_votes() {
	ctx := context.Background()
	table, err := entity.NewSchema(entity.Config{}).Open(ddbtest.New(ddbtest.Options{}).Client(), "elections")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	votes := shard.NewCounters(table, "votes", shard.Config{Shards: shard.For(2*20_000, 100)})

	for _, voter := range []string{"ann", "bob", "ann"} {
		if err := votes.Add(ctx, "candidate-a", 1, shard.Once(voter)); err != nil {
			log.Fatal(err)
		}
	}
	total, err := votes.Total(ctx, "candidate-a")
	fmt.Println(total, err)
	// Output: 2 <nil>
}
