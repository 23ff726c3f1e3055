package query

import (
	"context"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/read"
)

// Collection reads an item collection: the items of every type in one partition of the table or of
// an index. It is an immutable value. It keeps the order, bounds and budgets of the query that it
// was made from.
type Collection struct{ q request }

// Prefix narrows the collection to items of any type whose sort key begins with prefix.
func (c Collection) Prefix(prefix string) Collection {
	return c.narrowed(read.Subset{Prefix: prefix, Narrowed: true}, prefix == "")
}

// Between narrows the collection to items of any type whose sort key is between from and to,
// inclusive. If from or to is empty, the range is unbounded on that side. They must not both be
// empty.
func (c Collection) Between(from, to string) Collection {
	return c.narrowed(read.Subset{From: from, To: to, Narrowed: true}, from == "" && to == "")
}

func (c Collection) narrowed(p read.Subset, empty bool) Collection {
	switch {
	case empty:
		c.q.fault("the part of the collection has no bound", "leave it out to read the whole collection")
	case c.q.subset().Narrowed:
		c.q.fault("the collection is narrowed already", "narrow it once, by Prefix or by Between")
	}
	p.Types = c.q.subset().Types
	c.q.query.Subset = &p
	return c
}

// EntityType is a type of the schema, such as an [entity.Type].
type EntityType interface{ Name() string }

// Types narrows the collection to items of these types. Further calls add types. A call without
// types changes nothing. Types is a filter: dropped items still cost read units.
func (c Collection) Types(types ...EntityType) Collection {
	subset := c.q.subset()
	subset.Types = slices.Clip(subset.Types)
	for _, t := range types {
		p := c.q.named(t)
		if p == nil {
			c.q.fault("a type is not one of the schema", "give the types that the schema defines")
			continue
		}
		subset.Types = append(subset.Types, p)
	}
	c.q.query.Subset = &subset
	return c
}

// subset returns a copy of what the collection is narrowed to.
func (r *request) subset() read.Subset {
	if r.query.Subset == nil {
		return read.Subset{}
	}
	return *r.query.Subset
}

// Filter drops items of a collection, or of a scan of all types, for which one of the conditions is
// false. The conditions apply to items of every type: they are made from the handles of one type,
// and test the attributes of the same name in all items. DynamoDB filters items after it reads
// them, so dropped items still cost read units.
func Filter[T any, R AllTypes[R]](r R, conds ...attr.Cond[T]) R {
	return r.filtered(reflect.TypeFor[T](), expr.CondsOf(conds))
}

// AllTypes is a read of items of every type: a [Collection], or a [TableScan] that [ScanTable] or
// [ScanStored] returned.
type AllTypes[R any] interface {
	filtered(entity reflect.Type, conds []*expr.Cond) R
}

func (c Collection) filtered(entity reflect.Type, conds []*expr.Cond) Collection {
	c.q.filter(c.q.planOf(entity), conds)
	return c
}

// planOf returns the plan of a Go type. It returns nil without a schema; the method that runs the
// read then reports the error.
func (r *request) planOf(t reflect.Type) *core.Plan {
	if r.query.Schema == nil {
		return nil
	}
	p := planOf(r.query.Schema, t)
	if p == nil {
		r.fault("the conditions are of a type that is not in the schema", "make them of a type that the schema defines")
	}
	return p
}

// named returns the plan of a type, or nil if the type is not part of this schema.
func (r *request) named(t EntityType) *core.Plan {
	if s := r.query.Schema; s != nil && t != nil {
		if p := hooks.PlanOf(t); p != nil && p.Schema == s {
			return p
		}
	}
	return nil
}

// Page returns one page of the collection's items, in the form that [Items] yields. It starts at
// the beginning if cursor is empty, else at the Next cursor of the previous page.
func (c Collection) Page(ctx context.Context, cursor string) (Page[any], error) {
	return pageOf[any](ctx, c.runner(), cursor)
}

// Count returns the number of items in the collection, at most the Limit. It does not count the
// library's own items. It costs as many read units as reading the items.
func (c Collection) Count(ctx context.Context) (int, error) { return c.q.count(ctx) }

// Input returns the SDK input of the read's first request.
func (c Collection) Input() (*dynamodb.QueryInput, error) { return c.q.input() }

// Inputs returns the first requests like [Query.Inputs].
func (c Collection) Inputs() ([]*dynamodb.QueryInput, error) { return c.q.inputs() }
