package repo

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// Explain explains the operation.
func (o *Op) Explain(assume []trestle.Assumption) (trestle.Explanation, error) {
	own := o.value()
	p, err := own.plan(own.options())
	if err != nil {
		return trestle.Explanation{}, err
	}
	table, name, assumed := own.repo.view.Exec.Table, own.verb.String(), firstOf(assume)
	switch {
	case own.verb == Get:
		return explain.Get(&p.Actions[0], table, assumed), nil
	case p.PreRead == nil:
		return explain.Write(name, p.Actions, p.Token, table, assumed), nil
	}
	actions, err := p.PreRead.Plan([]op.Item{placeholderItem(p.Plan, own.entity)})
	if err != nil {
		return trestle.Explanation{}, own.invalid(err)
	}
	return explain.WriteAfterRead(name, actions, p.Token, table, assumed), nil
}

func firstOf(assume []trestle.Assumption) trestle.Assumption {
	if len(assume) == 0 {
		return trestle.Assumption{}
	}
	return assume[0]
}

// placeholderItem returns a made-up item to explain a write that first reads the item. The item is
// on every index. Its key fields have the values of the entity, or arbitrary values where the
// entity has none. No value is shown. placeholderItem returns nil if it cannot find values that the
// keys accept.
func placeholderItem(p *core.Plan, entity any) op.Item {
	whole := copied(p, reflect.ValueOf(entity).Elem())
	at, version := codec.PtrOf(whole), p.Version
	for _, x := range p.Indexes {
		for a := range x.Key.Attributes() {
			for i, m := range a.Members {
				if m.IsZero(at) {
					copyEmbedded(whole, m.Index[:len(m.Index)-1])
					_ = m.SetKey(placeholder(a.Template.Fields()[i].Kind), at)
				}
			}
		}
	}
	o, _, err := write.Put(write.PutArgs{Plan: p, Entity: at})
	if err != nil {
		return nil
	}
	item := o.Actions[0].Item
	if version != nil && !version.IsZero(at) { // the put increments it
		item[version.Name], err = version.Encode(at)
	}
	if err != nil {
		return nil
	}
	return item
}

// placeholder returns an arbitrary value of a kind.
func placeholder(k keys.Kind) keys.Value {
	switch k {
	case keys.KindInt:
		return keys.Int(1)
	case keys.KindUint:
		return keys.Uint(1)
	case keys.KindFloat:
		return keys.Float(1)
	case keys.KindTime:
		return keys.Time(time.Unix(1, 0))
	case keys.KindBool:
		return keys.Bool(true)
	case keys.KindBytes:
		return keys.Bytes([]byte{1})
	default:
		return keys.Text("1")
	}
}
