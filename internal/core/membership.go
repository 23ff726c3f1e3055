package core

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
)

// Omitting returns the fields of an index key without which an item is not on the index, each once:
// optional ones, and others that can hold a value that is absent in a key. The fields of the
// table's key are in every item.
func (p *Plan) Omitting(key Key) (optional, empty []*codec.Field) {
	add := func(list []*codec.Field, f *codec.Field) []*codec.Field {
		if slices.Contains(list, f) {
			return list
		}
		return append(list, f)
	}
	for a := range key.Attributes() {
		for _, f := range a.Members {
			switch {
			case p.Table.HasMember(f):
			case isOptional(f):
				optional = add(optional, f)
			case p.canBeEmpty(f):
				empty = add(empty, f)
			}
		}
	}
	return optional, empty
}

// isOptional reports whether a field is declared optional: it is omitted if it is empty, or nil.
func isOptional(f *codec.Field) bool {
	return f.Has(codec.OmitEmpty) || f.Node.Kind == codec.KindPtr || f.BehindPointer()
}

// canBeEmpty reports whether a field can hold a value with which an item is not on an index: an
// empty text, a zero time. The library sets fields with some roles.
func (p *Plan) canBeEmpty(f *codec.Field) bool {
	set := f.IsDerived() || f == p.Version || f == p.Created || f == p.Updated || f == p.Tenant || f == p.TTL && p.Lifetime > 0
	return !f.ZeroIsValue() && !set
}

// IsAlwaysOn reports whether every item of the type is on an index.
func (p *Plan) IsAlwaysOn(x *IndexKey) bool {
	optional, empty := p.Omitting(x.Key)
	return len(optional)+len(empty) == 0
}
