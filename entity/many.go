package entity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its items
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/write"
)

// UnprocessedError reports a batch that completed in part. The call also returns the results of the
// completed part; [Unprocessed] returns the rest of the arguments. It wraps the [*OpError] with the
// reason.
type UnprocessedError struct {
	// left is a function because fmt prints the unexported fields of a struct without calling
	// methods.
	left  func() []any
	cause error
}

// Unprocessed returns the arguments that a batch did not process, in the order of the call: the
// arguments in an [*UnprocessedError] that are of type T.
func Unprocessed[T any](err error) []T {
	var left []T
	for _, item := range leftOf(err) {
		if item, ok := item.(T); ok {
			left = append(left, item)
		}
	}
	return left
}

func leftOf(err error) []any {
	var e *UnprocessedError
	if !errors.As(err, &e) {
		return nil
	}
	return e.items()
}

func (e UnprocessedError) items() []any {
	if e.left == nil {
		return nil
	}
	return e.left()
}

// Error returns the reason and the number of unprocessed arguments, but not the arguments.
func (e UnprocessedError) Error() string { return fmt.Sprintf("%v (%d left)", e.cause, len(e.items())) }

// Unwrap returns the [*OpError].
func (e UnprocessedError) Unwrap() error { return e.cause }

// Format prints the text of Error for every verb, because %+v of the fields would print the items.
func (e UnprocessedError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the reason and the number of unprocessed arguments.
func (e UnprocessedError) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("cause", e.cause), slog.Int("left", len(e.items())))
}

// MarshalJSON returns what LogValue returns, as JSON.
func (e UnprocessedError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Cause error `json:"cause"`
		Left  int   `json:"left"`
	}{e.cause, len(e.items())})
}

// GetMany is [Reader.GetMany], with eventually consistent reads. For strongly consistent reads use
// [Repo.Strong].
func (r *Repo[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	found := make([]*T, len(examples))
	return found, (*repo)(r).getMany(ctx, examples, found)
}

// GetMany reads the items of many keys in batches of 100. It returns them in the order of the
// examples, with nil for an item that does not exist. It reads repeated examples once. Each item
// costs what Get costs.
//
// GetMany retries keys that the service leaves unprocessed while the service makes progress. The
// pauses grow to some seconds: set a deadline in ctx to limit the time. If the service makes no
// progress, a request fails, or an item cannot be decoded, the error is an [*UnprocessedError].
// [Unprocessed] then returns the examples that have no reply or an undecodable item. All others
// were read.
func (r *Reader[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	found := make([]*T, len(examples))
	return found, (*repo)(r).getMany(ctx, examples, found)
}

// getMany reads the items of a slice of examples into a slice of pointers to entities.
//
//go:noinline
func (r *repo) getMany(ctx context.Context, examples, found any) error {
	at := r.parts()
	places := reflect.ValueOf(found)
	return getMany(ctx, at.v, at.d, many{
		examples: reflect.ValueOf(examples),
		take: func(i int, decode func(any) error) error {
			item := reflect.New(at.d.plan.Type)
			if err := decode(item.Interface()); err != nil {
				return err
			}
			places.Index(i).Set(item)
			return nil
		},
	})
}

// GetMany is [Reader.GetMany] for the projection's part of each item.
func (p Projection[T, P]) GetMany(ctx context.Context, from Source[T], examples []T) ([]*P, error) {
	found := make([]*P, len(examples))
	v, err := p.open(from)
	if err != nil {
		return nil, v.refused("get many", p.d, err)
	}
	return found, getMany(ctx, v, p.d, many{
		examples: reflect.ValueOf(examples),
		part:     fetch.Part{Expression: p.p.expression, Names: p.p.names},
		take: func(i int, decode func(any) error) error {
			whole := reflect.New(p.d.plan.Type)
			if err := decode(whole.Interface()); err != nil {
				return err
			}
			found[i] = new(P)
			p.p.copy(whole.Elem(), reflect.ValueOf(found[i]).Elem())
			return nil
		},
	})
}

// many is a batch read.
type many struct {
	examples reflect.Value // a slice of entities
	take     func(i int, decode func(entity any) error) error
	part     fetch.Part
}

func getMany(ctx context.Context, v *view, d *definition, m many) error {
	wishes, err := planMany(v, d, m.examples)
	if err != nil {
		return v.refused(manyVerb, d, err)
	}
	if len(wishes) == 0 {
		return nil
	}
	r := exec.NewRead(&v.env, exec.Info{Operation: manyVerb, Table: v.env.Table}, d.plan)
	left, err := fetch.Many(ctx, &r, wishes, m.part, func(i int, item map[string]types.AttributeValue) error {
		if !d.plan.Matches(item) {
			r.Unknown++
			return nil
		}
		if err := m.take(i, func(entity any) error { return decode(d.plan, item, entity) }); err != nil {
			return err
		}
		r.Items++
		return nil
	})
	items := make([]any, len(left))
	for n, i := range left {
		items[n] = m.examples.Index(i).Interface()
	}
	return unprocessed(items, failure(err))
}

// planMany renders all keys and reports all problems with them.
func planMany(v *view, d *definition, examples reflect.Value) ([]fetch.Wish, error) {
	if err := ready(v, d); err != nil {
		return nil, err
	}
	wishes := make([]fetch.Wish, examples.Len())
	var problems errs.Problems
	for i := range wishes {
		key, err := write.Key(d.plan, codec.PtrOf(examples.Index(i)))
		if err != nil {
			problems.AddAt(fmt.Sprintf("examples[%d]", i), err)
		}
		wishes[i] = fetch.Wish{Table: v.env.Table, Schema: d.plan.Schema, Key: key, Strong: v.strong}
	}
	return wishes, problems.Err()
}

// unprocessed adds the unprocessed arguments to an error. It returns nil for nil, and err unchanged
// if there are none, as for a call that failed validation.
func unprocessed(left []any, err error) error {
	if err == nil || len(left) == 0 {
		return err
	}
	return &UnprocessedError{left: func() []any { return left }, cause: err}
}
