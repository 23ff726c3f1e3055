package query

import (
	"context"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/read"
)

// Collection reads an item collection: the items of every type in one partition of the table or of
// an index. It is an immutable value. It keeps the order, bounds and budgets of the query that it
// was made from.
type Collection struct{ q request }

// Prefix narrows the collection to items of any type whose sort key begins with prefix.
func (c Collection) Prefix(prefix string) Collection {
	return c.narrowed(read.Part{Prefix: prefix, Narrowed: true}, prefix == "")
}

// Between narrows the collection to items of any type whose sort key is between from and to,
// inclusive. If from or to is empty, the range is unbounded on that side. They must not both be
// empty.
func (c Collection) Between(from, to string) Collection {
	return c.narrowed(read.Part{From: from, To: to, Narrowed: true}, from == "" && to == "")
}

func (c Collection) narrowed(p read.Part, empty bool) Collection {
	switch {
	case empty:
		c.q.fault("the part of the collection has no bound", "leave it out to read the whole collection")
	case c.q.part().Narrowed:
		c.q.fault("the collection is narrowed already", "narrow it once, by Prefix or by Between")
	}
	p.Types = c.q.part().Types
	c.q.query.Part = &p
	return c
}

// Named is a type of the schema, such as an [entity.Type].
type Named interface{ Name() string }

// Types narrows the collection to items of these types. Further calls add types. A call without
// types changes nothing. Types is a filter: dropped items still cost read units.
func (c Collection) Types(types ...Named) Collection {
	part := c.q.part()
	part.Types = slices.Clip(part.Types)
	for _, t := range types {
		p := c.q.named(t)
		if p == nil {
			c.q.fault("a type is not one of the schema", "give the types that the schema defines")
			continue
		}
		part.Types = append(part.Types, p)
	}
	c.q.query.Part = &part
	return c
}

// part returns a copy of the part that the collection is narrowed to.
func (r *request) part() read.Part {
	if r.query.Part == nil {
		return read.Part{}
	}
	return *r.query.Part
}

// Filter drops items of a collection, or of a scan of all types, for which one of the conditions is
// false. The conditions apply to items of every type: they are made from the handles of one type,
// and test the attributes of the same name in all items. DynamoDB filters items after it reads
// them, so dropped items still cost read units.
func Filter[T any, C Collection | TableScan[any] | TableScan[entity.Raw]](c C, conds ...attr.Cond[T]) C {
	switch c := any(&c).(type) {
	case *Collection:
		if p := planFor[T](c.q.schema(), &c.q.faults); p != nil {
			c.q.filter(p, expr.CondsOf(conds))
		}
	case *TableScan[any]:
		c.s.filterBy(planFor[T](c.s.scan.Schema, &c.s.faults), expr.CondsOf(conds))
	case *TableScan[entity.Raw]:
		c.s.filterBy(planFor[T](c.s.scan.Schema, &c.s.faults), expr.CondsOf(conds))
	}
	return c
}

// planFor returns the plan of the Go type T. It returns nil without a schema; the method that runs
// the read then reports the error.
func planFor[T any](s *core.Schema, faults *errs.Problems) *core.Plan {
	if s == nil {
		return nil
	}
	for _, p := range s.Plans {
		if p.Type == reflect.TypeFor[T]() {
			return p
		}
	}
	*faults = append((*faults)[:len(*faults):len(*faults)], errs.Problem{
		Reason: "the conditions are of a type that is not one of the schema", Hint: "make them of a type that the schema defines",
	})
	return nil
}

// schema returns the schema of the query's type. It returns nil if the query has no source.
func (r *request) schema() *core.Schema {
	if r.query.Plan == nil {
		return nil
	}
	return r.query.Plan.Schema
}

// named returns the plan of a type, or nil if the type is not part of this schema.
func (r *request) named(t Named) *core.Plan {
	if s := r.schema(); s != nil && t != nil {
		if p := door.PlanOf(t); p != nil && p.Schema == s {
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
