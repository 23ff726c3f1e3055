package query

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/hooks"
)

// Projected is a query that returns a part P of each entity. [As] creates it.
type Projected[P any] struct {
	q          request
	projection hooks.Projection
}

// As reads the smaller struct P of each entity. DynamoDB sends only the attributes of P. This saves
// transfer and decoding but no read units: DynamoDB charges for the size of the whole item, or of
// the whole index entry. An index can serve the query if it projects the attributes of P.
func As[P, T any](q Query[T], p entity.Projection[T, P]) Projected[P] {
	of := hooks.ProjectionOf(p)
	switch {
	case q.q.err != nil:
	case of.Err != nil:
		q.q.err = of.Err
	case of.Plan != q.q.query.Plan:
		q.q.err = errs.New("", "the projection is of another type than the query", "declare it for the type of the query")
	}
	q.q.query.Fields = of.Fields
	return Projected[P]{q: q.q, projection: of}
}

// All streams the results like [Query.All].
//
//go:noinline
func (q Projected[P]) All(ctx context.Context) iter.Seq2[P, error] {
	return stream[P](ctx, projectedRunner(&q.q, &q.projection))
}

// Collect returns the results like [Query.Collect].
//
//go:noinline
func (q Projected[P]) Collect(ctx context.Context) ([]P, error) {
	var all []P
	err := projectedRunner(&q.q, &q.projection).collect(ctx, &all)
	return all, err
}

// First returns the first result like [Query.First].
//
//go:noinline
func (q Projected[P]) First(ctx context.Context) (P, error) {
	var item P
	err := projectedRunner(&q.q, &q.projection).atMost(ctx, 1, &item)
	return item, err
}

// One returns the only result like [Query.One].
//
//go:noinline
func (q Projected[P]) One(ctx context.Context) (P, error) {
	var item P
	err := projectedRunner(&q.q, &q.projection).atMost(ctx, 2, &item)
	return item, err
}

// Page returns one page of results like [Query.Page].
//
//go:noinline
func (q Projected[P]) Page(ctx context.Context, cursor string) (Page[P], error) {
	return pageOf[P](ctx, projectedRunner(&q.q, &q.projection), cursor)
}

// Input returns the SDK input of the first request like [Query.Input].
//
//go:noinline
func (q Projected[P]) Input() (*dynamodb.QueryInput, error) { return q.q.input() }

// Inputs returns the first requests like [Query.Inputs].
//
//go:noinline
func (q Projected[P]) Inputs() ([]*dynamodb.QueryInput, error) { return q.q.inputs() }

// projectedRunner returns a runner for a query of a part of each entity.
//
//go:noinline
func projectedRunner(r *request, p *hooks.Projection) *runner {
	projection := *p
	return &runner{request: *r, sink: func(l *list) core.Sink { return &projectionSink{list: l, projection: projection} }}
}
