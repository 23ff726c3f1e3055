package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

// Signature lists what item positions depend on besides the request: the key attributes, templates
// and formats of each type whose items the read can return. A position is valid only for a read
// with the same basis.
func (p *Plan) Signature() []string {
	var types []*core.Plan
	switch {
	case !p.AllTypes:
		types = []*core.Plan{p.Entity}
	case p.Scans():
		types = p.Schema.Plans
	case len(p.Only) > 0:
		types = p.Only
	default:
		types = p.types()
	}
	list := p.Schema.Signature()
	for _, a := range p.Position {
		list = append(list, a.Name, string(a.Type))
	}
	for _, t := range types {
		list = append(append(list, t.Name), t.Table.Signature(p.Schema)...)
		if key, ok := t.KeyOn(p.Index); ok && p.Index != nil {
			list = append(list, key.Signature(p.Schema)...)
		}
	}
	return list
}

// types returns the types that can have items in a partition of the read.
func (p *Plan) types() []*core.Plan {
	return slices.DeleteFunc(slices.Clone(p.Schema.Plans), func(t *core.Plan) bool {
		key, ok := t.KeyOn(p.Index)
		for i := 0; ok && i < p.Streams(); i++ {
			if p.Partition(i).canHold(key) {
				return false
			}
		}
		return true
	})
}

// canHold reports whether the partition can contain items with such a key.
func (p *Partition) canHold(key core.Key) bool {
	for _, a := range key.Partition {
		for i := range p.ranges.Len() {
			r := p.ranges.At(i)
			if r.attribute.Name != a.Name {
				continue
			}
			if _, err := a.Template.Parse(r.of.Lo); err != nil {
				return false
			}
		}
	}
	return true
}
