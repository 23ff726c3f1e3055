package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/lock"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	t := &tour{Tour: program.Tour{Out: out}}
	var err error
	if t.north, err = t.store("north", client); err != nil {
		return err
	}
	if t.south, err = t.store("south", client); err != nil {
		return err
	}
	if err := t.create(ctx, client); err != nil {
		return err
	}
	return program.RunSteps(ctx, t.begin, t.takeOver, t.late, t.ordinary)
}

// tour is one run of the program, with two workers.
type tour struct {
	program.Tour
	ahead        time.Duration // of the clocks of the workers
	north, south Store
	first        *lock.Lease // of north
}

const month = "2026-08"

// now is the clock of the workers, which the program moves.
func (t *tour) now() time.Time { return time.Now().Add(t.ahead) }

func (t *tour) store(worker string, client trestle.Client) (Store, error) {
	schema, reports := newSchema(t.now)
	table, err := schema.Open(client, "reports")
	if err != nil {
		return Store{}, err
	}
	return NewStore(worker, table, reports), nil
}

func (t *tour) create(ctx context.Context, client trestle.Client) error {
	schema, _ := newSchema(t.now)
	table, err := schema.Open(client, "reports")
	if err != nil {
		return err
	}
	return table.Create(ctx)
}

// begin gives the lock to one worker.
func (t *tour) begin(ctx context.Context) (err error) {
	if t.first, err = t.north.Begin(ctx, month); err != nil {
		return err
	}
	t.Printf("north acquires the lock of %s for a minute", month)
	_, err = t.south.Begin(ctx, month)
	if !errors.Is(err, lock.ErrHeld) {
		return fmt.Errorf("two workers have the lock: %w", err)
	}
	t.Printf("south: %s", program.ErrorText(err))
	return nil
}

// takeOver gives the lock to the other worker, after the lease has ended.
func (t *tour) takeOver(ctx context.Context) error {
	t.ahead += 2 * time.Minute
	t.Printf("\nnorth stops for two minutes, and its lease ends")
	second, err := t.south.Begin(ctx, month)
	if err != nil {
		return err
	}
	t.Printf("south acquires the lock: its fence is greater by %d", second.Fence()-t.first.Fence())
	if err := t.south.Publish(ctx, second, "by south"); err != nil {
		return err
	}
	t.Printf("south publishes the report")
	return second.Release(ctx)
}

// late shows that the former holder writes nothing.
func (t *tour) late(ctx context.Context) error {
	t.Printf("\nnorth goes on, as if it had the lock:")
	err := t.north.Publish(ctx, t.first, "by north")
	if !errors.Is(err, lock.ErrLost) {
		return fmt.Errorf("the former holder wrote: %w", err)
	}
	t.Printf("  publish: %s", program.ErrorText(err))
	err = t.first.Renew(ctx)
	if !errors.Is(err, lock.ErrLost) {
		return fmt.Errorf("the former holder renewed its lease: %w", err)
	}
	t.Printf("  renew: %s", program.ErrorText(err))
	report, err := t.north.Report(ctx, month)
	if err != nil {
		return err
	}
	t.Printf("the report of %s: %s", report.Month, report.Text)
	return nil
}

// ordinary shows how a worker uses the lock.
func (t *tour) ordinary(ctx context.Context) error {
	const next = "2026-09"
	err := t.north.Run(ctx, next, func(context.Context) (string, error) { return "by north", nil })
	if err != nil {
		return err
	}
	report, err := t.south.Report(ctx, next)
	if err != nil {
		return err
	}
	t.Printf("\nnorth acquires the lock of %s, publishes the report, and releases the lock", next)
	t.Printf("the report of %s: %s", report.Month, report.Text)
	return nil
}
