package chart

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
)

// goType describes the attribute values that a Go type writes and reads, beyond the attribute type.
type goType struct {
	kind    string   // such as int64, time, 16 bytes; empty: unknown
	methods []string // text, binary, attribute; the kind reads other values
	of      string   // the Go type with these methods
	written string   // the writer, if not the first method, or the kind if there is none
	format  string   // the key format of a field that is a key attribute
}

// The kinds that occur more than once, and the names of the methods.
const (
	kindString   = "string"
	kindNumber   = "number" // a text that contains a number, such as json.Number
	kindBool     = "bool"
	kindBytes    = "bytes"
	kindTime     = "time"
	kindUnixTime = "unixtime" // attributevalue.UnixTime, which reads only N
	kindList     = "list"
	kindMap      = "map"
	kindStruct   = "struct"
	kindAny      = "any"
	kindSealed   = "interface" // an interface with methods: it reads only NULL
	kindRaw      = "raw"       // types.AttributeValue
	kindNone     = "none"      // a type that is never stored, such as a func

	unitBytes    = "bytes"    // the unit of byte arrays, as in 16 bytes
	unitElements = "elements" // the unit of other arrays, as in 3 elements

	byText      = "text"
	byBinary    = "binary"
	byAttribute = "attribute"
	byKind      = "kind"
)

// kinds lists the kinds without a size.
var kinds = []string{
	kindString, kindNumber, kindBool, kindBytes, kindTime, kindUnixTime, kindList, kindMap, kindStruct, kindAny, kindSealed, kindRaw, kindNone,
	"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
}

// goTypeOf describes the Go type of a non-pointer node for the given attribute types.
func goTypeOf(n *codec.Node, types codec.Wire) goType {
	g := goType{kind: kindOf(n)}
	if n.Type == reflect.TypeFor[time.Time]() || g.kind == kindUnixTime {
		return g
	}
	g.methods = methodNames(n.Dec)
	if n.Dec&codec.ViaAttribute != 0 {
		g.methods = []string{byAttribute} // the codec calls only this method
	}
	enc := byKind
	if by := methodNames(n.Enc); len(by) > 0 && (g.kind != kindTime || types&codec.WireN == 0) {
		enc = by[0]
	}
	if first := slices.Concat(g.methods, []string{byKind})[0]; enc != first {
		g.written = enc
	}
	if g.methods != nil || g.written != "" && enc != byKind {
		g.of = n.Type.String()
	}
	return g
}

// goTypeOfKey describes the Go type of a field that is a key attribute.
func goTypeOfKey(f *codec.Field, n *codec.Node) goType {
	g := goType{kind: kindOf(n), format: f.KeyTemplate().Format(0)}
	if g.kind != kindTime && reflect.PointerTo(n.Type).Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		g.methods, g.of = []string{byText}, n.Type.String()
	}
	return g
}

func methodNames(via codec.Via) (names []string) {
	for i, name := range []string{byAttribute, byText, byBinary} {
		if via&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func kindOf(n *codec.Node) string {
	bits := strconv.Itoa(int(n.Bits))
	if k := n.Type.Kind(); k == reflect.Int || k == reflect.Uint {
		bits = "64" // so that the description is the same on every platform
	}
	switch n.Kind {
	case codec.KindBool:
		return kindBool
	case codec.KindInt:
		return "int" + bits
	case codec.KindUint:
		return "uint" + bits
	case codec.KindFloat:
		return "float" + bits
	case codec.KindString:
		return kindString
	case codec.KindNumber:
		return kindNumber
	case codec.KindTime:
		if n.Enc == codec.ViaAttribute && n.Wire() == codec.WireN {
			return kindUnixTime
		}
		return kindTime
	case codec.KindBytes:
		return kindBytes
	case codec.KindByteArray:
		return strconv.Itoa(n.Len) + " " + unitBytes
	case codec.KindList:
		return kindList
	case codec.KindArray:
		return strconv.Itoa(n.Len) + " " + unitElements
	case codec.KindMap:
		return kindMap
	case codec.KindStruct:
		return kindStruct
	case codec.KindAny:
		if n.Type.NumMethod() > 0 {
			return kindSealed
		}
		return kindAny
	case codec.KindRaw:
		return kindRaw
	default:
		return kindNone
	}
}

// String returns the description of a Go type, such as "time as day", or "text of uuid.UUID else 16
// bytes".
func (g goType) String() string {
	text := g.kind
	if len(g.methods) > 0 {
		text = strings.Join(g.methods, "/") + " of " + word(g.of) + " else " + g.kind
	}
	if g.written != "" {
		text += " written by " + g.written
		if len(g.methods) == 0 {
			text += " of " + word(g.of)
		}
	}
	if g.format != "" {
		text += " as " + word(g.format)
	}
	return text
}

// inLayout returns the part of a layout that describes the Go type. It is empty for the ordinary Go
// type of the attribute types.
func (g goType) inLayout(types []string) string {
	plain := len(g.methods) == 0 && g.written == "" && g.format == ""
	if plain && (g.kind == ordinary(types) || g.kind == kindStruct || g.kind == kindMap) {
		return ""
	}
	return "(" + g.String() + ")"
}

// ordinary returns the Go kind that descriptions omit for these attribute types. It returns "" if
// there is none, as for numbers.
func ordinary(types []string) string {
	if len(types) == len(attributeTypes) {
		return kindAny
	}
	for _, t := range types {
		switch t {
		case "S":
			return kindString
		case "B":
			return kindBytes
		case "BOOL":
			return kindBool
		case "L", "SS", "NS", "BS":
			return kindList
		case "M":
			return kindMap
		}
	}
	return ""
}
