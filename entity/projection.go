package entity

import (
	"context"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/repo"
)

// Projection reads items of T as the smaller struct P: DynamoDB returns only the attributes of P's
// fields. [Project] returns it. It reduces network traffic and decoding, but not read units,
// because DynamoDB charges for the whole item.
type Projection[T, P any] struct{ p *repo.Projection }

// Project declares P as a projection of T. Each field of P names an attribute of T, by its
// dynamodbav name or its Go name, and must have the Go type of T's field. T defines how the
// attribute is stored, so roles and options in P's tags have no effect. Project never fails:
// [Schema.Err] and [Schema.Open] report its mistakes with all others.
//
//	var Badges = entity.Project[Badge](Employees)
func Project[P, T any](t *Type[T]) Projection[T, P] {
	return Projection[T, P]{project(t.declared(), reflect.TypeFor[P]())}
}

// Get reads the item of the example's key as a P. It returns [trestle.ErrNotFound] if there is no
// item, or if the item with that key is of another type.
//
//go:noinline
func (p Projection[T, P]) Get(ctx context.Context, from Source[T], example T) (P, error) {
	var part P
	err := p.p.Get(ctx, opened(from), &example, &part)
	return part, err
}

// GetMany is [Reader.GetMany] for the projection's part of each item.
//
//go:noinline
func (p Projection[T, P]) GetMany(ctx context.Context, from Source[T], examples []T) ([]*P, error) {
	found := make([]*P, len(examples))
	return found, p.p.GetMany(ctx, opened(from), examples, found)
}

// Input returns the SDK input of Get, to inspect, test, or send by other means.
//
//go:noinline
func (p Projection[T, P]) Input(from Source[T], example T) (*dynamodb.GetItemInput, error) {
	return p.p.Input(opened(from), &example)
}

// Explain explains [Projection.Get] without sending it. The cost is that of reading the whole item.
// Only the first assumption counts.
//
//go:noinline
func (p Projection[T, P]) Explain(from Source[T], example T, assume ...trestle.Assumption) (trestle.Explanation, error) {
	return p.p.Explain(opened(from), &example, assume)
}

// ExplainMany explains [Projection.GetMany], like [Reader.ExplainMany].
//
//go:noinline
func (p Projection[T, P]) ExplainMany(from Source[T], examples []T, assume ...trestle.Assumption) (trestle.Explanation, error) {
	return p.p.ExplainMany(opened(from), examples, assume)
}

// project compiles a projection and adds its mistakes to the schema. It returns nil for a type that
// is not declared.
func project(t *repo.Type, p reflect.Type) *repo.Projection {
	if t == nil || t.Plan == nil {
		return nil
	}
	m, issues := repo.Project(t, p)
	if !t.Note(issues) {
		m.Late()
	}
	return m
}

//go:noinline
func (p Projection[T, P]) projection() *repo.Projection { return p.p }

// opened returns the repository of a source, or nil for nil.
func opened(s opener) *repo.Repo {
	if s == nil {
		return nil
	}
	return s.open()
}
