package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// MaxItem is the maximum size of an item in bytes, including attribute names.
const MaxItem = 409_600

// Item returns the complete item of an entity: its attributes, its type, the table's key and the
// keys of all indexes that contain it. It reports all errors at once. The error is errs.Limit if a
// key or the item is too large.
func Item(p *core.Plan, entity codec.Ptr) (op.Item, error) {
	return newItem(p, entity, op.Expected{})
}

// newItem is Item with a write ID, or without one if it is zero.
func newItem(p *core.Plan, entity codec.Ptr, id op.Expected) (op.Item, error) {
	item := make(op.Item, len(p.Shape.Fields())+len(p.Attrs)+3)
	var wrong errs.Problems
	wrong.AddErr("", p.Shape.Encode(entity, item))
	if p.Rest != nil {
		dropSystem(p, item)
	}
	for _, f := range p.Counters {
		if item[f.Name] == nil { // omitted, but then no condition on the count would hold
			item[f.Name] = numberOf(0)
		}
	}
	addTableKey(p, item, entity, &wrong)
	for _, x := range p.Indexes {
		addIndex(p, item, x, entity, &wrong)
		checkIndexSize(x, func(a *core.KeyAttr) types.AttributeValue { return item[a.Name] }, &wrong)
	}
	if p.Schema.TypeAttr != "" {
		item[p.Schema.TypeAttr] = &types.AttributeValueMemberS{Value: p.Name}
	}
	if p.TTL != nil {
		checkTTL(p, item[p.TTL.Name], &wrong)
	}
	if id.Value != nil {
		item[id.Attribute] = id.Value
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	for name, av := range item {
		if codec.TooDeep(av) {
			wrong.AddLimit(name, "is nested more than 32 levels deep", "split the item")
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if codec.ItemSize(item) > MaxItem {
		wrong.AddLimit("", "the item is larger than 400 KB (409,600 bytes, names and values)", "split it, or keep the large part elsewhere")
		return nil, wrong.Err()
	}
	return item, nil
}

// dropSystem deletes attributes of the rest field that only the library may write.
func dropSystem(p *core.Plan, item op.Item) {
	for name := range item {
		if f := p.Shape.ByName(name); (f == nil || f.KeyOnly) && p.IsSystem(name) {
			delete(item, name)
		}
	}
}

// addIndex renders the key of an index. It adds no attributes if a member is absent, because the
// item is then not on the index.
func addIndex(p *core.Plan, item op.Item, x *core.IndexKey, entity codec.Ptr, wrong *errs.Problems) {
	var buffer [8]keys.Value
	vals, on := indexMembers(p, x, entity, buffer[:0], wrong)
	for a := range x.Key.Attributes() {
		own := vals[:len(a.Members)]
		vals = vals[len(a.Members):]
		switch {
		case a.Field != nil && !a.Table:
			wrong.AddErr(a.Name, validate(p, a.Field, own[0]))
		case on && a.Rendered() && item[a.Name] == nil:
			av, err := a.Render(own)
			wrong.AddErr(a.Name, err)
			if err == nil {
				item[a.Name] = av
			}
		}
	}
}

// indexMembers returns the values of all members of an index's key, and whether all of them are
// present.
func indexMembers(p *core.Plan, x *core.IndexKey, entity codec.Ptr, vals []keys.Value, wrong *errs.Problems) ([]keys.Value, bool) {
	on := true
	for a := range x.Key.Attributes() {
		for _, m := range a.Members {
			v, err := p.Value(m, entity)
			wrong.AddErr(m.Name, err)
			on = on && err == nil && !v.IsAbsent()
			vals = append(vals, v)
		}
	}
	return vals, on
}
