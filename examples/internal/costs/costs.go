// Package costs goes through the access patterns of an example and holds what each sends against
// what Explain says of it.
package costs

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/entity/costtest"
	"github.com/trestledb/trestle/internal/engines"
)

// Pattern is a call of a program's store, and what it is to send.
type Pattern struct {
	name  string
	run   func(context.Context) error
	sends []costtest.Call
}

// Of makes a pattern.
func Of(name string, run func(context.Context) error, sends ...costtest.Call) Pattern {
	return Pattern{name, run, sends}
}

// Drain reads all that a call yields.
func Drain[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

// Err is the error of a call of which nothing else is of interest.
func Err[T any](_ T, err error) error { return err }

// Program fills a table, and lists the access patterns of its store in the order in which they are
// to be run. What they write holds the text, where it can.
type Program func(t *testing.T, client entity.Client, text string) (table string, patterns []Pattern)

// Check runs a program on every engine, twice: on its items as they are, and on large ones.
func Check(t *testing.T, p Program) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		check(t, costtest.NewMeter(e.Client(t)), p, 0)
		check(t, costtest.NewMeter(e.Client(t)), p, 8<<10)
	})
}

func check(t *testing.T, meter *costtest.Meter, p Program, bytes int) {
	t.Helper()
	table, patterns := p(t, meter, strings.Repeat("x", bytes))
	if bytes > 0 {
		if err := meter.Enlarge(t.Context(), table, bytes); err != nil {
			t.Fatal(err)
		}
	}
	meter.Reset()
	for _, pattern := range patterns {
		if err := pattern.run(t.Context()); err != nil {
			t.Errorf("%s: %v", pattern.name, err)
		}
		meter.Check(named{t, pattern.name}, pattern.sends...)
	}
}

// named is a test that says which pattern fails.
type named struct {
	*testing.T
	pattern string
}

func (n named) Errorf(format string, args ...any) {
	n.Helper()
	n.T.Errorf(n.pattern+": "+format, args...)
}
