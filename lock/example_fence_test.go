package lock_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
)

// Total is written by the holder of a lock, with the fence of its lease.
type Total struct {
	_     entity.Key `type:"total" pk:"TOTAL#<month>" sk:"TOTAL"`
	Month string     `dynamodbav:"month"`
	Sum   int        `dynamodbav:"sum"`
	Fence int64      `dynamodbav:"fence"`
}

var (
	closing = entity.NewSchema(entity.Config{})
	totals  = entity.Define[Total](closing)
	fenced  = attr.Must(func(t *Total) *int64 { return &t.Fence })
)

// The item may not exist yet. The condition also holds for an item without a fence. A former
// holder overwrites nothing.
func ExampleLease_Fence() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	defer db.Close()
	table, err := closing.Open(db.Client(), "app", entity.Clock(db.Now))
	if err == nil {
		err = table.Create(ctx)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	put := func(held *lock.Lease, sum int) error {
		t := Total{Month: "2026-08", Sum: sum, Fence: held.Fence()}
		return totals.In(table).Put(ctx, &t, attr.Not(fenced.Gt(held.Fence())))
	}

	locks := lock.New(table, "closing", lock.Config{Lease: time.Minute})
	first, err := locks.TryAcquire(ctx, "2026-08")
	fmt.Println("acquired:", err == nil)
	fmt.Println("a new item:", put(first, 100))
	fmt.Println("again:", put(first, 110))

	db.Advance(2 * time.Minute) // the first holder stops for longer than its lease
	second, err := locks.TryAcquire(ctx, "2026-08")
	fmt.Println("acquired:", err == nil)
	fmt.Println("the second holder:", put(second, 120))
	fmt.Println("the first is refused:", errors.Is(put(first, 130), trestle.ErrCondition))
	// Output:
	// acquired: true
	// a new item: <nil>
	// again: <nil>
	// acquired: true
	// the second holder: <nil>
	// the first is refused: true
}
