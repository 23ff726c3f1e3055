package chart

import (
	"fmt"
	"slices"
	"strings"
)

// loss is the effect on stored values when they are read as another Go type. Greater values are
// worse.
type loss int

const (
	intact   loss = iota
	missed        // they can be read, but conditions do not match them
	rounded       // numbers lose digits
	partial       // only a part is read, or other values are added
	untold        // the descriptions lack the information
	unsure        // a method or a custom format determines the effect
	some          // some of them cannot be read
	mistaken      // none of them can be read, or they are read as other values
	all           // none of them can be read
)

// effect is a loss with a detail: the unreadable values, the method or format that determines the
// loss, the values read, or the number of digits kept.
type effect struct {
	loss loss
	of   string
}

// reading returns the worst effect of reading stored values in a new layout.
func (l *layout) reading(was *layout) (worst effect) {
	var stored, refused []string
	for _, t := range was.types {
		if t == "NULL" {
			continue // every Go type reads NULL as its zero value
		}
		stored = append(stored, t)
		e := relation{t, was, l, was.goType.writes(t), l.goType.reads(t)}.effect()
		if e.loss < missed && !slices.Contains(l.types, t) {
			e.loss = missed
		}
		if e.loss == all {
			refused = append(refused, t)
		}
		if e.loss > worst.loss {
			worst = e
		}
	}
	if n := len(refused); n > 0 && n < len(stored) {
		return effect{some, "it is " + strings.Join(refused, " or ")}
	}
	return worst
}

// form is how a value is written to an attribute, or read from it.
type form struct {
	kind   string // of the Go type; empty: a method is used, or it is unknown
	by     string // the methods, with their Go type
	format string // the format of a key attribute
}

// dynamic maps an attribute type to the kind of an interface value that is stored as that type.
var dynamic = map[string]string{
	"S": kindString, "N": kindNumber, "B": kindBytes, "BOOL": kindBool, "M": kindMap,
	"L": kindList, "SS": kindList, "NS": kindList, "BS": kindList,
}

// writes returns how an attribute of type t is written.
func (g goType) writes(t string) form {
	by := g.written
	if by == "" {
		by = slices.Concat(g.methods, []string{byKind})[0]
	}
	f := form{kind: g.kind, format: g.format}
	switch {
	case by != byKind:
		f.kind, f.by = "", by+" of "+g.of
	case g.kind == kindAny || g.kind == kindRaw || g.kind == kindSealed:
		f.kind = dynamic[t]
	}
	return f
}

// reads returns how an attribute of type t is read.
func (g goType) reads(t string) form {
	f := form{kind: g.kind, format: g.format}
	for _, by := range g.methods {
		if by == byAttribute || by == byText && t == "S" || by == byBinary && t == "B" {
			f.kind, f.by = "", by+" of "+g.of
		}
	}
	return f
}

// relation is how attributes of type t were written and how they are read now.
type relation struct {
	t       string
	was, is *layout
	w, r    form // how they were written, how they are read
}

func (x relation) effect() effect {
	w, r := x.w, x.r
	switch {
	case x.unchanged():
		return effect{}
	case r.format != "":
		return x.inFormat()
	case r.by != "" && r == w:
		return effect{}
	case r.kind == "" && (r.by == "" || w == form{}):
		return effect{untold, ""}
	case r.by != "":
		return effect{unsure, "the methods of " + x.is.goType.of}
	case !x.taken():
		return effect{all, ""}
	case x.takenWhole():
		return effect{}
	case w.format != "":
		return x.fromFormat()
	case w == form{}:
		return effect{untold, ""}
	case w.by != "":
		return effect{unsure, "the methods of " + x.was.goType.of}
	}
	switch x.t {
	case "S":
		return text(w.kind, r.kind)
	case "N":
		return number(numbers[w.kind], r.kind)
	case "B":
		return binary(w.kind, r.kind)
	case "M":
		return x.mapping()
	default:
		return elements(w.kind, r.kind)
	}
}

