package schemadiff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// loss is the effect on stored values when they are read as another Go type. Greater values are
// worse.
type loss int

const (
	none           loss = iota
	notMatched          // they can be read, but conditions do not match them
	rounded             // numbers lose digits
	partlyRead          // only a part is read, or other values are added
	methodDecides       // a method or a custom format determines the effect
	someUnreadable      // some of them cannot be read
	misread             // none of them can be read, or they are read as other values
	allUnreadable       // none of them can be read
)

// effect is a loss with a detail: the unreadable values, the method or format that determines the
// loss, the values read, or the number of digits kept.
type effect struct {
	loss   loss
	detail string
}

// decodingEffect returns the worst effect of decoding stored values into a new layout.
func decodingEffect(was, is *schemadoc.Layout) (worst effect) {
	var stored, unreadable []string
	for _, t := range was.Types {
		if t == "NULL" {
			continue // every Go type reads NULL as its zero value
		}
		stored = append(stored, t)
		e := conversion{t, was, is, encoderOf(was.GoType, t), decoderOf(is.GoType, t)}.effect()
		if e.loss < notMatched && !slices.Contains(is.Types, t) {
			e.loss = notMatched
		}
		if e.loss == allUnreadable {
			unreadable = append(unreadable, t)
		}
		if e.loss > worst.loss {
			worst = e
		}
	}
	if n := len(unreadable); n > 0 && n < len(stored) {
		return effect{someUnreadable, "it is stored as " + strings.Join(unreadable, " or ")}
	}
	return worst
}

// coder is how a value is written to an attribute, or read from it.
type coder struct {
	kind   string // of the Go type; empty: a method is used
	by     string // the methods, with their Go type
	format string // the format of a key attribute
}

// interfaceKinds maps an attribute type to the kind of an interface value that is stored as that
// type.
var interfaceKinds = map[string]string{
	"S": schemadoc.KindString, "N": schemadoc.KindNumber, "B": schemadoc.KindBytes, "BOOL": schemadoc.KindBool, "M": schemadoc.KindMap,
	"L": schemadoc.KindList, "SS": schemadoc.KindList, "NS": schemadoc.KindList, "BS": schemadoc.KindList,
}

// encoderOf returns how an attribute of type t is written.
func encoderOf(g schemadoc.GoType, t string) coder {
	by := g.Written
	if by == "" {
		by = slices.Concat(g.Methods, []string{schemadoc.ByKind})[0]
	}
	c := coder{kind: g.Kind, format: g.Format}
	switch {
	case by != schemadoc.ByKind:
		c.kind, c.by = "", by+" of "+g.Of
	case g.Kind == schemadoc.KindAny || g.Kind == schemadoc.KindRaw || g.Kind == schemadoc.KindInterface:
		c.kind = interfaceKinds[t]
	}
	return c
}

// decoderOf returns how an attribute of type t is read.
func decoderOf(g schemadoc.GoType, t string) coder {
	c := coder{kind: g.Kind, format: g.Format}
	for _, by := range g.Methods {
		if by == schemadoc.ByAttribute || by == schemadoc.ByText && t == "S" || by == schemadoc.ByBinary && t == "B" {
			c.kind, c.by = "", by+" of "+g.Of
		}
	}
	return c
}

// conversion is how attributes of type t were written and how they are read now.
type conversion struct {
	t       string
	was, is *schemadoc.Layout
	enc     coder // how they were written
	dec     coder // how they are read
}

func (x conversion) effect() effect {
	enc, dec := x.enc, x.dec
	switch {
	case x.unchanged():
		return effect{}
	case dec.format != "":
		return x.toKeyFormat()
	case dec.by != "" && dec == enc:
		return effect{}
	case dec.by != "":
		return effect{methodDecides, "the methods of " + x.is.GoType.Of}
	case !x.accepted():
		return effect{allUnreadable, ""}
	case x.acceptedWhole():
		return effect{}
	case enc.format != "":
		return x.fromKeyFormat()
	case enc.by != "":
		return effect{methodDecides, "the methods of " + x.was.GoType.Of}
	}
	switch x.t {
	case "S":
		return fromText(enc.kind, dec.kind)
	case "N":
		return fromNumber(numbers[enc.kind], dec.kind)
	case "B":
		return fromBinary(enc.kind, dec.kind)
	case "M":
		return x.fromMap()
	default:
		return fromList(enc.kind, dec.kind)
	}
}

// unchanged reports whether the Go type is the same. Only its contents can then differ.
func (x conversion) unchanged() bool {
	was, is := x.was.GoType, x.is.GoType
	return was.String() == is.String() && x.t != "M" && slices.Contains(x.is.Types, x.t)
}

