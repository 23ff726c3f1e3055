package query

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/expr"
)

// Query reads the entities T of one partition. It is an immutable value: every method returns a new
// query, and goroutines may share one. Do not modify byte slices and pointed-to values in its
// arguments while the query is in use.
type Query[T any] struct{ q request }

// Of reads a partition of the table. The example sets the fields of the partition key and no field
// of the sort key.
//
// If s comes from [entity.Repo.Strong], the read is strongly consistent.
//
// If the partition key has a shard (<shard>, see [entity.Key]), the query reads all shards and
// merges them in the order of the sort key. Each page reads every shard that has not ended, which
// costs at least half a read unit each. For a Limit L and S shards, a page without a filter reads
// at most 2L + 4S items.
//
// If the partition key has a period of a time, such as <at:day>, the example may leave the time
// out, and a condition with Eq, Between or [attr.During] selects the periods: the query reads one
// partition after the other, from the first period to the last one, or backwards with Desc or if
// the sort key has the time in descending order. A sort key that holds the time more exactly, such
// as <at:s>, is narrowed by the same condition. See [Query.Periods].
func Of[T any](s entity.Source[T], example T) Query[T] {
	return Query[T]{newRequest(s, "", &example)}
}

// On reads a partition of the access pattern with the name access. The example sets the fields of
// the index's partition key and no field of its sort key. Reads of a global index are eventually
// consistent. If the index does not project every attribute, use [Query.Fetch] to read the whole
// items, or [As] to read a smaller struct.
func On[T any](s entity.Source[T], access string, example T) Query[T] {
	return Query[T]{newNamed(s, access, &example)}
}

// Where adds conditions on the fields of the sort key to the key condition. The conditions must use
// Eq for the fields from left to right; only the last one may use another key operator.
//
// A condition on a field of the partition key is evaluated without a request, because all items of
// the partition have the same value. If it is true, it has no effect. If it is false, the query
// returns no items and sends no request. It uses the value that the partition key holds, such as
// the day of a time. If the sort key also has the field, in another format, the condition applies
// to the sort key.
//
// A key condition compares values in the key's format. If the key holds seconds, an item of
// 10:00:00.5 compares as 10:00:00. Use [Query.Filter] to compare the attribute itself.
//
// The query fails with [trestle.ErrInvalid] if the key condition cannot contain a condition; the
// error suggests an alternative. It also fails if the format of the key cannot represent an operand
// exactly, such as a time with nanoseconds for a key with seconds; the error names the rounding
// functions.
//
//go:noinline
func (q Query[T]) Where(conds ...attr.KeyCond[T]) Query[T] {
	for _, c := range conds {
		q.q.where(c)
	}
	return q
}

// Filter drops entities for which one of the conditions is false. DynamoDB filters items after it
// reads them, so dropped items still cost read units, and a page may be empty without being the
// last. A filter must not use attributes of the key that the query reads by, such as PK: DynamoDB
// rejects such a filter.
//
//go:noinline
func (q Query[T]) Filter(conds ...attr.Cond[T]) Query[T] {
	q.q.filter(q.q.query.Plan, expr.CondsOf(conds))
	return q
}

// Desc reads in descending order of the sort key.
//
//go:noinline
func (q Query[T]) Desc() Query[T] {
	q.q.query.Desc = true
	return q
}

// Limit sets the maximum number of entities, for a page or for the whole query. n is at least 1.
// Without a filter, the query reads no other items. If several types share the key template, it
// also reads the items of other types between them. It then reads at most about twice as many items
// as necessary.
//
//go:noinline
func (q Query[T]) Limit(n int) Query[T] {
	q.q.limit(n)
	return q
}

// PageSize sets the maximum number of items that one request reads, including the items that a
// filter drops. It is DynamoDB's Limit. By default a request reads up to 1 MB, or the rest of the
// Limit if the query has no filter.
//
//go:noinline
func (q Query[T]) PageSize(n int) Query[T] {
	q.q.pageSize(n)
	return q
}

// MaxRequests is a budget: the read ends after n requests. [Query.Page] then returns what it has
// read and a cursor to continue from. Every other method fails with [ErrBudget], unless the read is
// complete. A query of a partition with shards needs at least a request for each shard.
//
//go:noinline
func (q Query[T]) MaxRequests(n int) Query[T] {
	q.q.maxRequests(n)
	return q
}

// MaxUnits is a budget: the read sends no further request once it has consumed that many read
// units. It then ends as with [Query.MaxRequests]. A query of a partition with shards first sends a
// request for each shard, whatever they consume.
//
//go:noinline
func (q Query[T]) MaxUnits(units float64) Query[T] {
	q.q.maxUnits(units)
	return q
}

// Prefetch reads one page ahead while the caller ranges over the current page. This saves time, but
// costs the read units of a page that the caller may not use.
//
//go:noinline
func (q Query[T]) Prefetch() Query[T] {
	q.q.bounds.Ahead = true
	return q
}

// Periods sets how many periods a query reads at most whose partition key has a period of a time,
// such as <at:day>, and how many of them at the same time. A condition on that time, with two
// bounds, selects the periods: see [Of]. By default these are 100 and 1. A query that covers more
// periods fails with [trestle.ErrLimit] before it sends a request. Periods that are read at the
// same time cost their read units also if the caller stops before them.
//
//go:noinline
func (q Query[T]) Periods(most, atOnce int) Query[T] {
	q.q.periods(most, atOnce)
	return q
}

