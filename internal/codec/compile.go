package codec

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/keys"
)

// AV is an attribute value.
type AV = types.AttributeValue

// Item maps attribute names to attribute values.
type Item = map[string]types.AttributeValue

// Struct is the compiled plan of a struct type, stored as an item or as a map in an item.
type Struct struct {
	Type reflect.Type

	fields []*Field
	lookup *Lookup // of the fields
	rest   *Field
	issues []Issue // issues of its own fields, not of nested types

	// The numbers of fields written as S and N, whose attribute values are allocated together.
	texts, numbers int
}

// Field is a struct field that is stored as an attribute. It may be promoted from an embedded
// struct.
type Field struct {
	Name   string // attribute name
	GoName string // Go path: "HiredAt"; "Audit.CreatedBy" if promoted
	Index  []int  // reflect index path
	Tag    reflect.StructTag
	Node   *Node
	Options
	KeyOnly  bool // set by the caller: Encode and Decode skip the field, which has no attribute
	OmitZero bool // set by the caller: an absent value (see Key) is omitted, whatever the tag

	member string // its name and a colon, in JSON

	// textMember is the JSON of a string field up to its text; empty if its type or tag is another.
	textMember string

	offset uintptr // from the struct, or from the struct that the last hop points to
	leaf   []int   // the index path from that start
	hops   []hop   // embedded pointers on the path
	asKey  *keys.Template
	ttl    bool
	// derived computes the value in a key of a field that no struct has; nil for a struct's field.
	derived func(Ptr) (keys.Value, error)
}

// hop is an embedded pointer to a struct: its offset and index, and the type it points to.
type hop struct {
	offset uintptr
	index  []int
	elem   reflect.Type
}

// Compile compiles a struct type. It returns all issues in source order, including those of nested
// types. The Struct is nil if t is not a struct type; otherwise its fields can be looked up even if
// there are issues. Each call returns a new Struct, and the caller may set up its fields. Nested
// structs are shared and must not be changed.
func Compile(t reflect.Type) (*Struct, []Issue) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, []Issue{{Reason: "not a struct type"}}
	}
	var s *Struct
	build(func(b builder) { s = b.compile(t) })
	for _, f := range s.fields {
		switch f.Wire() &^ WireNULL {
		case WireS:
			s.texts++
		case WireN:
			s.numbers++
		}
	}
	issues := s.allIssues("", map[reflect.Type]bool{t: true})
	if p := reflect.PointerTo(t); p.Implements(marshalerType) || p.Implements(unmarshalerType) {
		issues = slices.Insert(issues, 0, Issue{
			Reason: "the type marshals itself to an attribute value, so its fields would not be stored",
			Hint:   "drop the method, or name the embedded field that promotes it",
		})
	}
	return s, issues
}

// Fields returns the fields in source order. Promoted fields are at the position of their embedded
// struct.
func (s *Struct) Fields() []*Field { return s.fields }

// ByName returns the field whose attribute name is exactly attribute, or nil.
func (s *Struct) ByName(attribute string) *Field {
	if i := s.lookup.Position(attribute); i >= 0 {
		return s.fields[i]
	}
	return nil
}

// ByIndex returns the field whose reflect index is the longest prefix of index, and the rest of
// index. The rest is the path below the field; f.Node resolves it (through pointers). The field is
// nil if no field's index is a prefix.
func (s *Struct) ByIndex(index []int) (f *Field, rest []int) {
	for _, x := range s.fields {
		n := len(x.Index)
		if n <= len(index) && slices.Equal(x.Index, index[:n]) && (f == nil || n > len(f.Index)) {
			f, rest = x, index[n:]
		}
	}
	return f, rest
}
