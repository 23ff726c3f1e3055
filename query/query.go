package query

import (
	"context"
	"iter"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/read"
)

// Query is a read of the entities T of one partition. It is an immutable value: every method gives a new one, and a query may be shared. Bytes and
// pointers within what it was made of must not change while it is in use.
type Query[T any] struct{ q request }

// Of reads a partition of the table. The example gives the fields of the partition key, and none of the sort key.
//
// Through [entity.Repo.Strong] it is strongly consistent.
func Of[T any](s entity.Source[T], example T) Query[T] {
	return Query[T]{newRequest(s, "", &example)}
}

// On reads a partition of a declared access pattern, by its name. The example gives the fields of the index's partition key, and
// none of its sort key. A global index is read eventually consistent. One that does not project every attribute is read [As] a smaller struct.
func On[T any](s entity.Source[T], access string, example T) Query[T] {
	return Query[T]{newNamed(s, access, &example)}
}

// Where narrows the read by the fields of the sort key: each with equality, from left to right, the
// last one with any operator of a key. A condition on a field that the partition key holds is
// decided by the example, since all items of the partition have its value: where it holds it
// changes nothing, and where it does not the query finds nothing and sends nothing. The value is
// the one that the partition key keeps, such as the day of a time; a field that the sort key keeps
// in another format is asked there.
//
// A key decides by what its format keeps: where it holds seconds, an item of 10:00:00.5 counts as one
// of 10:00:00. [Query.Filter] asks the attribute itself.
//
// A condition that the key cannot serve is an [entity.ErrInvalid] that names what could. So is an
// operand that the key's format does not hold exactly, such as a time with nanoseconds where keys
// have seconds: it names the roundings.
func (q Query[T]) Where(conds ...attr.KeyCond[T]) Query[T] {
	for _, c := range conds {
		q.q.where(c)
	}
	return q
}

// Filter drops entities for which one of the conditions does not hold, after they were read: what it drops costs as much as what it lets
// through, and a page may be empty and yet not be the last. Attributes that are themselves the key that is read by, such as PK, cannot be asked for: the service refuses it.
func (q Query[T]) Filter(conds ...attr.Cond[T]) Query[T] {
	q.q.filter(q.q.query.Plan, conds)
	return q
}

// Desc reads from the end of the sort key to its beginning.
func (q Query[T]) Desc() Query[T] {
	q.q.query.Desc = true
	return q
}

// Limit is how many entities are wanted, n of 1 or more: of a page, or of all that the query yields. Without a filter no more than these are read and paid
// for; where types share the key, others that stand among them too, and up to twice as many in the end.
func (q Query[T]) Limit(n int) Query[T] {
	q.q.limit(n)
	return q
}

// PageSize is how many items one request passes at the most, those included that a filter drops: DynamoDB's Limit. Without it a request
// passes 1 MB, or what is left to the Limit of a query without filter.
func (q Query[T]) PageSize(n int) Query[T] {
	q.q.pageSize(n)
	return q
}

// MaxRequests is a budget: the read ends after n requests. Then [Query.Page] gives what it has, and a cursor to go on from; whatever else ends a query fails with [ErrBudget],
// unless it had come to its end.
func (q Query[T]) MaxRequests(n int) Query[T] {
	q.q.maxRequests(n)
	return q
}

// MaxUnits is a budget: the read sends no further request when it has consumed that many read units, and ends as with [Query.MaxRequests].
func (q Query[T]) MaxUnits(units float64) Query[T] {
	q.q.maxUnits(units)
	return q
}

// Prefetch reads one page ahead while the caller ranges over the one before: time for the price of a page that may not be looked at.
func (q Query[T]) Prefetch() Query[T] {
	q.q.bounds.Ahead = true
	return q
}

// Bind binds the query's cursors to something of the caller's own, such as the tenant and the user that they are made for: no other can
// go on with them.
func (q Query[T]) Bind(parts ...string) Query[T] {
	q.q.bind(parts)
	return q
}

// Collection widens the query to the item collection: the items of every type in the partition. With Where it is those whose sort key lies in the
// range that the conditions give for T, which other types reach where they share its template.
func (q Query[T]) Collection() Collection {
	return q.q.collection()
}

// Input is the SDK's input of the query's first request, for whatever the library does not do.
func (q Query[T]) Input() (*dynamodb.QueryInput, error) { return q.q.input() }

// All streams the entities in the order of the sort key, page after page: a page is read when the one before has been ranged over, and
// breaking off ends the reading. An error is yielded last, with the zero T, after all items that came before it.
func (q Query[T]) All(ctx context.Context) iter.Seq2[T, error] { return stream[T](ctx, q.runner()) }

// Collect is all that [Query.All] yields. With an error it gives what came before.
func (q Query[T]) Collect(ctx context.Context) ([]T, error) {
	var all []T
	err := q.runner().collect(ctx, &all)
	return all, err
}

// First is the first entity, [entity.ErrNotFound] where there is none. Without a filter it is one request for one item; a few
// more may be needed where types share the key, or others' items come first.
func (q Query[T]) First(ctx context.Context) (T, error) {
	var item T
	err := q.runner().few(ctx, 1, &item)
	return item, err
}

// One is the only entity: [entity.ErrNotFound] where there is none, [ErrSeveral] where there are more, whatever the Limit.
func (q Query[T]) One(ctx context.Context) (T, error) {
	var item T
	err := q.runner().few(ctx, 2, &item)
	return item, err
}

// Page is one page, from the beginning or from a cursor that the page before gave as Next.
func (q Query[T]) Page(ctx context.Context, cursor string) (Page[T], error) {
	return pageOf[T](ctx, q.runner(), cursor)
}

// Count is how many entities there are, up to the Limit. It costs what reading them costs, and no item is sent where the keys alone say
// what is counted: an item that another program put under a key of T counts as one, whatever it says it is.
func (q Query[T]) Count(ctx context.Context) (int, error) { return q.q.count(ctx) }

func (q Query[T]) runner() *runner { return newRunner(&q.q) }

// The functions below are what the methods of every Query have in common. They are not inlined: the
// compiler would repeat them for each entity.

// where adds an attr.KeyCond.
//
//go:noinline
func (r *request) where(cond any) { r.query.Where = r.query.Where.With(expr.CondOf(cond)) }

// filter adds conditions on a type's attributes.
//
//go:noinline
func (r *request) filter(p *readPlan, conds any) {
	filters := slices.Clip(r.query.Filter)
	for _, c := range expr.CondsOf(conds) {
		filters = append(filters, read.Filter{Plan: p, Cond: c})
	}
	r.query.Filter = filters
}

//go:noinline
func (r *request) limit(n int) { r.bounds.Items = r.positive("Limit", n) }

//go:noinline
func (r *request) pageSize(n int) { r.bounds.PageSize = r.positive("PageSize", n) }

//go:noinline
func (r *request) maxRequests(n int) { r.bounds.Requests = r.positive("MaxRequests", n) }

//go:noinline
func (r *request) maxUnits(units float64) {
	if !(units > 0) { // NaN is not
		r.fault("MaxUnits is not above 0", "leave it out to read without that budget")
	}
	r.bounds.Units = units
}

//go:noinline
func (r *request) bind(parts []string) { r.bound = append(slices.Clip(r.bound), parts...) }

// collection is the item collection of the query's partition.
//
//go:noinline
func (r *request) collection() Collection {
	c := *r
	c.query.Collection = true
	return Collection{c}
}

// positive notes a number that is none of things.
func (r *request) positive(what string, n int) int {
	if n <= 0 {
		r.fault(what+" is not above 0", "leave it out for no bound")
	}
	return n
}
