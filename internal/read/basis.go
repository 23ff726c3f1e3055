package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

// Basis lists what item positions depend on besides the request: the key attributes, templates and
// formats of each type whose items the read can return. A position is valid only for a read with
// the same basis.
func (p *Plan) Basis() []string {
	types := []*core.Plan{p.Entity}
	switch {
	case p.AllTypes && len(p.Only) > 0:
		types = p.Only
	case p.AllTypes:
		types = p.types()
	}
	return basis(p.Entity.Schema, p.Index, p.Position, types)
}

// types returns the types that can have items in a partition of the read.
func (p *Plan) types() []*core.Plan {
	return slices.DeleteFunc(slices.Clone(p.Entity.Schema.Plans), func(t *core.Plan) bool {
		key, ok := t.KeyOn(p.Index)
		for i := 0; ok && i < p.Parts(); i++ {
			if p.Part(i).holds(key) {
				return false
			}
		}
		return true
	})
}

// holds reports whether the partition can contain items with such a key.
func (p *Partition) holds(key core.Key) bool {
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

// Basis is like [Plan.Basis], for a scan. A scan of all types depends on all types.
func (p *ScanPlan) Basis() []string {
	types := p.Schema.Plans
	if p.Entity != nil {
		types = []*core.Plan{p.Entity}
	}
	return basis(p.Schema, p.Index, p.Position, types)
}

func basis(s *core.Schema, x *core.Index, position []core.Attribute, types []*core.Plan) []string {
	list := s.Signature()
	for _, a := range position {
		list = append(list, a.Name, string(a.Type))
	}
	for _, t := range types {
		list = append(append(list, t.Name), t.Table.Signature(s)...)
		if key, ok := t.KeyOn(x); ok && x != nil {
			list = append(list, key.Signature(s)...)
		}
	}
	return list
}
