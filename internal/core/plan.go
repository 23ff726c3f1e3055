package core

import (
	"reflect"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// Plan is what Define compiled of one entity type: all that the verbs need, without type parameters and without a look-up
// by name at call time. It does not change once its schema is open.
type Plan struct {
	Type   reflect.Type  // the Go struct
	Name   string        // what the type attribute holds
	Schema *Schema       // where it belongs
	Shape  *codec.Struct // fields and their codecs

	Attrs   []*KeyAttr // every key attribute that an item of this type can carry, the table's first, each once
	Table   Key        // the table's own key
	Shared  bool       // the table's templates are shared with another type on purpose
	Indexes []*IndexKey
	Access  []*Access

	Version *codec.Field // roles; nil where the type has none
	Created *codec.Field
	Updated *codec.Field
	TTL     *codec.Field
	Rest    *codec.Field
}

// Key is a table's or an index's key as one entity type fills it. The table and local indexes have one attribute a side.
type Key struct {
	Partition []*KeyAttr
	Sort      []*KeyAttr // empty: no sort key
}

// KeyAttr is one key attribute and where its value comes from.
type KeyAttr struct {
	Attribute
	Template *keys.Template // always there; native where the attribute is a field itself
	Members  []*codec.Field // the fields of the template's placeholders, in order
	Field    *codec.Field   // the field that is this attribute: then nothing is rendered; else nil
	Table    bool           // part of the table's own key
	Parse    []bool         // for each member: whether it is parsed back from here by Decode; nil: none is
}

// IndexKey is an index that items of this type can be on, declared or not: an index is also reached where all its key attributes
// are fields, or written for the table or other indexes.
type IndexKey struct {
	Index  *Index
	Key    Key
	Access *Access // the declared way to read it; nil: there is none
}

// Access is a declared access pattern: a name for reading this type through an index.
type Access struct {
	Name   string
	On     *IndexKey
	Shared bool // the templates are shared with another type on purpose
}

// Attribute is a key attribute's name and type.
type Attribute struct {
	Name string
	Type keys.AttrType
}

// Index is a secondary index of the table.
type Index struct {
	Name      string
	Partition []Attribute
	Sort      []Attribute
	Local     bool
	KeysOnly  bool
	Include   []string // with neither of these two, everything is projected

	Position []Attribute // what the place of an item in a read is made of: the index's key, then what the table's adds
}

// All reports whether the index projects every attribute.
func (x *Index) All() bool { return !x.KeysOnly && len(x.Include) == 0 }

// Projects reports whether the index holds the attribute. Each holds its own key and the table's.
func (x *Index) Projects(s *Schema, attribute string) bool {
	is := func(a Attribute) bool { return a.Name == attribute }
	return x.All() || attribute == s.Partition.Name || attribute == s.Sort.Name || slices.Contains(x.Include, attribute) ||
		slices.ContainsFunc(x.Partition, is) || slices.ContainsFunc(x.Sort, is)
}

// Keeps reports whether the key attribute holds the whole value of a member: its format does, or values that it would not give back are refused.
func (a *KeyAttr) Keeps(i int) bool {
	return a.Template.Lossless(i) || i < len(a.Parse) && a.Parse[i]
}

// StoredIn lists the attributes that a field is read from: its own, or the keys that it is parsed back from.
func (p *Plan) StoredIn(f *codec.Field) []string {
	if !f.KeyOnly {
		return []string{f.Name}
	}
	var names []string
	for _, k := range p.Attrs {
		for i, m := range k.Members {
			if m == f && k.Parse != nil && k.Parse[i] {
				names = append(names, k.Name)
			}
		}
	}
	return names
}

// KeyAttr returns the key attribute of that name, or nil.
func (p *Plan) KeyAttr(name string) *KeyAttr {
	for _, a := range p.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}
