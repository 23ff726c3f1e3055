// Package costs runs the access patterns of an example and compares the requests that they send
// with their Explain results.
package costs

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
)

// Pattern is a call of an example's store and the requests that it must send.
type Pattern struct {
	name      string
	run       func(context.Context) error
	sends     []costtest.Call
	transacts bool
}

// Of returns a pattern.
func Of(name string, run func(context.Context) error, sends ...costtest.Call) Pattern {
	return Pattern{name, run, sends, false}
}

// Transaction returns a pattern whose call sends a transaction.
func Transaction(name string, run func(context.Context) error, sends ...costtest.Call) Pattern {
	return Pattern{name, run, sends, true}
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
	meter := costtest.NewMeter(e.Client(t))
	table, patterns := p(t, meter, strings.Repeat("x", bytes))
	if bytes > 0 {
		if err := meter.Enlarge(t.Context(), table, bytes); err != nil {
			t.Fatal(err)
		}
	}
	meter.Reset()
	for _, pattern := range patterns {
		if pattern.transacts && bytes > 0 {
			continue // Explain assumes that guards and counting items are small
		}
		if err := pattern.run(t.Context()); err != nil {
			t.Errorf("%s: %v", pattern.name, err)
		}
		if pattern.transacts && e.Name == engines.DynamoDBLocal {
			meter.Reset() // it reports the units of only one action of a transaction
			continue
		}
		meter.Check(named{t, pattern.name}, pattern.sends...)
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
