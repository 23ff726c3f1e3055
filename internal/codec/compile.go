package codec

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/keys"
)

// AV is an attribute value.
type AV = types.AttributeValue

// Item is a set of named attributes.
type Item = map[string]types.AttributeValue

// Struct is a struct type as an item, or as a map within one.
type Struct struct {
	Type reflect.Type

	fields []*Field
	byName map[string]*Field
	rest   *Field
	faults []placedFault // of its own fields, not of nested types

	texts, numbers int // how many fields are written as S and N: encoding allocates them together
}

// Field is a field of a struct that is stored as an attribute, or promoted from an embedded struct.
type Field struct {
	Name   string // attribute name
	GoName string // Go path: "HiredAt", or "Audit.CreatedBy" where promoted
	Index  []int  // reflect index path
	Node   *Node
	Options
	KeyOnly  bool // set by the caller: the field has no attribute; Encode and Decode pass it over
	OmitZero bool // set by the caller: an absent value (see Key) is left out, whatever the tag

	tag    reflect.StructTag
	offset uintptr // from the struct, or from what the last hop points to
	leaf   []int   // the index path from there
	hops   []hop   // embedded pointers on the way
	asKey  *keys.Template
	ttl    bool
	rest   bool
}

// hop is an embedded pointer to a struct: where it lies, and what it points to.
type hop struct {
	offset uintptr
	index  []int
	elem   reflect.Type
}

// Compile compiles a struct type. The faults are all that there are, in source order, those of nested types included; the
// Struct can be used for looking fields up even then, but is nil where t is no struct type. Each call returns a Struct of its
// own, whose fields the caller may set up; nested structs are shared and must not be changed.
func Compile(t reflect.Type) (*Struct, []Fault) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, []Fault{{Reason: "not a struct type"}}
	}
	building.Lock()
	b := builder{}
	s := b.compile(t, true)
	for k, n := range b {
		nodes.LoadOrStore(k, n)
	}
	building.Unlock()
	for _, f := range s.fields {
		s.count(f)
	}
	return s, append(ownMethods(t), s.allFaults()...)
}

// count notes what the field will be written as.
func (s *Struct) count(f *Field) {
	switch f.Wire() &^ WireNULL {
	case WireS:
		s.texts++
	case WireN:
		s.numbers++
	}
}

// Fields returns the fields in source order, promoted ones where their embedded struct stands.
func (s *Struct) Fields() []*Field { return s.fields }

// ByName returns the field that is stored under exactly that attribute name, or nil.
func (s *Struct) ByName(attribute string) *Field { return s.byName[attribute] }

// ByIndex returns the field whose reflect index is the longest prefix of index, and what of index remains: the way below
// the field, for f.Node (through pointers) to resolve. It is nil where no field lies on the way.
func (s *Struct) ByIndex(index []int) (f *Field, rest []int) {
	for _, x := range s.fields {
		n := len(x.Index)
		if n <= len(index) && slices.Equal(x.Index, index[:n]) && (f == nil || n > len(f.Index)) {
			f, rest = x, index[n:]
		}
	}
	return f, rest
}

// Tag returns the field's whole struct tag.
func (f *Field) Tag() reflect.StructTag { return f.tag }
