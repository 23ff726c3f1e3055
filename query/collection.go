package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/read"

	"reflect"
)

// Collection is a read of an item collection: a partition of the table or of an index, with the items of every type in it. It is an immutable
// value. Order, bounds and budgets are those of the query that it was made of.
type Collection struct{ q request }

// Prefix narrows the collection to the items whose sort key begins with a text, of whatever types these are.
func (c Collection) Prefix(prefix string) Collection {
	return c.narrowed(read.Part{Prefix: prefix, Narrowed: true}, prefix == "")
}

// Between narrows the collection to the items whose sort key stands between two texts, both included, of whatever types these are. An
// empty text leaves its side open.
func (c Collection) Between(from, to string) Collection {
	return c.narrowed(read.Part{From: from, To: to, Narrowed: true}, from == "" && to == "")
}

func (c Collection) narrowed(p read.Part, empty bool) Collection {
	switch {
	case empty:
		c.q.fault("the part of the collection has no bound", "leave it out to read the whole collection")
	case c.q.query.Part.Narrowed:
		c.q.fault("the collection is narrowed already", "narrow it once, by Prefix or by Between")
	}
	p.Types = c.q.query.Part.Types
	c.q.query.Part = p
	return c
}

// Named is a type of the schema, such as an [entity.Type].
type Named interface{ Name() string }

// Types narrows the collection to items of these types. It is a filter: what it drops costs as much as what it lets through.
func (c Collection) Types(types ...Named) Collection {
	all := c.q.query.Part.Types[:len(c.q.query.Part.Types):len(c.q.query.Part.Types)]
	for _, t := range types {
		p := c.plan(func(p *core.Plan) bool { return t != nil && p.Name == t.Name() })
		if p == nil {
			c.q.fault("a type is not one of the schema", "give the types that the schema defines")
			continue
		}
		all = append(all, p)
	}
	c.q.query.Part.Types = all
	return c
}

// Filter drops the items of a collection for which one of the conditions does not hold, after they were read, whatever their type: a
// condition is made of one type's handles, and asks the same attributes of all. What it drops costs as much as what it lets through.
func Filter[T any](c Collection, conds ...attr.Cond[T]) Collection {
	if c.q.err != nil || c.q.query.Plan == nil {
		return c
	}
	p := c.plan(func(p *core.Plan) bool { return p.Type == reflect.TypeFor[T]() })
	if p == nil {
		c.q.fault("the conditions are of a type that is not one of the schema", "make them of a type that the schema defines")
		return c
	}
	c.q.filter(p, expr.CondsOf(conds))
	return c
}

// plan finds a type of the schema.
func (c Collection) plan(is func(*core.Plan) bool) *core.Plan {
	if c.q.query.Plan == nil {
		return nil
	}
	for _, p := range c.q.query.Plan.Schema.Plans {
		if is(p) {
			return p
		}
	}
	return nil
}

// Page is one page of the collection's items, as [Items] yields them, from the beginning or from a cursor that the page before gave as Next.
func (c Collection) Page(ctx context.Context, cursor string) (Page[any], error) {
	return c.ending().page(ctx, cursor)
}

// Count is how many items the collection has, up to the Limit. The library's own are not counted. It costs what reading them costs.
func (c Collection) Count(ctx context.Context) (int, error) { return c.q.count(ctx) }

// Input is the SDK's input of the read's first request.
func (c Collection) Input() (*dynamodb.QueryInput, error) { return c.q.input() }