const (
	listTypes = "L SS NS BS"
	allTypes  = "S N B BOOL M " + listTypes
)

// accepts lists the attribute types that each kind can read, except those of numbers. The kinds of
// arrays are represented by their units.
var accepts = map[string]string{
	schemadoc.KindAny: allTypes, schemadoc.KindRaw: allTypes, schemadoc.KindInterface: "", schemadoc.KindNone: "",
	schemadoc.KindString: "S N", schemadoc.KindNumber: "S N", schemadoc.KindTime: "S N", schemadoc.KindBool: "BOOL",
	schemadoc.KindStruct: "M", schemadoc.KindMap: "M", schemadoc.KindList: listTypes, schemadoc.UnitElements: listTypes,
	schemadoc.KindBytes: "B " + listTypes, // and schemadoc.UnitBytes, which is the same text
}

// accepted reports whether the kind can read attributes of the type.
func (x conversion) accepted() bool {
	_, unit := schemadoc.ArraySize(x.dec.kind)
	types, ok := accepts[cmp.Or(unit, x.dec.kind)]
	if !ok { // a number, which can be stored as S
		return x.t == "N" || x.t == "S" && slices.Contains(x.is.Types, "S")
	}
	return slices.Contains(strings.Fields(types), x.t)
}

// acceptedWhole reports whether the kind can read all values of the attribute type.
func (x conversion) acceptedWhole() bool {
	switch x.dec.kind {
	case schemadoc.KindRaw, schemadoc.KindAny, schemadoc.KindString, schemadoc.KindNumber, schemadoc.KindBool, schemadoc.KindList:
		return true
	case schemadoc.KindBytes:
		return x.t == "B"
	default:
		return false
	}
}

// fromText returns the effect for values stored as S.
func fromText(was, is string) effect {
	numeric := isNumber(was)
	free := was == schemadoc.KindString || was == schemadoc.KindNumber
	switch {
	case is == schemadoc.KindTime && was == schemadoc.KindTime:
		return effect{}
	case is == schemadoc.KindTime && free:
		return effect{someUnreadable, "it is not an RFC 3339 time"}
	case is == schemadoc.KindTime || !free && !numeric:
		return effect{allUnreadable, ""}
	case free:
		return effect{someUnreadable, "it is not a valid " + is}
	default:
		return convertNumber(numbers[was], is)
	}
}

// fromBinary returns the effect for values stored as B and read into an array.
func fromBinary(was, is string) effect {
	switch was {
	case is:
		return effect{}
	case schemadoc.KindBytes:
		return effect{someUnreadable, "it does not have " + is}
	default:
		return effect{allUnreadable, ""}
	}
}

// fromMap returns the effect for values stored as M.
func (x conversion) fromMap() effect {
	switch {
	case x.dec.kind == schemadoc.KindMap:
		return mapKeys(x.was.Contents, x.is.Contents)
	case x.enc.kind == schemadoc.KindMap:
		return effect{partlyRead, "without the map keys that have no field"}
	default:
		return effect{}
	}
}

// mapKeys returns the effect for the keys of a map.
func mapKeys(was, is *schemadoc.Contents) effect {
	if is == nil || is.Keys == nil {
		return effect{}
	}
	enc, dec := coder{kind: schemadoc.KindString}, decoderOf(is.Keys.GoType, "S")
	if was != nil && was.Keys != nil {
		enc = encoderOf(was.Keys.GoType, "S")
	}
	switch {
	case dec == enc || dec.kind == schemadoc.KindNumber || dec.kind == schemadoc.KindString:
		return effect{}
	case dec.by != "":
		return effect{methodDecides, "the methods of " + is.Keys.GoType.Of}
	case isNumber(dec.kind) && isNumber(enc.kind) && convertNumber(numbers[enc.kind], dec.kind).loss != someUnreadable:
		return effect{}
	default:
		return effect{someUnreadable, "a map key is not a valid " + dec.kind}
	}
}

// fromList returns the effect for lists and sets that are read into an array or a byte slice.
func fromList(was, is string) effect {
	n, unit := schemadoc.ArraySize(is)
	had, fixed := schemadoc.ArraySize(was)
	switch {
	case unit == "" || fixed == schemadoc.UnitElements && had == n:
		return effect{}
	case fixed == schemadoc.UnitElements && had < n:
		return effect{partlyRead, "with zero values for missing elements"}
	default:
		return effect{partlyRead, fmt.Sprintf("with %d elements: others are dropped, and missing ones have zero values", n)}
	}
}
