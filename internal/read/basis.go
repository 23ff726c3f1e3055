package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

// Basis lists what the places of items in the read depend on, beside what its request says: key
// attributes, templates and formats, of each type whose items the read may bring. A place is of no
// use to a read with another basis.
func (p *Plan) Basis() []string {
	types := []*core.Plan{p.Entity}
	switch {
	case p.Mixed && len(p.Only) > 0:
		types = p.Only
	case p.Mixed:
		types = p.types()
	}
	return basis(p.Entity.Schema, p.Index, p.Position, types)
}

// types are those whose items can be in a partition of the read.
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

// holds reports whether items with such a key can be in the partition.
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

// Basis is [Plan.Basis] of a scan. One of all types depends on all of them.
func (p *ScanPlan) Basis() []string {
	types := p.Schema.Plans
	if p.Entity != nil {
		types = []*core.Plan{p.Entity}
	}
	return basis(p.Schema, p.Index, p.Position, types)
}

func basis(s *core.Schema, x *core.Index, position []core.Attribute, types []*core.Plan) []string {
	list := s.Basis()
	for _, a := range position {
		list = append(list, a.Name, string(a.Type))
	}
	for _, t := range types {
		list = append(append(list, t.Name), t.Table.Basis(s)...)
		if key, ok := t.KeyOn(x); ok && x != nil {
			list = append(list, key.Basis(s)...)
		}
	}
	return list
}
