// Package costs runs the access patterns of an example and compares the requests that they send
// with their Explain results.
package costs

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity/costtest"
	"github.com/trestledb/trestle/internal/engines"
)

// Pattern is a call of an example's store and the requests that it must send.
type Pattern struct {
	name     string
	run      func(context.Context) error
	sends    []costtest.Call
	transact explain // nil if the call sends no transaction
}

// Of returns a pattern.
func Of(name string, run func(context.Context) error, sends ...costtest.Call) Pattern {
	return Pattern{name, run, sends, nil}
}

// ReadAll reads all items.
func ReadAll[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

// Err returns the error of a call and drops the other result.
func Err[T any](_ T, err error) error { return err }

// Program fills a table and returns the access patterns of its store in the order in which to run
// them. Its writes contain text if the item has a suitable attribute.
type Program func(t *testing.T, client trestle.Client, text string) (table string, patterns []Pattern)

// Check runs a program twice on every engine: with its own items, and with items enlarged by 8 KB.
func Check(t *testing.T, p Program) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		check(t, e, p, 0)
		check(t, e, p, 8<<10)
	})
}

func check(t *testing.T, e engines.Engine, p Program, bytes int) {
	t.Helper()
	sdk := e.Client(t)
	meter := costtest.NewMeter(sdk)
	client := &transactions{Meter: meter, client: sdk}
	table, patterns := p(t, client, strings.Repeat("x", bytes))
	if bytes > 0 {
		if err := meter.Enlarge(t.Context(), table, bytes); err != nil {
			t.Fatal(err)
		}
	}
	meter.Reset()
	client.take()
	for _, pattern := range patterns {
		if pattern.transact != nil && bytes > 0 {
			continue // its explanation assumes small items
		}
		expected := 0.0
		if pattern.transact != nil {
			var err error
			if expected, err = pattern.transact(); err != nil {
				t.Errorf("%s: %v", pattern.name, err)
			}
		}
		if err := pattern.run(t.Context()); err != nil {
			t.Errorf("%s: %v", pattern.name, err)
		}
		meter.Check(named{t, pattern.name}, pattern.sends...)
		// DynamoDB Local reports the units of only one action of a transaction.
		if units := client.take(); units != expected && e.Name != engines.DynamoDBLocal {
			t.Errorf("%s: its transactions consumed %v units, and %v were expected", pattern.name, units, expected)
		}
	}
}

// named is a test that adds the pattern to each error.
type named struct {
	*testing.T
	pattern string
}

func (n named) Errorf(format string, args ...any) {
	n.Helper()
	n.T.Errorf(n.pattern+": "+format, args...)
}
