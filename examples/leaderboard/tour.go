package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

const (
	tableName = "leaderboard"
	game      = "chess"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, tableName, entity.PlainCursors())
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, client: client, store: NewStore(Scores, table)}
	return program.RunSteps(ctx, t.fill, t.best, t.pages, t.improve, t.grow)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	client trestle.Client
	store  Store
}

// player returns the name of a player.
func player(i int) string { return fmt.Sprintf("p%02d", i) }

// play stores the scores of players.
func (t tour) play(ctx context.Context, from, to int) error {
	for i := from; i < to; i++ {
		if err := t.store.Submit(ctx, game, player(i), 100+i*37%101); err != nil {
			return err
		}
	}
	return nil
}

func (t tour) fill(ctx context.Context) error {
	t.Printf("1. 40 players play; the entries of the board are in 4 shards")
	return errors.Join(t.play(ctx, 0, 40), t.entries(ctx))
}

func (t tour) best(ctx context.Context) error {
	t.Printf("\n2. The top ten of all shards. Explain sends nothing:")
	if err := t.explain(t.store.Board(game).Limit(10).Explain()); err != nil {
		return err
	}
	return t.top(ctx)
}

func (t tour) top(ctx context.Context) error {
	best, err := t.store.Board(game).Limit(10).Collect(ctx)
	if err != nil {
		return err
	}
	t.Printf("  %s", line(best))
	return nil
}

// pages reads the players with at least 150 points in pages, as a web service does: each request
// has the cursor of the last one.
func (t tour) pages(ctx context.Context) error {
	t.Printf("\n3. The players with at least 150 points, in pages of eight with one cursor")
	q := t.store.AtLeast(game, 150).Limit(8)
	for cursor, n := "", 1; ; n++ {
		page, err := q.Page(ctx, cursor)
		if err != nil {
			return err
		}
		t.Printf("  page %d: %s", n, line(page.Items))
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}

// improve changes the score of a player.
func (t tour) improve(ctx context.Context) error {
	last := player(0)
	x, err := t.store.scores.Op().Update(Score{Player: last, Game: game}, Points.Set(250)).Explain()
	if err != nil {
		return err
	}
	t.Printf("\n4. %s improves from 100 to 250 points. The same write changes the index: %s", last, strings.Join(x.Indexes, ", "))
	for _, points := range []int{250, 90} { // the second score is worse, and changes nothing
		if err := t.store.Submit(ctx, game, last, points); err != nil {
			return err
		}
	}
	return t.top(ctx)
}

// entries prints how many entries each partition of the index has. It runs a Scan with the SDK
// alone.
func (t tour) entries(ctx context.Context) error {
	sizes := map[string]int{}
	pages := dynamodb.NewScanPaginator(t.client, &dynamodb.ScanInput{TableName: aws.String(tableName), IndexName: aws.String("GSI1")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			key := program.Text(item["GSI1PK"])
			sizes[key[strings.LastIndex(key, "#")+1:]]++
		}
	}
	text := ""
	for _, shard := range slices.Sorted(maps.Keys(sizes)) {
		text += fmt.Sprintf(" %s:%d", shard, sizes[shard])
	}
	t.Printf("  entries by shard:%s", text)
	return nil
}

func (t tour) explain(x trestle.Explanation, err error) error {
	for text := range strings.Lines(x.String()) {
		t.Printf("    %s", strings.TrimRight(text, "\n"))
	}
	return err
}

// line returns scores as one line.
func line(scores []Score) string {
	texts := make([]string, len(scores))
	for i, s := range scores {
		texts[i] = fmt.Sprintf("%s %d", s.Player, s.Points)
	}
	return strings.Join(texts, ", ")
}
