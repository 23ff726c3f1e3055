package main

import (
	"context"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// Store is the data access object of one worker.
type Store struct {
	worker  string
	reports *entity.Repo[Report]
	locks   *lock.Locks
}

// NewStore returns the store of a worker. A worker has the lock of a month for at most a minute
// without a renewal.
func NewStore(worker string, table *entity.Table, reports *entity.Type[Report]) Store {
	return Store{worker, reports.In(table), lock.New(table, "reports", lock.Config{Lease: time.Minute})}
}

// Begin acquires the lock of a month. The error is lock.ErrHeld if another worker has it.
func (s Store) Begin(ctx context.Context, month string) (*lock.Lease, error) {
	return s.locks.TryAcquire(ctx, month)
}

// Publish stores the report of a month, if the lease is still that of the last holder.
func (s Store) Publish(ctx context.Context, held *lock.Lease, text string) error {
	report := Report{Month: held.Name(), By: s.worker, Text: text}
	return tx.Write(ctx, held.Check(), s.reports.Op().Put(&report))
}

// Run waits for the lock of a month, and calls build and Publish. The context of build ends if the
// lease is lost.
func (s Store) Run(ctx context.Context, month string, build func(context.Context) (string, error)) error {
	return s.locks.Do(ctx, month, func(ctx context.Context, held *lock.Lease) error {
		text, err := build(ctx)
		if err != nil {
			return err
		}
		return s.Publish(ctx, held, text)
	})
}

// Report returns the report of a month.
func (s Store) Report(ctx context.Context, month string) (Report, error) {
	return s.reports.Strong().Get(ctx, Report{Month: month})
}
