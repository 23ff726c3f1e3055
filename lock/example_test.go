package lock_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// Report is the report of a month.
type Report struct {
	_     entity.Key `type:"report" pk:"REPORT#<month>" sk:"REPORT"`
	Month string     `dynamodbav:"month"`
	Text  string     `dynamodbav:"text"`
}

var (
	schema  = entity.NewSchema(entity.Config{})
	reports = entity.Define[Report](schema)
)

// One program at a time builds a report. What it writes depends on the lock.
func ExampleLocks_Do() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	defer db.Close()
	table, err := schema.Open(db.Client(), "app")
	if err == nil {
		err = table.Create(ctx)
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	locks := lock.New(table, "reports", lock.Config{Lease: time.Minute})
	err = locks.Do(ctx, "2026-08", func(ctx context.Context, held *lock.Lease) error {
		_, err := locks.TryAcquire(ctx, "2026-08")
		fmt.Println("another program is refused:", errors.Is(err, lock.ErrHeld))

		report := Report{Month: "2026-08", Text: "…"}
		return tx.Write(ctx, held.Check(), reports.In(table).Op().Put(&report))
	})
	fmt.Println("published:", err == nil)

	held, err := locks.TryAcquire(ctx, "2026-08")
	fmt.Println("free again:", err == nil)
	_ = held.Release(ctx)
	err = tx.Write(ctx, held.Check(), reports.In(table).Op().Put(&Report{Month: "2026-08"}))
	fmt.Println("a former holder writes nothing:", errors.Is(err, lock.ErrLost))
	// Output:
	// another program is refused: true
	// published: true
	// free again: true
	// a former holder writes nothing: true
}

// Several programs start the report of a month at the same time. One of them builds it.
func ExampleLocks_TryDo() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	defer db.Close()
	table, err := schema.Open(db.Client(), "app")
	if err == nil {
		err = table.Create(ctx)
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	locks := lock.New(table, "reports", lock.Config{Lease: time.Minute})
	build := func(ctx context.Context, held *lock.Lease) error {
		err := locks.TryDo(ctx, "2026-08", func(context.Context, *lock.Lease) error { return nil })
		fmt.Println("another program builds nothing:", errors.Is(err, lock.ErrHeld))

		// Create fails if a program that had the lock before has stored the report.
		report := Report{Month: "2026-08", Text: "…"}
		return tx.Write(ctx, held.Check(), reports.In(table).Op().Create(&report))
	}
	err = locks.TryDo(ctx, "2026-08", build)
	fmt.Println("published:", err == nil)
	err = locks.TryDo(ctx, "2026-08", build)
	fmt.Println("published before:", errors.Is(err, trestle.ErrExists))
	// Output:
	// another program builds nothing: true
	// published: true
	// another program builds nothing: true
	// published before: true
}