// Fetch reads the whole items of an index that does not project all attributes that the query
// returns or filters by. For each page of index entries it reads the items by their keys, in batch
// reads of 100 keys, in the order of the index. If the index has all these attributes, and for a
// read of the table, Fetch has no effect. [Query.Count] and [Collection.Delete] do not fetch. Count
// counts the entries, also those whose item was deleted or moved meanwhile. With a filter on
// attributes that the index lacks, its error is [trestle.ErrInvalid].
//
// Each item costs at least half a read unit, as in [entity.Reader.GetMany], in addition to the cost
// of the entries. Keys that DynamoDB leaves unprocessed are read again after a pause. Budgets
// include all these requests: MaxRequests is at least 2, and the first batch read of a query is
// sent whatever MaxUnits is. A request reads at most 100 entries, unless PageSize is set. Prefetch
// reads entries ahead, and not their items.
//
// An item is left out, and counted in [Page.Gone], if it was deleted, or if its key on the index
// has changed: a moved item has another entry. An expired item is left out too, and not counted;
// the index need not project the time to live. A filter applies to the item, not to the entry.
// Conditions on attributes of the index are also sent with the request of the index; items for
// which only another one is false are read, and cost their read units.
//
// If the source comes from [entity.Repo.Strong], the items are read strongly consistently, at twice
// the units, also if the index projects all attributes. The entries of a global index are still
// eventually consistent: a new item may be missing, but an item that is returned is up to date.
//
//go:noinline
func (q Query[T]) Fetch() Query[T] {
	q.q.query.Fetch = true
	return q
}

// Progress calls f after each page that All has yielded, or that Collect, First or One has read. It
// calls f in the goroutine of the caller. Page and Count do not call it.
//
//go:noinline
func (q Query[T]) Progress(f func(Progress)) Query[T] {
	q.q.progress = f
	return q
}

// Bind binds the query's cursors to values of the caller, such as a tenant and a user. A query that
// is bound to other values rejects these cursors.
//
//go:noinline
func (q Query[T]) Bind(parts ...string) Query[T] {
	q.q.bind(parts)
	return q
}

// Collection widens the query to the item collection: the items of every type in the partition.
// With Where, it includes the items whose sort key is in the range of the conditions for T. Items
// of other types can be in that range if they share the template of its sort key.
//
//go:noinline
func (q Query[T]) Collection() Collection {
	return q.q.collection()
}

// Input returns the SDK input of the query's first request, for use with the SDK directly.
//
//go:noinline
func (q Query[T]) Input() (*dynamodb.QueryInput, error) { return q.q.input() }

// Inputs returns the SDK inputs of the first request of each partition: of one, or of all shards
// and periods.
//
//go:noinline
func (q Query[T]) Inputs() ([]*dynamodb.QueryInput, error) { return q.q.inputs() }

// All streams the entities in the order of the sort key. It reads a page after the caller has
// ranged over the previous one, and stops when the caller breaks the loop. It yields an error last,
// with the zero T, after all entities before the error.
//
//go:noinline
func (q Query[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return stream[T](ctx, newRunner(&q.q))
}

// Collect returns everything that [Query.All] yields. With an error it returns the entities before
// the error.
//
//go:noinline
func (q Query[T]) Collect(ctx context.Context) ([]T, error) {
	var all []T
	err := newRunner(&q.q).collect(ctx, &all)
	return all, err
}

// First returns the first entity, or [trestle.ErrNotFound] if there is none. Without a filter, it
// sends one request for one item. It may send a few more if several types share the key template,
// or if other items precede the entity.
//
//go:noinline
func (q Query[T]) First(ctx context.Context) (T, error) {
	var item T
	err := newRunner(&q.q).atMost(ctx, 1, &item)
	return item, err
}

// One returns the only entity. It returns [trestle.ErrNotFound] if there is none and [ErrSeveral]
// if there are more. It ignores the Limit.
//
//go:noinline
func (q Query[T]) One(ctx context.Context) (T, error) {
	var item T
	err := newRunner(&q.q).atMost(ctx, 2, &item)
	return item, err
}

// Page returns one page. It starts at the beginning if cursor is empty, else at the Next cursor of
// the previous page.
//
//go:noinline
func (q Query[T]) Page(ctx context.Context, cursor string) (Page[T], error) {
	return pageOf[T](ctx, newRunner(&q.q), cursor)
}

// Count returns the number of entities, at most the Limit. It costs as many read units as reading
// them. If no other type shares the keys of T, DynamoDB counts and sends no items. Count is then
// the number of items in the range of keys, and includes those that the other methods leave out
// because another program wrote them there: items of another type or of none, which
// maintain.CheckItems counts.
//
// On the handle of a tenant ([entity.Table.Tenant]), DynamoDB sends the keys of index entries, and
// an entry of another tenant is [trestle.ErrTenant]. A count does not check the field with the role
// tenant. In the table it checks nothing, because all keys of the partition are of the tenant.
//
//go:noinline
func (q Query[T]) Count(ctx context.Context) (int, error) { return q.q.count(ctx) }

// collection returns the item collection of the query's partition.
//
//go:noinline
func (r *request) collection() Collection {
	c := *r
	c.query.Collection = true
	return Collection{c}
}
