package costs

import (
	"context"
	"iter"
)

// Pattern is a call of a program's store, and the requests that it is to send.
type Pattern struct {
	name  string
	run   func(context.Context) error
	sends []Estimate
}

// Of makes a pattern.
func Of(name string, run func(context.Context) error, sends ...Estimate) Pattern {
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
