package write

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// StoredCounting returns the keys of the items that count a stored item, by count: nil for none. It
// returns an error for an item that cannot be decoded.
func StoredCounting(p *core.Plan, item op.Item) ([]op.Item, error) {
	c, err := companionsBefore(p, item, nil)
	return c.counting, err
}

// CountCheck is an item that counts others, as it was read, and the numbers of those items.
type CountCheck struct {
	Plan   *core.Plan
	Stored Stored
	Items  map[*codec.Field]int64
}

// Wrong returns the counts that are not the numbers of the items.
func (c *CountCheck) Wrong() []*codec.Field {
	return slices.DeleteFunc(slices.Clone(c.Plan.Counters), func(f *codec.Field) bool {
		n, ok := c.Count(f)
		return ok && n == c.Items[f]
	})
}

// Count returns a stored count. ok is false if it is not a whole number.
func (c *CountCheck) Count(f *codec.Field) (n int64, ok bool) {
	switch av := c.Stored.Item[f.Name].(type) {
	case nil, *types.AttributeValueMemberNULL:
		return 0, true
	case *types.AttributeValueMemberN:
		n, err := strconv.ParseInt(av.Value, 10, 64)
		return n, err == nil
	default:
		return 0, false
	}
}

// countState returns the attributes that show whether a counting item was written: its counts, its
// version, and the time when it was created.
func countState(p *core.Plan) []*codec.Field {
	fields := slices.Clone(p.Counters)
	for _, f := range []*codec.Field{p.Version, p.Created} {
		if f != nil {
			fields = append(fields, f)
		}
	}
	return fields
}

// CountAttributes lists the attributes that a check of a counting item reads: the table's key and
// what it is rendered from, the type, and what shows whether it was written.
func CountAttributes(p *core.Plan) []string {
	names := []string{p.Schema.TypeAttr, p.Schema.Partition.Name, p.Schema.Sort.Name}
	for _, f := range countState(p) {
		names = append(names, f.Name)
	}
	for a := range p.Table.Attributes() {
		for _, f := range a.Members {
			names = append(names, p.StoredIn(f)...)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// UnchangedIn reports whether a later read of the counting item shows that it was not written. A
// type without a version only shows that no count changed.
func (c *CountCheck) UnchangedIn(later op.Item) bool {
	return !slices.ContainsFunc(countState(c.Plan), func(f *codec.Field) bool {
		return !core.SameValue(c.Stored.Item[f.Name], later[f.Name])
	})
}

// Correct returns an update that sets some counts to the numbers of the items. It is conditional on
// the counting item not having been written since it was read.
func (c *CountCheck) Correct(fields []*codec.Field) (op.Action, error) {
	conds := newConditions(c.Plan)
	update := expr.NewUpdate()
	conds.requireThere()
	for _, f := range countState(c.Plan) {
		conds.require(valueOf(f.Name, c.Stored.Item[f.Name], false))
	}
	conds.requireType(errs.NotFound)
	for _, f := range fields {
		update.ChangeAttribute(expr.Set, f.Name, &types.AttributeValueMemberN{Value: strconv.FormatInt(c.Items[f], 10)})
	}
	if v := c.Plan.Version; v != nil {
		verb := expr.Add
		if codec.WireOf(c.Stored.Item[v.Name]) == codec.WireNULL {
			verb = expr.Set
		}
		update.ChangeAttribute(verb, v.Name, &types.AttributeValueMemberN{Value: "1"})
	}
	a := op.Action{Verb: op.Update, Plan: c.Plan, Key: c.Stored.Key, Changes: update}
	err := conds.addTo(&a)
	return a, err
}
