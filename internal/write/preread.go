package write

import (
	"errors"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// readBefore returns a strongly consistent read of the attributes that a plan depends on. It also
// reads the partition key, which shows whether the item exists, the type, and the time to live: an
// expired item is none.
func readBefore(p *core.Plan, key op.Item, attributes []string, expiry core.Expiry) op.Action {
	b := expr.NewBuilder()
	always := []string{p.Schema.Partition.Name}
	if p.Schema.TypeAttr != "" {
		always = append(always, p.Schema.TypeAttr)
	}
	all := slices.Concat(always, attributes, pointerAttributes(p))
	if p.TTL != nil {
		all = append(all, p.TTL.Name)
	}
	names := make([]string, 0, len(all))
	for _, a := range all {
		if n := b.Name(a); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	read := op.Action{Verb: op.Get, Plan: p, Key: key, Strong: true, Idempotent: true, Expiry: expiry}
	if text := strings.Join(names, ", "); expr.CheckLength(text) == nil { // else it reads the whole item
		read.Projection, read.Names = text, b.Names()
	}
	return read
}

// pointerAttributes lists the attributes that show whether the embedded pointers exist in front of
// members of index keys and companions. A member that is not stored is 0 if its pointer exists.
func pointerAttributes(p *core.Plan) (names []string) {
	for _, f := range p.Shape.Fields() {
		if !f.BehindPointer() || !f.ZeroIsValue() || !p.IndexMember(f) && !p.CompanionMember(f) {
			continue
		}
		for _, other := range p.Shape.Fields() {
			if f.ExistsWith(other) {
				names = append(names, p.StoredIn(other)...)
			}
		}
	}
	return names
}

// indexMemberAttributes lists the attributes that hold the members of index keys. It omits members
// that the table's key holds.
func indexMemberAttributes(p *core.Plan) []string {
	var names []string
	for _, x := range p.Indexes {
		for a := range x.Key.Attributes() {
			for _, f := range a.Members {
				if !inTableKey(p, f) {
					names = append(names, p.StoredIn(f)...)
				}
			}
		}
	}
	return names
}

// planAfterRead plans the update from the item that was read, or from a missing item if it is nil.
func (u *updateCall) planAfterRead(found []op.Item) ([]op.Action, error) {
	item := found[0]
	switch {
	case item == nil && !u.Upsert:
		return nil, errs.NotFound
	case item == nil && u.version != 0:
		return nil, errs.Stale
	case item != nil && !u.Plan.Admits(core.NewRow(item)):
		return nil, u.otherType()
	}
	stored, err := decodeStored(u.Plan, item)
	if err != nil {
		return nil, err
	}
	p := u.planner(stored)
	p.slots = found[1:]
	actions, err := p.plan()
	if p.creates() && u.wide() && errors.Is(err, errs.Limit) {
		p = u.planner(stored).asPut()
		p.slots = found[1:]
		return p.plan()
	}
	return actions, err
}

// storedItem is an item that is read before the write is planned.
type storedItem struct {
	plan   *core.Plan
	item   op.Item   // nil: there is no item
	entity codec.Ptr // the item, decoded; the zero entity if there is none
}

func decodeStored(p *core.Plan, item op.Item) (*storedItem, error) {
	s := &storedItem{plan: p, item: item, entity: p.NewEntity()}
	if item == nil {
		return s, nil
	}
	if err := p.Decode(item, s.entity); err != nil {
		return nil, errs.Undecodable(err)
	}
	return s, nil
}

// has reports whether the item has a field, in its attribute or in a key. NULL counts as absent.
func (s *storedItem) has(f *codec.Field) bool {
	return slices.ContainsFunc(s.plan.StoredIn(f), func(name string) bool { return s.item[name] != nil && codec.WireOf(s.item[name]) != codec.WireNULL })
}

// value returns the value of a field that a reader of the item gets: of a missing number, 0. A zero
// that no key can hold is absent, and so is a missing member of the table's key, which is not zero.
func (s *storedItem) value(f *codec.Field) (keys.Value, error) {
	missing := !s.has(f)
	if missing && s.plan.TableMember(f) {
		return keys.Value{}, nil
	}
	v, err := fieldValue(s.plan, f, s.entity)
	if missing && err != nil {
		return keys.Value{}, nil //nolint:nilerr // no key can hold the zero
	}
	return v, err
}
