package shard

import (
	"math"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// sum adds two integers.
func sum(a, b int64) (int64, error) {
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < math.MinInt64-b {
		return 0, errs.Unassignable("", "the total exceeds the integers of 64 bits", "divide the count among several counters")
	}
	return a + b, nil
}

// timeIn returns a time in nanoseconds since 1970 of an item, or the zero time.
func timeIn(item op.Item, attribute string) (time.Time, error) {
	n, err := libitem.Optional(item, attribute)
	if err != nil || n == 0 {
		return time.Time{}, err
	}
	return time.Unix(0, n).UTC(), nil
}
