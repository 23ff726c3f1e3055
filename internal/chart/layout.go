package chart

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
)

// layoutOf is how a field is stored: its attribute types, and of those that hold others what is in them, such as NULL|L[S] of a list and
// M{city S, zip N} of a struct. What is told already is referred to by its number: M=1 is the first that was opened.
func layoutOf(f *codec.Field) string {
	w := layoutWriter{told: map[container]int{}}
	w.write(f.Wire(), f.Node, f.NullEmptyElem)
	return w.b.String()
}

type layoutWriter struct {
	b    strings.Builder
	told map[container]int
}

// container is a list, a map or a struct.
type container struct {
	node  *codec.Node
	nulls bool // empty elements are NULL
}

func (w *layoutWriter) write(types codec.Wire, n *codec.Node, nulls bool) {
	for n.Kind == codec.KindPtr {
		n = n.Elem
	}
	w.b.WriteString(types.String())
	holds := types.Has(codec.WireL) || types.Has(codec.WireM)
	if !holds || n.Enc != 0 || n.Kind == codec.KindAny || n.Kind == codec.KindRaw {
		return
	}
	if n.Struct != nil {
		nulls = false // its fields have options of their own
	}
	c := container{n, nulls}
	if at, told := w.told[c]; told {
		w.b.WriteString("=" + strconv.Itoa(at))
		return
	}
	w.told[c] = len(w.told) + 1
	if n.Struct != nil {
		w.fields(n.Struct)
		return
	}
	w.elements(n, nulls)
}

func (w *layoutWriter) fields(s *codec.Struct) {
	w.b.WriteByte('{')
	next := ""
	for _, f := range s.Fields() {
		w.b.WriteString(next + word(f.Name) + " ")
		w.write(f.Wire(), f.Node, f.NullEmptyElem)
		next = ", "
	}
	w.b.WriteByte('}')
}

func (w *layoutWriter) elements(n *codec.Node, nulls bool) {
	w.b.WriteByte('[')
	if n.Key != nil && !n.Key.EncText && n.Key.Node.Wire() != codec.WireS {
		w.b.WriteString(n.Key.Node.Wire().String() + ": ")
	}
	types := n.Elem.Wire()
	if nulls {
		types |= codec.WireNULL
	}
	w.write(types, n.Elem, false)
	w.b.WriteByte(']')
}
