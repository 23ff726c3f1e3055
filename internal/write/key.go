package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Key renders the table's key from an example. The error names every absent member.
func Key(p *core.Plan, example codec.Ptr) (op.Item, error) {
	key := make(op.Item, 2)
	var wrong errs.Problems
	addTableKey(p, key, example, &wrong)
	return key, wrong.Err()
}

// addTableKey renders the attributes of the table's key. It reports absent members.
func addTableKey(p *core.Plan, key op.Item, entity codec.Ptr, wrong *errs.Problems) {
	for a := range p.Table.Attributes() {
		var buffer [4]keys.Value
		vals := buffer[:0]
		for _, m := range a.Members {
			v, err := p.Value(m, entity)
			switch {
			case err != nil:
				wrong.AddErr(m.Name, err)
			case v.IsAbsent() && m.IsDerived(): // so is a field that it is computed from, which is reported
			case v.IsAbsent():
				wrong.Add(m.Name, "is absent, and the key attribute "+a.Name+" ("+a.Template.String()+") needs it", "give "+m.GoName+" a value")
			default:
				vals = append(vals, v)
			}
		}
		if len(vals) < len(a.Members) {
			continue
		}
		av, err := a.Render(vals)
		wrong.AddErr(a.Name, err)
		if err == nil {
			key[a.Name] = av
		}
	}
}

// Get plans the read of one item by its key. A strongly consistent read costs twice the read units.
func Get(p *core.Plan, example codec.Ptr, strong bool) (op.Operation, error) {
	key, err := Key(p, example)
	if err != nil {
		return op.Operation{}, err
	}
	return operation("get", op.Action{Verb: op.Get, Plan: p, Key: key, Strong: strong, Idempotent: true}), nil
}

// operation returns an operation of one action.
func operation(name string, act op.Action) op.Operation {
	return op.Operation{Name: name, Plan: act.Plan, Actions: []op.Action{act}}
}
