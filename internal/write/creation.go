package write

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// An upsert leaves a new item as a Create of what a Get of the item returns would: with the zeros
// of the fields that it does not set, and with the index keys, guards and counts that follow from
// them. Without having read the item, it stores the zeros of absent attributes. They change nothing
// that a reader gets. If more follows from them, the upsert must know whether the item exists.

// mayCreate reports whether the update creates the item if there is none. An item with a version
// exists.
func (u *updateCall) mayCreate() bool { return u.Upsert && u.version == 0 }

// creates reports whether the update creates the item, because the read found none.
func (p *updatePlanner) creates() bool { return p.stored != nil && p.stored.item == nil }

// exists reports whether the read found the item.
func (p *updatePlanner) exists() bool { return p.stored != nil && p.stored.item != nil }

// creation is the item that an update creates if there is none.
type creation struct {
	given  op.Item   // the attributes that the steps of the planning have set so far
	entity codec.Ptr // what a reader of the item gets
	whole  op.Item   // what a put of the entity stores
}

// creation returns the item that the update creates. The error is that of a Create of the same
// entity.
func (p *updatePlanner) creation() (creation, error) {
	c := creation{given: p.expr.Created(), entity: p.Plan.NewEntity()}
	maps.Copy(c.given, p.key)
	if err := p.Plan.Decode(c.given, c.entity); err != nil {
		return c, errs.Undecodable(err)
	}
	for f, set := range p.assigned {
		if f.KeyOnly && set.known {
			if err := f.SetKey(set.value, c.entity); err != nil {
				return c, errs.Wrap(f.Name, err)
			}
		}
	}
	var err error
	c.whole, err = Item(p.Plan, c.entity)
	return c, err
}

// companions returns the guards of the item and the items that count it.
func (c *creation) companions(p *core.Plan) (companions, error) {
	return companionsOfEntity(p, c.entity, core.NewRow(c.whole))
}

// createsCompanions reports whether the update writes guards or counts if it creates the item. An
// error is reported if there is no item.
func (p *updatePlanner) createsCompanions() bool {
	var own companions
	c, err := p.creation()
	if err == nil {
		own, err = c.companions(p.Plan)
	}
	return err != nil || len(existing(own.guards))+len(existing(own.counting)) > 0
}

// completeItem adds what the item lacks if the update creates it: the zeros of its other fields,
// and its index keys.
func (p *updatePlanner) completeItem() error {
	if !p.mayCreate() || p.exists() {
		return nil
	}
	c, err := p.creation()
	if err != nil {
		if p.creates() {
			return err
		}
		return p.readItemFirst()
	}
	add := p.expr.Complete
	if p.creates() {
		add = func(name string, av types.AttributeValue) { p.expr.ChangeAttribute(expr.Set, name, av) }
	}
	for _, a := range p.Plan.Attrs {
		if !a.Rendered() || core.SameValue(c.given[a.Name], c.whole[a.Name]) {
			continue
		}
		if !p.creates() {
			return p.readItemFirst() // in an existing item, the key may be another one
		}
		add(a.Name, c.whole[a.Name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.whole)) {
		if c.given[name] == nil && !p.expr.Changes(name) {
			add(name, c.whole[name])
		}
	}
	if p.creates() {
		p.created = &c
		return nil
	}
	return p.readIfTooLong()
}

// reservedText is the space in an update expression for a write ID and the changes of counts.
const reservedText = 256

// readIfTooLong lets an update read the item first if its expression has no space for the zeros: an
// item that exists does not need them.
func (p *updatePlanner) readIfTooLong() error {
	if err := p.expr.Err(); err != nil {
		return err
	}
	if len(p.expr.Render(nil, new(expr.Builder))) > expr.MaxExpression-reservedText {
		return p.readItemFirst()
	}
	return nil
}

// wide reports whether the type has so many fields that an update expression that sets all of them
// can be too long. A clause has at most 16 bytes for most fields.
func (u *updateCall) wide() bool { return len(u.Plan.Shape.Fields()) >= expr.MaxExpression/32 }

// asPut makes the update create the item by a put, which has no expression that can be too long.
func (p *updatePlanner) asPut() *updatePlanner {
	p.puts = true
	return p
}

// putInstead makes an update of an item that does not exist a put of the same item, which returns
// nothing.
func (p *updatePlanner) putInstead(act *op.Action) {
	item := p.expr.Created()
	maps.Copy(item, p.key)
	act.Verb, act.Item, act.Key, act.Changes, act.Return = op.Put, op.NewContent(item), nil, nil, op.Nothing
	if len(p.Plan.Counters) > 0 {
		act.Entity = p.created.entity
	}
}
