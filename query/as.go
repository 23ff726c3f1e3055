package query

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/read"
)

// Projected is a query of which a part P of each entity is wanted. [As] makes it.
type Projected[P any] struct {
	q  request
	of door.Projection
}

// As reads the smaller struct P of each entity: only its attributes are sent. That saves what is sent and decoded, not read units: the service
// charges for whole items, of an index for whole entries. An index serves it that holds the attributes of P.
func As[P, T any](q Query[T], p entity.Projection[T, P]) Projected[P] {
	of := door.ProjectionOf(p)
	switch {
	case q.q.err != nil:
	case of.Err != nil:
		q.q.err = of.Err
	case of.Plan != q.q.query.Plan:
		q.q.err = fail.Refuse("", "the projection is of another type than the query", "make it of the type that the table was opened with")
	}
	q.q.query.Fields = of.Fields
	return Projected[P]{q: q.q, of: of}
}

// All is [Query.All].
func (q Projected[P]) All(ctx context.Context) iter.Seq2[P, error] { return stream[P](ctx, q.runner()) }

// Collect is [Query.Collect].
func (q Projected[P]) Collect(ctx context.Context) ([]P, error) {
	var all []P
	err := q.runner().collect(ctx, &all)
	return all, err
}

// First is [Query.First].
func (q Projected[P]) First(ctx context.Context) (P, error) {
	var item P
	err := q.runner().few(ctx, 1, &item)
	return item, err
}

// One is [Query.One].
func (q Projected[P]) One(ctx context.Context) (P, error) {
	var item P
	err := q.runner().few(ctx, 2, &item)
	return item, err
}

// Page is [Query.Page].
func (q Projected[P]) Page(ctx context.Context, cursor string) (Page[P], error) {
	return pageOf[P](ctx, q.runner(), cursor)
}

// Input is [Query.Input].
func (q Projected[P]) Input() (*dynamodb.QueryInput, error) { return q.q.input() }

func (q Projected[P]) runner() *runner {
	return &runner{q.q, func(_ *read.Plan, l *list) sink { return &projectionSink{list: l, of: q.of} }}
}
