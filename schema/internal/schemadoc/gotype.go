package schemadoc

import (
	"cmp"
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
)

// GoType describes the attribute values that a Go type writes and reads, beyond the attribute type.
type GoType struct {
	Kind    string   // such as int64, time, 16 bytes
	Methods []string // text, binary, attribute; the kind reads other values
	Of      string   // the Go type with these methods
	Written string   // the writer, if not the first method, or the kind if there is none
	Format  string   // the key format of a field that is a key attribute
}

// The kinds that occur more than once, and the names of the methods.
const (
	KindString    = "string"
	KindNumber    = "number" // a text that contains a number, such as json.Number
	KindBool      = "bool"
	KindBytes     = "bytes"
	KindTime      = "time"
	KindUnixTime  = "unixtime" // attributevalue.UnixTime, which reads only N
	KindList      = "list"
	KindMap       = "map"
	KindStruct    = "struct"
	KindAny       = "any"
	KindInterface = "interface" // an interface with methods: it reads only NULL
	KindRaw       = "raw"       // types.AttributeValue
	KindNone      = "none"      // a type that is never stored, such as a func

	UnitBytes    = "bytes"    // the unit of byte arrays, as in 16 bytes
	UnitElements = "elements" // the unit of other arrays, as in 3 elements

	ByText      = "text"
	ByBinary    = "binary"
	ByAttribute = "attribute"
	ByKind      = "kind"
)

// kinds lists the kinds without a size.
var kinds = []string{
	KindString, KindNumber, KindBool, KindBytes, KindTime, KindUnixTime, KindList, KindMap, KindStruct, KindAny, KindInterface, KindRaw, KindNone,
	"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
}

// goTypeOf describes the Go type of a non-pointer node for the given attribute types.
func goTypeOf(n *codec.Node, types codec.Wire) GoType {
	g := GoType{Kind: kindOf(n)}
	if n.Type == reflect.TypeFor[time.Time]() || g.Kind == KindUnixTime {
		return g
	}
	g.Methods = methodNames(n.Dec)
	if n.Dec&codec.ViaAttribute != 0 {
		g.Methods = []string{ByAttribute} // the codec calls only this method
	}
	enc := ByKind
	if by := methodNames(n.Enc); len(by) > 0 && (g.Kind != KindTime || types&codec.WireN == 0) {
		enc = by[0]
	}
	if first := slices.Concat(g.Methods, []string{ByKind})[0]; enc != first {
		g.Written = enc
	}
	if g.Methods != nil || g.Written != "" && enc != ByKind {
		g.Of = n.Type.String()
	}
	return g
}

// keyTypeOf describes the Go type of a field that is a key attribute.
func keyTypeOf(f *codec.Field, n *codec.Node) GoType {
	g := GoType{Kind: kindOf(n), Format: f.KeyTemplate().Format(0)}
	if g.Kind != KindTime && reflect.PointerTo(n.Type).Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		g.Methods, g.Of = []string{ByText}, n.Type.String()
	}
	return g
}

func methodNames(via codec.Via) (names []string) {
	for i, name := range []string{ByAttribute, ByText, ByBinary} {
		if via&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

var kindNames = map[codec.Kind]string{
	codec.KindBool: KindBool, codec.KindInt: "int", codec.KindUint: "uint", codec.KindFloat: "float", codec.KindString: KindString, codec.KindNumber: KindNumber,
	codec.KindTime: KindTime, codec.KindBytes: KindBytes, codec.KindByteArray: UnitBytes, codec.KindList: KindList, codec.KindArray: UnitElements,
	codec.KindMap: KindMap, codec.KindStruct: KindStruct, codec.KindAny: KindAny, codec.KindRaw: KindRaw,
}

func kindOf(n *codec.Node) string {
	name := cmp.Or(kindNames[n.Kind], KindNone)
	switch n.Kind {
	case codec.KindInt, codec.KindUint, codec.KindFloat:
		if k := n.Type.Kind(); k == reflect.Int || k == reflect.Uint {
			return name + "64" // so that the description is the same on every platform
		}
		return name + strconv.Itoa(int(n.Bits))
	case codec.KindByteArray, codec.KindArray:
		return strconv.Itoa(n.Len) + " " + name
	case codec.KindTime:
		if n.Enc == codec.ViaAttribute && n.Wire() == codec.WireN {
			return KindUnixTime
		}
	case codec.KindAny:
		if n.Type.NumMethod() > 0 {
			return KindInterface
		}
	}
	return name
}

// String returns the description of a Go type, such as "time as day", or "text of uuid.UUID else 16
// bytes".
func (g GoType) String() string {
	text := g.Kind
	if len(g.Methods) > 0 {
		text = strings.Join(g.Methods, "/") + " of " + word(g.Of) + " else " + g.Kind
	}
	if g.Written != "" {
		text += " written by " + g.Written
		if len(g.Methods) == 0 {
			text += " of " + word(g.Of)
		}
	}
	if g.Format != "" {
		text += " as " + word(g.Format)
	}
	return text
}

// suffix returns the part of a layout that describes the Go type. It is empty for the defaultKind
// Go type of the attribute types.
func (g GoType) suffix(types []string) string {
	plain := len(g.Methods) == 0 && g.Written == "" && g.Format == ""
	if plain && (g.Kind == defaultKind(types) || g.Kind == KindStruct || g.Kind == KindMap) {
		return ""
	}
	return "(" + g.String() + ")"
}

// defaultKind returns the Go kind that descriptions omit for these attribute types. It returns ""
// if there is none, as for numbers.
func defaultKind(types []string) string {
	if len(types) == len(attributeTypes) {
		return KindAny
	}
	for _, t := range types {
		switch t {
		case "S":
			return KindString
		case "B":
			return KindBytes
		case "BOOL":
			return KindBool
		case "L", "SS", "NS", "BS":
			return KindList
		case "M":
			return KindMap
		}
	}
	return ""
}

// ArraySize splits a kind with a size, such as 16 bytes. The unit is empty for other kinds.
func ArraySize(kind string) (n int, unit string) {
	size, unit, _ := strings.Cut(kind, " ")
	n, _ = strconv.Atoi(size)
	return n, unit
}
