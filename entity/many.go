package entity

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its items
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/write"
)

// UnprocessedError is a batch that was done in part. What it was done for is returned beside it. It wraps the [*OpError] that says why.
type UnprocessedError[T any] struct {
	left  func() []T // a function: where the error is a hidden field of something, fmt prints what it finds, and calls no method
	cause error
}

// Items are what the batch was not done for, in their order.
func (e UnprocessedError[T]) Items() []T {
	if e.left == nil {
		return nil
	}
	return e.left()
}

// Error says why, and how many are left; never what they are.
func (e UnprocessedError[T]) Error() string {
	return fmt.Sprintf("%v (%d left)", e.cause, len(e.Items()))
}

// Unwrap gives the [*OpError].
func (e UnprocessedError[T]) Unwrap() error { return e.cause }

// Format prints the text of Error, whatever the verb: %+v of the fields would print the items.
func (e UnprocessedError[T]) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue is what log/slog prints.
func (e UnprocessedError[T]) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("cause", e.cause), slog.Int("left", len(e.Items())))
}

// MarshalJSON prints the same.
func (e UnprocessedError[T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Cause error `json:"cause"`
		Left  int   `json:"left"`
	}{e.cause, len(e.Items())})
}

// GetMany is [Reader.GetMany]: eventually consistent unless it goes through [Repo.Strong].
func (r Repo[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	return r.Reader().GetMany(ctx, examples)
}

// GetMany reads the items of many keys, a hundred with a request, and returns them in the order of the examples: nil where there is none. An
// example that comes again is read once. Each item costs what Get costs.
//
// Keys that the service leaves unprocessed are asked for again, with pauses that grow to some seconds, as long as it gets on with them: where time matters,
// give ctx a deadline. When it does not, a request fails, or an item cannot be decoded, the error is an [*UnprocessedError] with the examples that are left: those
// that were not answered, and those of such items. All others were read.
func (r Reader[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	found := make([]*T, len(examples))
	left, err := getMany(ctx, r.v, r.t.definition(), many{
		n:       len(examples),
		example: func(i int) codec.Ptr { return codec.PtrTo(&examples[i]) },
		take: func(i int, decode func(codec.Ptr) error) error {
			var item T
			if err := decode(codec.PtrTo(&item)); err != nil {
				return err
			}
			found[i] = &item
			return nil
		},
	})
	return found, unprocessed(pick(examples, left), err)
}

// GetMany is [Reader.GetMany], of the projection's part of each item.
func (p Projection[T, P]) GetMany(ctx context.Context, from Source[T], examples []T) ([]*P, error) {
	found := make([]*P, len(examples))
	v, err := p.open(from)
	if err != nil {
		return nil, v.refused("get many", p.d, err)
	}
	left, err := getMany(ctx, v, p.d, many{
		n:       len(examples),
		example: func(i int) codec.Ptr { return codec.PtrTo(&examples[i]) },
		part:    fetch.Part{Expression: p.p.expression, Names: p.p.names},
		take: func(i int, decode func(codec.Ptr) error) error {
			whole := reflect.New(p.d.plan.Type).Elem()
			if err := decode(codec.PtrOf(whole)); err != nil {
				return err
			}
			found[i] = new(P)
			p.p.copy(whole, reflect.ValueOf(found[i]).Elem())
			return nil
		},
	})
	return found, unprocessed(pick(examples, left), err)
}

// many is a batch read for code that knows no T.
type many struct {
	n       int
	example func(i int) codec.Ptr
	take    func(i int, decode func(codec.Ptr) error) error
	part    fetch.Part
}

func getMany(ctx context.Context, v *view, d *definition, m many) ([]int, error) {
	wishes, err := planMany(v, d, m.n, m.example)
	if err != nil {
		return nil, v.refused("get many", d, err)
	}
	if m.n == 0 {
		return nil, nil
	}
	r := call.NewRead(&v.env, call.Info{Operation: "get many", Table: v.env.Table}, d.plan)
	left, err := fetch.Many(ctx, &r, wishes, m.part, func(i int, item map[string]types.AttributeValue) error {
		if !d.plan.Owns(item) {
			r.Unknown++
			return nil
		}
		if err := m.take(i, func(at codec.Ptr) error { return decode(d.plan, item, at) }); err != nil {
			return err
		}
		r.Items++
		return nil
	})
	return left, failure(err)
}

// planMany renders all keys, and says all that is wrong with them.
func planMany(v *view, d *definition, n int, example func(i int) codec.Ptr) ([]fetch.Wish, error) {
	if err := ready(v, d); err != nil {
		return nil, err
	}
	wishes := make([]fetch.Wish, n)
	var problems fail.Problems
	for i := range wishes {
		key, err := write.Key(d.plan, example(i))
		if err != nil {
			problems.At(fmt.Sprintf("examples[%d]", i), err)
		}
		wishes[i] = fetch.Wish{Table: v.env.Table, Schema: d.plan.Schema, Key: key, Strong: v.strong}
	}
	return wishes, problems.Err()
}

// unprocessed adds what is left to a failure; nil stays nil, and nothing is left of what was refused before it was sent.
func unprocessed[T any](left []T, err error) error {
	if err == nil || len(left) == 0 {
		return err
	}
	return &UnprocessedError[T]{left: func() []T { return left }, cause: err}
}

func pick[T any](from []T, places []int) []T {
	picked := make([]T, len(places))
	for i, place := range places {
		picked[i] = from[place]
	}
	return picked
}
