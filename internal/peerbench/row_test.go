package peerbench

import (
	"context"
	"testing"
	"time"
)

// The subjects in the columns of the table.
const (
	theSDK = "sdk"
	guregu = "guregu"
	ours   = "trestle"
)

// row is a row of the table: one task, which several subjects do.
type row struct {
	number   int
	task     string
	subjects func(testing.TB) []subject
	lines    []line
}

// subject does the task of a row in one way, such as with one library.
type subject struct {
	name string
	once bool // it is measured in the first round only
	// measure does the task for about a duration, or a small part of it if the duration is 0. It
	// fails the test if a result is wrong.
	measure func(testing.TB, time.Duration) sample
}

// called returns a subject whose task is one call.
func called(name string, f func(context.Context) error) subject {
	return subject{name: name, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		ctx := tb.Context()
		return calls(tb, d, func() error { return f(ctx) })
	}}
}

// results are the samples of all rounds, by row and subject.
type results map[int]map[string][]sample

// add adds the sample of a round.
func (r results) add(number int, subject string, s sample) {
	if r[number] == nil {
		r[number] = map[string][]sample{}
	}
	r[number][subject] = append(r[number][subject], s)
}

// median returns the median over the rounds. It returns false if the subject has no such value.
func (r results) median(number int, subject, unit string) (float64, bool) {
	var all []float64
	for _, s := range r[number][subject] {
		if v, ok := s.values[unit]; ok {
			all = append(all, v)
		}
	}
	return median(all)
}
