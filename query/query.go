package query

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Query is a read of the entities T of one partition. It is an immutable value: every method gives a new one, and a query may be shared.
type Query[T any] struct{ q request }

// request is a query without its type.
type request struct {
	env   *call.Env
	query read.Query
	err   error
}

// Of reads a partition of the table. The example gives the fields of the partition key, and none of the sort key.
//
// Through [entity.Repo.Strong] it is strongly consistent.
func Of[T any](s entity.Source[T], example T) Query[T] {
	return Query[T]{newRequest(s, "", codec.PtrTo(&example))}
}

// On reads a partition of a declared access pattern, by its name. The example gives the fields of the index's partition key, and
// none of its sort key. A global index is read eventually consistent, and only where it projects every attribute.
func On[T any](s entity.Source[T], access string, example T) Query[T] {
	r := newRequest(s, access, codec.PtrTo(&example))
	if access == "" && r.err == nil {
		r.err = fail.Refuse("", "the access pattern has no name", "name one, or read the table with query.Of")
	}
	return Query[T]{r}
}

func newRequest(source any, access string, example codec.Ptr) request {
	s := door.SourceOf(source)
	return request{
		env: s.Env, err: s.Err,
		query: read.Query{Plan: s.Plan, Access: access, Example: example, Strong: s.Strong},
	}
}

// Where narrows the read by the fields of the sort key: each with equality, from left to right, the last one with any operator of a
// key. A condition that the key cannot serve is an [entity.ErrInvalid] that names what could.
func (q Query[T]) Where(conds ...attr.KeyCond[T]) Query[T] {
	where := append(q.q.query.Where[:len(q.q.query.Where):len(q.q.query.Where)], expr.CondsOf(conds)...)
	q.q.query.Where = where
	return q
}

// Collection widens the query to the item collection: the items of every type in the partition. What Where asks of one type is refused
// ([entity.ErrInvalid]).
func (q Query[T]) Collection() Collection {
	r := q.q
	r.query.Collection = true
	return Collection{r}
}

// Input is the SDK's input of the query's first request, for whatever the library does not do.
func (q Query[T]) Input() (*dynamodb.QueryInput, error) { return q.q.input() }

// Collection is a read of an item collection. It is an immutable value.
type Collection struct{ q request }

// Input is the SDK's input of the read's first request.
func (c Collection) Input() (*dynamodb.QueryInput, error) { return c.q.input() }

// errNoSource is what a zero query says.
var errNoSource = fail.Refuse("", "the query reads from nowhere", "make it with query.Of or query.On")

func (r request) plan() (*read.Plan, error) {
	switch {
	case r.err != nil:
		return nil, r.refused(r.err)
	case r.query.Plan == nil:
		return nil, r.refused(errNoSource)
	}
	p, err := r.query.Compile()
	if err != nil {
		return nil, r.refused(err)
	}
	return p, nil
}

// refused makes an error of a query that is never sent.
func (r request) refused(err error) error {
	f := &call.Failure{Operation: "query", Plan: r.query.Plan, Kind: fail.Invalid, Outcome: op.NotApplied, Err: err}
	if r.env != nil {
		f.Table = r.env.Table
	}
	if r.query.Plan != nil {
		f.Entity, f.Index = r.query.Plan.Name, r.query.IndexName()
	}
	return door.Fail(f)
}

func (r request) input() (*dynamodb.QueryInput, error) {
	p, err := r.plan()
	if err != nil {
		return nil, err
	}
	return p.QueryInput(r.env.Table, 0, nil), nil
}
