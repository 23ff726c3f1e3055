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

// purchase is an item whose keys have three values, one of them a time.
type purchase struct {
	_        entity.Key `type:"purchase" pk:"CUS#<customer>" sk:"ORDER#<placed_at:s>#<id>"`
	Customer string     `dynamodbav:"customer"`
	PlacedAt time.Time  `dynamodbav:"placed_at"`
	ID       string     `dynamodbav:"id"`
}

// keysRow renders the partition key and the sort key of an item. Sprintf does not escape values.
var keysRow = row{
	number: 17, task: "both keys of an item",
	subjects: func(tb testing.TB) []subject {
		tb.Helper()
		p := purchase{Customer: "c001", PlacedAt: epoch, ID: "01J2Z8Q3W4"}
		const partition, sort = "CUS#c001", "ORDER#2026-08-01T12:00:00Z#01J2Z8Q3W4"
		key := planOf(tb, reflect.TypeFor[purchase]()).Table
		at := codec.PtrTo(&p)
		body, vals := make([]byte, 0, 256), make([]keys.Value, 0, 4)
		check := func(same bool, err error) error {
			if err == nil && !same {
				err = errWrongItem
			}
			return err
		}
		return []subject{
			called(ours, func(context.Context) error {
				first, err := appendKey(body, key.Partition[0], vals, at)
				if err != nil {
					return err
				}
				both, err := appendKey(first, key.Sort[0], vals, at)
				text := string(both) // the memory of both
				return check(text[:len(first)] == partition && text[len(first):] == sort, err)
			}),
			called(intoBody, func(context.Context) error {
				first, err := appendKey(body, key.Partition[0], vals, at)
				if err != nil {
					return err
				}
				both, err := appendKey(first, key.Sort[0], vals, at)
				return check(string(first) == partition && string(both[len(first):]) == sort, err)
			}),
			called(theSDK, func(context.Context) error {
				first := fmt.Sprintf("CUS#%s", p.Customer)
				second := fmt.Sprintf("ORDER#%s#%s", p.PlacedAt.UTC().Format(time.RFC3339), p.ID)
				return check(first == partition && second == sort, nil)
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

// appendKey appends a key attribute of an entity.
func appendKey(dst []byte, a *core.KeyAttr, vals []keys.Value, at codec.Ptr) ([]byte, error) {
	for _, field := range a.Members {
		v, err := field.Key(at)
		if err != nil {
			return dst, err
		}
		vals = append(vals, v)
	}
	return a.Template.Append(dst, vals)
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
