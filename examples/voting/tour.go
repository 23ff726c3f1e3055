package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/shard"
)

const tableName = "voting"

// run creates the table and lets the voters vote. It prints what each step does and counts.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, tableName)
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table), client: client, db: program.Database(client), screen: newScreen(out)}
	return program.RunSteps(ctx, t.vote, t.again, t.publish, t.lose, t.plainAdds, t.compare, t.grow, t.standings)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store  Store
	client trestle.Client
	db     *ddbtest.DB // nil on a server
	screen *screen
}

// wave is how many voters vote in a step.
const wave = 240

func (t tour) vote(ctx context.Context) error {
	t.Printf("1. %d voters vote, %d at the same time", wave, booths)
	t.Printf("  Each candidate has %d shards, for %d votes a second. The voter determines the shard.", shard.For(2*rate, 100), rate)
	return t.during(ctx, true, func(ctx context.Context) error { return t.cast(ctx, 0, wave) })
}

func (t tour) again(ctx context.Context) error {
	t.Printf("\n2. The first 60 voters send their votes again")
	return t.during(ctx, true, func(ctx context.Context) error { return t.cast(ctx, 0, 60) })
}

func (t tour) publish(ctx context.Context) error {
	t.Printf("\n3. The totals are published: a roll-up stores them")
	if err := t.store.Publish(ctx); err != nil {
		return err
	}
	return t.totals(ctx)
}

// lose lets more voters vote while replies are lost.
func (t tour) lose(ctx context.Context) error {
	t.Printf("\n4. %d more voters vote", wave)
	end := t.loseReplies("TransactWriteItems")
	defer end()
	if err := t.during(ctx, true, func(ctx context.Context) error { return t.cast(ctx, wave, 2*wave) }); err != nil {
		return err
	}
	if t.db != nil {
		t.Printf("  %d replies were lost after the vote was counted. These votes were sent again, and count once.", end())
	}
	return nil
}

func (t tour) compare(ctx context.Context) error {
	t.Printf("\n5. The published totals are those of the last roll-up; a fresh total reads all shards")
	return t.totals(ctx)
}

// grow doubles the shards of Ada while votes arrive. A part of the votes arrives after that.
func (t tour) grow(ctx context.Context) error {
	t.Printf("\n6. Ada gets 8 shards while %d more voters vote", wave)
	err := t.during(ctx, t.screen.live, func(ctx context.Context) error {
		grown := make(chan error, 1)
		go func() { grown <- t.store.Spread(ctx, ada, 8) }()
		err := t.cast(ctx, 2*wave, 2*wave+wave/2)
		return errors.Join(err, <-grown, t.cast(ctx, 2*wave+wave/2, 3*wave))
	})
	if err != nil {
		return err
	}
	n, err := t.store.Shards(ctx, ada)
	if err != nil {
		return err
	}
	values, err := t.store.ShardValues(ctx, ada)
	if err != nil {
		return err
	}
	used := 0
	for _, v := range values {
		used += min(1, int(v))
	}
	t.Printf("  Ada has %d shards, and %d of them have votes", n, used)
	return nil
}

func (t tour) standings(ctx context.Context) error {
	t.Printf("\n7. The standings")
	now, err := t.store.Standings(ctx, 3)
	if err != nil {
		return err
	}
	published, err := t.store.PublishedStandings(ctx, 2)
	if err != nil {
		return err
	}
	t.Printf("  now:              %s", places(now))
	t.Printf("  published, top 2: %s", places(published))
	var sum int64
	for _, s := range now {
		sum += s.Value
	}
	if sum != 3*wave {
		return fmt.Errorf("%d voters, but %d votes", 3*wave, sum)
	}
	t.Printf("  %d voters, %d votes", 3*wave, sum)
	return nil
}

func places(list []shard.Standing) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = fmt.Sprintf("%d. %s %d", i+1, s.Name, s.Value)
	}
	return strings.Join(texts, ", ")
}

// totals prints the published and the fresh totals.
func (t tour) totals(ctx context.Context) error {
	for _, c := range candidates {
		published, err := t.store.Published(ctx, c)
		if err != nil {
			return err
		}
		fresh, err := t.store.Total(ctx, c)
		if err != nil {
			return err
		}
		t.Printf("  %s: published %d, fresh %d", c, published.Value, fresh)
	}
	return nil
}

// cast lets the voters with these numbers vote. On a terminal they take their time.
func (t tour) cast(ctx context.Context, from, to int) error {
	pause := time.Duration(0)
	if t.screen.live {
		pause = 40 * time.Millisecond
	}
	return cast(ctx, t.store, ballots(from, to), pause)
}

// during shows the view while votes arrive: again and again on a terminal, else once, at the end.
func (t tour) during(ctx context.Context, shards bool, votes func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- votes(ctx) }()
	var tick <-chan time.Time
	if t.screen.live {
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		tick = ticker.C
	}
	defer t.screen.keep()
	for {
		select {
		case <-tick:
			if err := t.show(ctx, shards); err != nil {
				return errors.Join(err, <-done)
			}
		case err := <-done:
			if err != nil {
				return err
			}
			return t.show(ctx, shards)
		}
	}
}

// show draws the view of the stored counts.
func (t tour) show(ctx context.Context, shards bool) error {
	found, err := counts(ctx, t.store)
	if err != nil {
		return err
	}
	t.screen.draw(render(found, shards))
	return nil
}
