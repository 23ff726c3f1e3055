package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/query"
)

const tableName = "sensors"

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, tableName, entity.PlainCursors())
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, client: client, store: NewStore(table)}
	return program.RunSteps(ctx, t.fill, t.period, t.newest, t.pages, t.atOnce, t.unbounded, t.deleteDay, t.shards)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	client trestle.Client
	store  Store
}

// allDays has the days on which the sensors have reported.
var allDays = attr.Period{Start: at(1, 0), End: at(6, 0)}

func (t tour) period(ctx context.Context) error {
	t.Printf("\n2. From noon of August 2 to noon of August 4: the partitions of three days, in order")
	return t.show(ctx, t.store.Readings(roof, attr.Period{Start: at(2, 12), End: at(4, 12)}).Limit(20))
}

func (t tour) newest(ctx context.Context) error {
	t.Printf("\n3. The newest six readings: the query starts at the last day, and stops when it has them")
	if err := t.show(ctx, t.store.Readings(roof, allDays).Desc().Limit(6)); err != nil {
		return err
	}
	t.Printf("  The same for the whole month. Its days without readings are read, too, for half a read unit each:")
	return t.show(ctx, t.store.Readings(roof, attr.Month(2026, 8)).Desc().Limit(6))
}

// pages reads the readings in pages, as a web service does: each request has the cursor of the last
// one.
func (t tour) pages(ctx context.Context) error {
	t.Printf("\n4. The five days in pages of seven, with one cursor")
	q := t.store.Readings(roof, allDays).Limit(7)
	for cursor, n := "", 1; ; n++ {
		page, err := q.Page(ctx, cursor)
		if err != nil {
			return err
		}
		t.Printf("  page %d: %s", n, line(page.Items, celsius))
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}

// atOnce reads the days of a year.
func (t tour) atOnce(ctx context.Context) error {
	t.Printf("\n5. A year, eight days at the same time. Explain sends nothing:")
	q := t.store.Report(roof, attr.Year(2026))
	if err := t.explain(q.Explain()); err != nil {
		return err
	}
	n, err := q.Count(ctx)
	if err != nil {
		return err
	}
	t.Printf("  There are %d readings.", n)
	return nil
}

// unbounded makes queries that would read too many days.
func (t tour) unbounded(ctx context.Context) error {
	t.Printf("\n6. A period without an end, no period, and one of more than 100 days: nothing is sent")
	for _, refused := range []struct {
		q    query.Query[Reading]
		with error
	}{
		{query.Of(t.store.readings, Reading{Sensor: roof}).Where(attr.Since(ReadAt, at(1, 0))), trestle.ErrInvalid},
		{query.Of(t.store.readings, Reading{Sensor: roof}), trestle.ErrInvalid},
		{t.store.Readings(roof, attr.Year(2026)), trestle.ErrLimit},
	} {
		_, err := refused.q.Collect(ctx)
		if !errors.Is(err, refused.with) {
			return fmt.Errorf("expected %w, and got %w", refused.with, err)
		}
		t.Printf("  %s", program.ErrorText(err))
	}
	return nil
}

func (t tour) deleteDay(ctx context.Context) error {
	t.Printf("\n7. August 1 is deleted")
	deleted, err := t.store.DeleteDay(ctx, roof, at(1, 0))
	if err != nil {
		return err
	}
	t.Printf("  %d readings are deleted, for %g write units", deleted.Items, deleted.Capacity.Write)
	oldest, err := t.store.Readings(roof, attr.Month(2026, 8)).First(ctx)
	if err != nil {
		return err
	}
	t.Printf("  the oldest reading is now: %s", celsius(oldest))
	return nil
}

// shards reads the samples of the pump, whose days have shards.
func (t tour) shards(ctx context.Context) error {
	t.Printf("\n8. The pump sends 100 samples in a second. Its days have four shards, whose samples are merged in the order of time.")
	q := t.store.Samples(pump, attr.Period{Start: at(4, 0), End: at(6, 0)})
	if err := t.explain(q.Explain()); err != nil {
		return err
	}
	all, err := q.Collect(ctx)
	if err != nil {
		return err
	}
	sorted := slices.IsSortedFunc(all, func(a, b Sample) int { return a.At.Compare(b.At) })
	t.Printf("  It returns %d samples. In the order of time: %t.", len(all), sorted)
	newest, err := q.Desc().Limit(3).Collect(ctx)
	if err != nil {
		return err
	}
	t.Printf("  the newest: %s", line(newest, func(s Sample) string { return fmt.Sprintf("%s %d µm", s.At.Format("05.000"), s.Micron) }))
	return nil
}

// show prints the items of a page and the number of requests.
func (t tour) show(ctx context.Context, q query.Query[Reading]) error {
	page, err := q.Page(ctx, "")
	if err != nil {
		return err
	}
	t.Printf("  %s", line(page.Items, celsius))
	t.Printf("  %d results, %d requests", len(page.Items), page.Requests)
	return nil
}

func (t tour) explain(x trestle.Explanation, err error) error {
	for text := range strings.Lines(x.String()) {
		t.Printf("    %s", strings.TrimRight(text, "\n"))
	}
	return err
}

// line returns items as one line.
func line[T any](items []T, text func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = text(item)
	}
	return strings.Join(texts, ", ")
}
