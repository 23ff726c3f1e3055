package peerbench

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

// intoBody renders the keys into the memory of a request's body.
const intoBody = "into a body"

// keysRow renders the partition key and the sort key of an item. Sprintf does not escape values.
var keysRow = row{
	number: 17, task: "both keys of an item",
	subjects: func(tb testing.TB) []subject {
		tb.Helper()
		r := readingOf(7)
		const partition, sort = "DEV#d-77", "AT#2026-08-01T12:00:07Z"
		plan := planOf(tb, reflect.TypeFor[Reading]())
		attributes := []*core.KeyAttr{plan.Table.Partition[0], plan.Table.Sort[0]}
		vals := make([]keys.Value, 0, 4)
		// append calls f with each key, which is only valid until it returns.
		render := func(f func(i int, key []byte)) error {
			var body [64]byte
			for i, a := range attributes {
				vals = vals[:0]
				for _, field := range a.Members {
					v, err := field.Key(codec.PtrTo(&r))
					if err != nil {
						return err
					}
					vals = append(vals, v)
				}
				key, err := a.Template.Append(body[:0], vals)
				if err != nil {
					return err
				}
				f(i, key)
			}
			return nil
		}
		check := func(same bool) error {
			if !same {
				return errWrongItem
			}
			return nil
		}
		return []subject{
			called(ours, func(context.Context) error {
				var texts [2]string
				if err := render(func(i int, key []byte) { texts[i] = string(key) }); err != nil {
					return err
				}
				return check(texts[0] == partition && texts[1] == sort)
			}),
			called(intoBody, func(context.Context) error {
				same := true
				err := render(func(i int, key []byte) { same = same && string(key) == [...]string{partition, sort}[i] })
				if err != nil {
					return err
				}
				return check(same)
			}),
			called(theSDK, func(context.Context) error {
				first, second := fmt.Sprintf("DEV#%s", r.Device), fmt.Sprintf("AT#%s", r.At.UTC().Format(time.RFC3339))
				return check(first == partition && second == sort)
			}),
		}
	},
	lines: []line{
		asks("CPU (SDK: Sprintf)", processTime, less, theSDK, 2.5),
		shown("time", wallTime),
		shown("allocations", allocations),
		{what: "allocations into a body", unit: allocations, of: intoBody, asked: true},
	},
}

// markers are those of package entity.
var markers = define.Markers{
	Key: reflect.TypeFor[entity.Key](), Index: reflect.TypeFor[entity.Index](), Unique: reflect.TypeFor[entity.Unique](), Counted: reflect.TypeFor[entity.Counted](),
}

// planOf compiles a type as Define does.
func planOf(tb testing.TB, t reflect.Type) *core.Plan {
	tb.Helper()
	s, issues := define.Schema(trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}})
	require.Empty(tb, issues)
	plan, issues := define.Compile(s, t, markers, nil)
	require.Empty(tb, issues)
	return plan
}
