package main

import (
	"context"
	"io"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/query"
)

// now is the fixed time of the tour.
func now() time.Time { return time.Date(2020, 4, 27, 16, 20, 0, 0, time.UTC) }

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "devicelog", entity.PlainCursors())
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table, now)}
	return program.RunSteps(ctx, t.fill, t.warnings, t.duty, t.escalation, t.recent, t.names)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

// show prints a page of reports and what it cost.
func (t tour) show(ctx context.Context, title string, q query.Query[Report]) error {
	page, err := q.Page(ctx, "")
	if err != nil {
		return err
	}
	if len(page.Items) == 0 {
		t.Printf("\n%s: nothing", title)
		return nil
	}
	t.Printf("\n%s: %d results, %d items read, %.1f read units", title, len(page.Items), page.Scanned, page.Capacity.Read)
	for _, r := range page.Items {
		t.Printf("  %s  %-9s %s  %s", r.Device, r.State, r.At.Format(time.DateTime), r.Operator)
	}
	return nil
}

func (t tour) warnings(ctx context.Context) error {
	if err := t.show(ctx, "WARNING1 of d#12345, newest first, by a filter", t.store.InStateByFilter("d#12345", "WARNING1")); err != nil {
		return err
	}
	return t.show(ctx, "the same reports by the key, without a filter", t.store.InState("d#12345", "WARNING1"))
}

func (t tour) duty(ctx context.Context) error {
	if err := t.show(ctx, "reports while Liz was on duty on April 24", t.store.OnDuty("Liz", attr.Day(2020, 4, 24))); err != nil {
		return err
	}
	n, err := t.store.OnDuty("Liz", attr.Month(2020, 4)).Count(ctx)
	if err != nil {
		return err
	}
	t.Printf("\nreports while Liz was on duty in April: %d", n)
	return nil
}

func (t tour) escalation(ctx context.Context) error {
	if err := t.show(ctx, "escalated to Sara", t.store.EscalatedTo("Sara")); err != nil {
		return err
	}
	first, err := t.store.EscalatedTo("Sara").First(ctx)
	if err != nil {
		return err
	}
	if _, err := t.store.Settle(ctx, first); err != nil {
		return err
	}
	return t.show(ctx, "escalated to Sara after the report is settled", t.store.EscalatedTo("Sara"))
}

func (t tour) recent(ctx context.Context) error {
	return t.show(ctx, "d#11223 in the last ten minutes, newest first", t.store.Recent("d#11223", 10*time.Minute))
}

func (t tour) names(ctx context.Context) error {
	at := now().Add(-time.Minute)
	if err := t.store.Record(ctx, &Report{Device: "d#12345", State: "WARNING10", At: at, Operator: "Liz"}); err != nil {
		return err
	}
	t.Printf("\nd#12345 reports WARNING10")
	if err := t.show(ctx, "WARNING1 of d#12345", t.store.InState("d#12345", "WARNING1")); err != nil {
		return err
	}
	return t.show(ctx, "states of d#12345 that begin with WARNING1", t.store.InStates("d#12345", "WARNING1"))
}
