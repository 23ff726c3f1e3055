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
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/read"
)

// Collection is a read of an item collection: a partition of the table or of an index, with the items of every type in it. It is an immutable
// value. Order, bounds and budgets are those of the query that it was made of.
type Collection struct{ q request }

// Prefix narrows the collection to the items whose sort key begins with a text, of whatever types these are.
func (c Collection) Prefix(prefix string) Collection {
	return c.narrowed(read.Part{Prefix: prefix, Narrowed: true}, prefix == "")
}

// Between narrows the collection to the items whose sort key stands between two texts, both included, of whatever types these are. An
// empty text leaves its side open; not both.
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

// Types narrows the collection to items of these types; given none, it narrows nothing. Types of
// further calls come too. It is a filter: what it drops costs as much as what it lets through.
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

// part is what the collection is narrowed to, as a copy.
func (r *request) part() read.Part {
	if r.query.Part == nil {
		return read.Part{}
	}
	return *r.query.Part
}

// Filter drops the items of a collection, or of a scan of all types, for which one of the conditions does not hold, after they were read, whatever
// their type: a condition is made of one type's handles, and asks the same attributes of all. What it drops costs as much as what it lets through.
func Filter[T any, C Collection | TableScan[any] | TableScan[entity.Raw]](c C, conds ...attr.Cond[T]) C {
	switch c := any(&c).(type) {
	case *Collection:
		if p := planFor[T](c.q.schema(), &c.q.faults); p != nil {
			c.q.filter(p, conds)
		}
	case *TableScan[any]:
		c.s.filterBy(planFor[T](c.s.scan.Schema, &c.s.faults), conds)
	case *TableScan[entity.Raw]:
		c.s.filterBy(planFor[T](c.s.scan.Schema, &c.s.faults), conds)
	}
	return c
}

// planFor finds the plan of a Go type. Without a schema nothing can be read, which is said by whatever ends the read.
func planFor[T any](s *core.Schema, faults *fail.Problems) *core.Plan {
	if s == nil {
		return nil
	}
	for _, p := range s.Plans {
		if p.Type == reflect.TypeFor[T]() {
			return p
		}
	}
	*faults = append((*faults)[:len(*faults):len(*faults)], fail.Problem{
		Reason: "the conditions are of a type that is not one of the schema", Hint: "make them of a type that the schema defines",
	})
	return nil
}

// schema is what the query's type is defined in; nil of a query that cannot be used.
func (r *request) schema() *core.Schema {
	if r.query.Plan == nil {
		return nil
	}
	return r.query.Plan.Schema
}

// named opens a type of the schema; nil for one of another.
func (r *request) named(t Named) *core.Plan {
	if s := r.schema(); s != nil && t != nil {
		if p := door.PlanOf(t); p != nil && p.Schema == s {
			return p
		}
	}
	return nil
}

// Page is one page of the collection's items, as [Items] yields them, from the beginning or from a cursor that the page before gave as Next.
func (c Collection) Page(ctx context.Context, cursor string) (Page[any], error) {
	return pageOf[any](ctx, c.runner(), cursor)
}

// Count is how many items the collection has, up to the Limit. The library's own are not counted. It costs what reading them costs.
func (c Collection) Count(ctx context.Context) (int, error) { return c.q.count(ctx) }

// Input is the SDK's input of the read's first request.
func (c Collection) Input() (*dynamodb.QueryInput, error) { return c.q.input() }
