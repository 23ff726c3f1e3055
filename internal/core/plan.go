package core

import (
	"reflect"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// Plan is a compiled entity type. It holds all that operations need, without type parameters and
// without lookups by name at call time. It does not change after its schema is complete.
type Plan struct {
	Type   reflect.Type // the Go struct
	Name   string       // the value of the type attribute
	Schema *Schema
	Shape  *codec.Struct // fields and their codecs

	Attrs    []*KeyAttr // every key attribute that an item can have, once; the table's first
	Table    Key        // the key in the table
	Shared   bool       // another type has the same table templates on purpose
	Indexes  []*IndexKey
	Access   []*Access
	Uniques  []*Unique
	Counted  []*Counted     // the items that count those of the type
	Counters []*codec.Field // the fields that count items of other types
	Lifetime time.Duration  // of items that are stored without a time to live; 0: they do not expire

	FieldRoles

	lookup *codec.Lookup // of the fields, and of the keys and the type; set when the plan is added
}

// Key is the key of a table or an index for one entity type. A table or local index has one
// attribute on each side.
type Key struct {
	Partition []*KeyAttr
	Sort      []*KeyAttr // empty without a sort key
}

// KeyAttr is a key attribute and the source of its value.
type KeyAttr struct {
	Attribute
	Template *keys.Template // never nil; native if the attribute is itself a field
	Members  []*codec.Field // the fields of the template's placeholders, in order
	Field    *codec.Field   // the field that is this attribute; nil if it is rendered
	Table    bool           // part of the table's own key
	Parse    []bool         // for each member: whether Decode parses it from here; nil if none
	Shard    *Sharding      // nil: the attribute has no shard

	text *textKey // nil: the attribute is of another form; set when the plan is added
}

// IndexKey is the key of the type in an index that its items can be in. An undeclared index also
// counts if all its key attributes are fields, or are written for the table or other indexes.
type IndexKey struct {
	Index  *Index
	Key    Key
	Access *Access // the declared access pattern; nil if there is none
}

// Access is a declared access pattern: a named read of the type through an index.
type Access struct {
	Name   string
	On     *IndexKey
	Shared bool // another type has the same templates on purpose
}

// Attribute is the name and type of a key attribute.
type Attribute = trestle.Attribute

// Index is a secondary index of the table.
type Index struct {
	Name      string
	Partition []Attribute
	Sort      []Attribute
	Kind      trestle.IndexKind
	KeysOnly  bool
	Include   []string // all attributes are projected if KeysOnly is false and Include is empty

	// The attributes of an item's position in a read: the index's key, then the rest of the
	// table's.
	Position []Attribute
}

// LocalLabel is the word for local indexes in charts and descriptions.
const LocalLabel = "local"

// indexKinds holds what distinguishes the kinds of indexes.
var indexKinds = [...]struct {
	label       string // empty if the key attributes show the kind
	strongReads bool
}{
	trestle.GlobalIndex:         {},
	trestle.LocalIndex:          {label: LocalLabel, strongReads: true},
	trestle.MultiAttributeIndex: {},
}

// KnownKind reports whether there is such a kind of index.
func KnownKind(k trestle.IndexKind) bool { return int(k) < len(indexKinds) }

// Label returns the word for the kind of the index in charts and descriptions. It is empty for the
// kinds that the key attributes show.
func (x *Index) Label() string { return indexKinds[x.Kind].label }

// StrongReads reports whether strongly consistent reads of the index are possible.
func (x *Index) StrongReads() bool { return indexKinds[x.Kind].strongReads }

// All reports whether the index projects every attribute.
func (x *Index) All() bool { return !x.KeysOnly && len(x.Include) == 0 }

// Projects reports whether the index projects the attribute. Every index projects its own key and
// the table's.
func (x *Index) Projects(s *Schema, attribute string) bool {
	return x.All() || s.InTableKey(attribute) || slices.Contains(x.Include, attribute) || x.inKey(attribute)
}

// NonKeys returns the attributes that are in no key that every index projects: its own and the
// table's. An index that includes only such keys has the projection of one with keys only.
func (x *Index) NonKeys(s *Schema, attributes []string) (list []string) {
	for _, a := range attributes {
		if !s.InTableKey(a) && !x.inKey(a) {
			list = append(list, a)
		}
	}
	return list
}

// HoldsAll reports whether the index projects all attributes that are needed to decode some fields
// of a type; nil: all fields. These fields need no type attribute, because the keys identify the
// type.
func (x *Index) HoldsAll(p *Plan, fields []*codec.Field) bool {
	if x.All() {
		return true
	}
	s := p.Schema
	if fields == nil {
		if s.TypeAttr != "" && !x.Projects(s, s.TypeAttr) {
			return false
		}
		fields = p.Shape.Fields()
	}
	return !slices.ContainsFunc(fields, func(f *codec.Field) bool {
		return f == p.Rest || !slices.ContainsFunc(p.StoredIn(f), func(name string) bool { return x.Projects(s, name) })
	})
}

// inKey reports whether the index's key contains the attribute.
func (x *Index) inKey(attribute string) bool {
	is := func(a Attribute) bool { return a.Name == attribute }
	return slices.ContainsFunc(x.Partition, is) || slices.ContainsFunc(x.Sort, is)
}

// Preserves reports whether the key attribute holds the whole value of member i: its format is
// lossless, or a value that it would not preserve is an error.
func (a *KeyAttr) Preserves(i int) bool {
	return a.Template.Lossless(i) || i < len(a.Parse) && a.Parse[i]
}

// StoredIn returns the attributes that a field is decoded from: its own, or the keys that it is
// parsed from.
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
