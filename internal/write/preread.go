package write

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// readFor returns a strongly consistent read of the attributes that a plan depends on. It also
// reads the partition key, which shows whether the item exists, and the type.
func readFor(p *core.Plan, key op.Item, attributes []string) op.Action {
	b := expr.NewBuilder()
	always := []string{p.Schema.Partition.Name}
	if p.Schema.TypeAttr != "" {
		always = append(always, p.Schema.TypeAttr)
	}
	names := make([]string, 0, len(attributes)+len(always))
	for _, a := range append(always, attributes...) {
		if n := b.Name(a); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return op.Action{
		Verb: op.Get, Plan: p, Key: key, Strong: true, Idempotent: true,
		Projection: strings.Join(names, ", "), Names: b.Names(),
	}
}

// readSet lists all attributes that index decisions can depend on.
func readSet(p *core.Plan) []string {
	var names []string
	for _, x := range p.Indexes {
		for a := range x.Key.Attributes() {
			for _, m := range a.Members {
				if !certain(p, m) {
					names = append(names, holders(p, m)...)
				}
			}
		}
	}
	return names
}

// reading is an item that is read before the write is planned.
type reading struct {
	plan   *core.Plan
	item   op.Item   // nil: there is no item
	entity codec.Ptr // the item, decoded
}

func newReading(p *core.Plan, met op.Item) (*reading, error) {
	r := &reading{plan: p, item: met}
	if met == nil {
		return r, nil
	}
	r.entity = p.NewEntity()
	if err := p.Decode(met, r.entity); err != nil {
		return nil, errs.Undecodable(err)
	}
	return r, nil
}

// has reports whether the item has a field, in its attribute or in a key.
func (r *reading) has(f *codec.Field) bool {
	return slices.ContainsFunc(holders(r.plan, f), func(name string) bool { return r.item[name] != nil })
}

// value returns the item's value of a field. A missing number is absent, although it decodes to 0.
func (r *reading) value(f *codec.Field) (keys.Value, error) {
	if !r.has(f) {
		return keys.Value{}, nil
	}
	return r.plan.Value(f, r.entity)
}