// unchanged reports whether the Go type is the same. Only its contents can then differ.
func (x relation) unchanged() bool {
	was, is := x.was.goType, x.is.goType
	return was.kind != "" && was.String() == is.String() && x.t != "M" && slices.Contains(x.is.types, x.t)
}

// taken reports whether the kind can read attributes of the type.
func (x relation) taken() bool {
	switch _, unit := sized(x.r.kind); {
	case unit == unitBytes || x.r.kind == kindBytes:
		return x.t == "B" || x.list()
	case unit == unitElements || x.r.kind == kindList:
		return x.list()
	}
	switch x.r.kind {
	case kindAny, kindRaw:
		return true
	case kindString, kindNumber, kindTime:
		return x.t == "S" || x.t == "N"
	case kindBool:
		return x.t == "BOOL"
	case kindStruct, kindMap:
		return x.t == "M"
	case kindSealed, kindNone:
		return false
	default: // a number, which can be stored as S
		return x.t == "N" || x.t == "S" && slices.Contains(x.is.types, "S")
	}
}

func (x relation) list() bool { return slices.Contains([]string{"L", "SS", "NS", "BS"}, x.t) }

// takenWhole reports whether the kind can read all values of the attribute type.
func (x relation) takenWhole() bool {
	switch x.r.kind {
	case kindRaw, kindString, kindNumber, kindBool, kindList:
		return true
	case kindAny:
		return x.t != "N" // a number becomes a float64
	case kindBytes:
		return x.t == "B"
	default:
		return false
	}
}

// text returns the effect for values stored as S.
func text(was, is string) effect {
	number := isNumber(was)
	free := was == kindString || was == kindNumber
	switch {
	case is == kindTime && was == kindTime:
		return effect{}
	case is == kindTime && free:
		return effect{some, "it is no time in RFC 3339"}
	case is == kindTime || !free && !number:
		return effect{all, ""}
	case free:
		return effect{some, "it is no " + is}
	default:
		return numeric(numbers[was], is)
	}
}

// binary returns the effect for values stored as B and read into an array.
func binary(was, is string) effect {
	switch was {
	case is:
		return effect{}
	case kindBytes:
		return effect{some, "it is not of " + is}
	default:
		return effect{all, ""}
	}
}

// mapping returns the effect for values stored as M.
func (x relation) mapping() effect {
	switch {
	case x.r.kind == kindMap:
		return mapKeys(x.was.holds, x.is.holds)
	case x.w.kind == kindMap:
		return effect{partial, "without its names that have no field"}
	default:
		return effect{}
	}
}

// mapKeys returns the effect for the keys of a map.
func mapKeys(was, is *contents) effect {
	if is == nil || is.keys == nil {
		return effect{}
	}
	w, r := form{kind: kindString}, is.keys.goType.reads("S")
	alike := false
	if was != nil && was.keys != nil {
		w, alike = was.keys.goType.writes("S"), slices.Equal(was.keys.types, is.keys.types)
	}
	switch {
	case r == w || r.kind == kindNumber || r.kind == kindString:
		return effect{}
	case w == form{} && alike:
		return effect{untold, ""}
	case r.by != "":
		return effect{unsure, "the methods of " + is.keys.goType.of}
	case isNumber(r.kind) && isNumber(w.kind) && numeric(numbers[w.kind], r.kind).loss != some:
		return effect{}
	default:
		return effect{some, "a name in it is no " + r.kind}
	}
}

// elements returns the effect for lists and sets that are read into an array or a byte slice.
func elements(was, is string) effect {
	n, unit := sized(is)
	had, fixed := sized(was)
	switch {
	case unit == "" || fixed == unitElements && had == n:
		return effect{}
	case fixed == unitElements && had < n:
		return effect{partial, "with zero values in place of the elements that it lacks"}
	default:
		return effect{partial, fmt.Sprintf("with %d elements: others are dropped, and missing ones are zero values", n)}
	}
}
