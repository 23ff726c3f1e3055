package shard_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// Ballot is what a voter has voted.
type Ballot struct {
	_     entity.Key `type:"ballot" pk:"BALLOT#<voter>" sk:"BALLOT"`
	Voter string     `dynamodbav:"voter"`
	For   string     `dynamodbav:"for"`
}

var (
	Elections = entity.NewSchema(entity.Config{})
	Ballots   = entity.Define[Ballot](Elections)
)

// newElections returns a table in memory.
func newElections(ctx context.Context) *entity.Table {
	table, err := Elections.Open(ddbtest.New(ddbtest.Options{}).Client(), "elections")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	return table
}

// Each voter's vote counts once, however often the request is repeated.
func Example_votes() {
	ctx := context.Background()
	votes := shard.NewCounters(newElections(ctx), "votes", shard.Config{Shards: shard.For(2*20_000, 100)})

	for _, voter := range []string{"ann", "bob", "ann"} {
		if err := votes.Add(ctx, "candidate-a", 1, shard.Once(voter)); err != nil {
			log.Fatal(err)
		}
	}
	total, err := votes.Total(ctx, "candidate-a")
	fmt.Println(total, err)
	// Output: 2 <nil>
}

// Never more seats are sold than the hall has, however many programs sell them.
func Example_seats() {
	ctx := context.Background()
	seats := shard.NewBounded(newElections(ctx), "seats", shard.BoundedConfig{Shards: 16})
	if err := seats.SetLimit(ctx, "hall 1", 100); err != nil {
		log.Fatal(err)
	}

	for _, order := range []string{"order 1", "order 2", "order 1"} { // the first one is repeated
		if err := seats.Take(ctx, "hall 1", 40, shard.Once(order)); err != nil {
			log.Fatal(err)
		}
	}
	err := seats.Take(ctx, "hall 1", 40, shard.Once("order 3"))
	fmt.Println("sold out:", errors.Is(err, trestle.ErrCondition))

	if err := seats.Return(ctx, "hall 1", "order 2"); err != nil {
		log.Fatal(err)
	}
	left, err := seats.Left(ctx, "hall 1")
	fmt.Println(left.Limit, left.Taken, left.Left, err)
	// Output:
	// sold out: true
	// 100 40 60 <nil>
}

// The ballot and the count are stored together, or neither.
func ExampleCounters_Op() {
	ctx := context.Background()
	table := newElections(ctx)
	ballots := Ballots.In(table)
	votes := shard.NewCounters(table, "votes", shard.Config{Mode: shard.ExactWindow, Shards: 10})

	cast := func(voter, candidate string) error {
		return tx.Write(ctx, ballots.Op().Create(&Ballot{Voter: voter, For: candidate}), votes.Op(candidate, 1))
	}
	fmt.Println(cast("ann", "a"))
	fmt.Println("again:", errors.Is(cast("ann", "b"), trestle.ErrExists))
	totals, err := votes.Totals(ctx, "a", "b")
	fmt.Println(totals, err)
	// Output:
	// <nil>
	// again: true
	// map[a:1 b:0] <nil>
}

// A job stores the totals at intervals, and pages read them at a low cost.
func ExampleCounters_TopCached() {
	ctx := context.Background()
	likes := shard.NewCounters(newElections(ctx), "likes", shard.Config{Mode: shard.Approximate, Shards: 4, Listed: true})
	for name, n := range map[string]int64{"cats": 30, "dogs": 20, "fish": 10} {
		if err := likes.Add(ctx, name, n); err != nil {
			log.Fatal(err)
		}
	}
	if err := likes.RollUpAll(ctx); err != nil {
		log.Fatal(err)
	}
	top, err := likes.TopCached(ctx, 2)
	fmt.Println(top, err)
	// Output: [{cats 30} {dogs 20}] <nil>
}

// A Writer stores any number of increments with one write.
func ExampleWriter() {
	ctx := context.Background()
	views := shard.NewCounters(newElections(ctx), "views", shard.Config{Mode: shard.WriterOwned})
	w := views.Writer()
	for range 10_000 {
		if err := w.Add("front page", 1); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(w.Pending("front page"), w.Durable("front page"))
	err := w.Flush(ctx) // at intervals, and Close at the end
	fmt.Println(w.Pending("front page"), w.Durable("front page"), err)
	total, err := views.Total(ctx, "front page")
	fmt.Println(total, err)
	// Output:
	// 10000 0
	// 0 10000 <nil>
	// 10000 <nil>
}

// A counter of a table that exists keeps its keys and attributes.
func ExampleKeys() {
	ctx := context.Background()
	schema := entity.NewSchema(entity.Config{Partition: entity.S("Segment"), NoSort: true, Raw: true, TypeAttribute: entity.None})
	table, err := schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "voting")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	votes := shard.NewCounters(table, "votes", shard.Config{
		Mode: shard.ExactWindow, Shards: 4,
		Keys: &shard.Keys{
			Shard: "<name>#<shard>", Total: "<name>#Total", First: 1,
			Count: "Vote-Counter", TotalCount: "Total", Updated: "Last-Update",
		},
	})
	if err := votes.Add(ctx, "CandidateA", 1, shard.Once("ann")); err != nil { // such as CandidateA#2
		log.Fatal(err)
	}
	rolled, err := votes.RollUp(ctx, "CandidateA") // CandidateA#Total
	fmt.Println(rolled.Value, err)
	// Output: 1 <nil>
}
