package costs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// note is what the programs of these tests store.
type note struct {
	_     entity.Key   `type:"note" pk:"B#<book>" sk:"N#<id:03>"`
	_     entity.Index `name:"by-label" on:"GSI1" pk:"L#<label>" sk:"N#<id:03>"`
	Book  string       `dynamodbav:"book"`
	ID    int          `dynamodbav:"id"`
	Label string       `dynamodbav:"label,omitempty"`
	Text  string       `dynamodbav:"text"`
}

var (
	schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	notes  = entity.Define[note](schema)
	text   = attr.Must(func(n *note) *string { return &n.Text })
)

// recorder is a test that fails without failing.
type recorder struct {
	*testing.T
	errors, fatal int
}

var errFatal = errors.New("fatal")

func (r *recorder) Logf(string, ...any)   {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }
func (r *recorder) Fatalf(string, ...any) {
	r.fatal++
	panic(errFatal)
}

// proved proves a program of so many notes and these patterns.
func proved(t *testing.T, client func() *dynamodb.Client, n int, patterns func(r entity.Repo[note], long string) []costs.Pattern) (r *recorder) {
	t.Helper()
	r = &recorder{T: t}
	defer func() {
		if failed := recover(); failed != nil && failed != any(errFatal) {
			panic(failed)
		}
	}()
	costs.Prove(r, client, func(client entity.Client, long string) (string, []costs.Pattern) {
		table, err := schema.Open(client, "notes")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := notes.In(table)
		for i := range n {
			require.NoError(t, repo.Put(t.Context(), &note{Book: "b", ID: i, Label: "l"}))
		}
		return table.Name(), patterns(repo, long)
	})
	return r
}

func inProcess(t *testing.T) func() *dynamodb.Client {
	t.Helper()
	return func() *dynamodb.Client { return ddbtest.Client(t) }
}

func all(r entity.Repo[note]) query.Query[note] { return query.Of(r, note{Book: "b"}) }

// sound are patterns of which nothing is wrong: each kind of request.
func sound(r entity.Repo[note], long string) []costs.Pattern {
	one, fresh, other := note{Book: "b"}, &note{Book: "c", Label: "l", Text: long}, &note{Book: "d", Label: "l", Text: long}
	grown, filtered := text.Set("more "+long), all(r).Filter(text.Eq("none"))
	return []costs.Pattern{
		costs.Of("all", func(ctx context.Context) error { return costs.Drain(all(r).All(ctx)) }, costs.Query(all(r))),
		costs.Of("three of them", func(ctx context.Context) error { return costs.Err(all(r).Limit(3).Collect(ctx)) }, costs.Query(all(r).Limit(3))),
		costs.Of("none of them", func(ctx context.Context) error { return costs.Err(filtered.Collect(ctx)) }, costs.Query(filtered)),
		costs.Of("count", func(ctx context.Context) error { return costs.Err(all(r).Count(ctx)) }, costs.Query(all(r))),
		costs.Of("get", func(ctx context.Context) error { return costs.Err(r.Get(ctx, one)) }, costs.Get(r, one)),
		costs.Of("batch", func(ctx context.Context) error {
			return costs.Err(r.GetMany(ctx, []note{one, {Book: "x"}, {Book: "y"}, {Book: "z"}}))
		},
			costs.Batch(costs.Get(r, one), costs.Get(r, note{Book: "x"}), costs.Get(r, note{Book: "y"}), costs.Get(r, note{Book: "z"}))),
		costs.Of("create", func(ctx context.Context) error { return r.Create(ctx, fresh) }, costs.Create(r, fresh)),
		costs.Of("put and delete", func(ctx context.Context) error { return errors.Join(r.Put(ctx, other), r.Delete(ctx, *other)) },
			costs.Put(r, other), costs.Delete(r, *other)),
		costs.Of("update", func(ctx context.Context) error { return costs.Err(r.Update(ctx, one, grown)) }, costs.Update(r, one, grown)),
	}
}

// What is right passes.
func TestASoundProgram(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := proved(t, func() *dynamodb.Client { return e.Client(t) }, 8, sound)
		require.Zero(t, r.errors)
		require.Zero(t, r.fatal)
	})
}

// Whatever is wrong with what is expected of a request is seen.
func TestAnUnsoundProgram(t *testing.T) {
	t.Parallel()
	one, second := note{Book: "b"}, note{Book: "b", ID: 1}
	read := func(r entity.Repo[note]) func(context.Context) error {
		return func(ctx context.Context) error { return costs.Err(all(r).Collect(ctx)) }
	}
	for what, c := range map[string]struct {
		pattern func(r entity.Repo[note]) costs.Pattern
		fatal   bool
	}{
		"another filter": {pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", read(r), costs.Query(all(r).Filter(text.Eq("none"))))
		}},
		"another order": {pattern: func(r entity.Repo[note]) costs.Pattern { return costs.Of("", read(r), costs.Query(all(r).Desc())) }},
		"another item": {pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", func(ctx context.Context) error { return costs.Err(r.Get(ctx, one)) }, costs.Get(r, second))
		}},
		"another change": {pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", func(ctx context.Context) error { return costs.Err(r.Update(ctx, one, text.Set("a"))) },
				costs.Update(r, one, text.Set("b")))
		}},
		"other units": {pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", func(ctx context.Context) error { return costs.Err(r.Update(ctx, one, text.Set("a"))) },
				costs.Update(r, one, text.Set("a")).Lacking(1))
		}},
		"a request more": {fatal: true, pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", read(r), costs.Query(all(r)), costs.Query(all(r)))
		}},
		"a request less": {fatal: true, pattern: func(r entity.Repo[note]) costs.Pattern { return costs.Of("", read(r)) }},
		"a key less": {fatal: true, pattern: func(r entity.Repo[note]) costs.Pattern {
			return costs.Of("", func(ctx context.Context) error { return costs.Err(r.GetMany(ctx, []note{one, second})) }, costs.Get(r, one))
		}},
		"a call that fails": {fatal: true, pattern: func(entity.Repo[note]) costs.Pattern {
			return costs.Of("", func(context.Context) error { return fmt.Errorf("it failed: %w", errFatal) })
		}},
	} {
		r := proved(t, inProcess(t), 8, func(repo entity.Repo[note], long string) []costs.Pattern {
			return append(sound(repo, long), c.pattern(repo))
		})
		require.Equal(t, c.fatal, r.fatal > 0, what)
		require.Equal(t, !c.fatal, r.errors > 0, what)
	}
}

// A program whose requests do not tell a good estimate from a bad one proves nothing.
func TestAProgramThatProvesNothing(t *testing.T) {
	t.Parallel()
	require.Positive(t, proved(t, inProcess(t), 2, sound).errors, "two items are as dear as they are one by one")
}
