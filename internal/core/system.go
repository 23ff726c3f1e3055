package core

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
)

// IsSystem reports whether an attribute of an item of the type belongs to the library or the table.
// Such an attribute does not count as unknown, even without a field. The key attribute of an index
// that the type is not in belongs to the library if only templates write it. Otherwise, other types
// have a field there, and so may other programs in items of this type.
func (p *Plan) IsSystem(attribute string) bool {
	s := p.Schema
	return s.IsSystem(attribute) && (p.KeyAttr(attribute) != nil || attribute == s.TypeAttr || attribute == s.WriteID || s.rendersOnly(attribute))
}

// rendersOnly reports whether only templates write a key attribute of an index: at least one type
// renders it, or it has the default name; and no type has a field there.
func (s *Schema) rendersOnly(attribute string) bool {
	isField := func(p *Plan) bool {
		return slices.ContainsFunc(p.Shape.Fields(), func(f *codec.Field) bool { return f.Name == attribute && !f.KeyOnly })
	}
	isRendered := func(p *Plan) bool { return p.KeyAttr(attribute) != nil }
	isDefault := func(x *Index) bool { return attribute == x.Name+"PK" || attribute == x.Name+"SK" }
	return !slices.ContainsFunc(s.Plans, isField) && (slices.ContainsFunc(s.Plans, isRendered) || slices.ContainsFunc(s.Indexes, isDefault))
}
