package schemadoc

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
)

// layoutOf describes how a field is stored: its attribute types, its Go type if it is not the
// default, and its contents. Examples are N(int64), L[S] for a list of texts, and M{city
// S, zip N(int32)} for a struct. A number refers to earlier contents: M=1 means the first list, map
// or struct in the text.
func layoutOf(f *codec.Field) string {
	w := layoutWriter{numbers: map[contentsOf]int{}}
	w.field(f)
	return w.b.String()
}

type layoutWriter struct {
	b       strings.Builder
	numbers map[contentsOf]int // of the contents written so far, from 1
}

// contentsOf identifies the contents of a list, a set, a map or a struct.
type contentsOf struct {
	node  *codec.Node
	nulls bool // empty elements are NULL
}

func (w *layoutWriter) field(f *codec.Field) {
	types, n := f.Wire(), f.Node.Base()
	if f.KeyTemplate() != nil {
		w.types(types, keyTypeOf(f, n))
		return
	}
	w.write(types, n, f.Has(codec.NullEmptyElem))
}

func (w *layoutWriter) types(types codec.Wire, g GoType) {
	text := types.String()
	w.b.WriteString(text + g.suffix(strings.Split(text, "|")))
}

func (w *layoutWriter) write(types codec.Wire, n *codec.Node, nulls bool) {
	w.types(types, goTypeOf(n, types))
	container := types&(codec.WireL|codec.WireM|codec.WireSS|codec.WireNS|codec.WireBS) != 0
	known := n.Struct != nil || n.Elem != nil && n.Elem.Wire() != 0
	if !container || !known || n.Enc != 0 {
		return
	}
	if n.Struct != nil {
		nulls = false // the fields have their own options
	}
	c := contentsOf{n, nulls}
	if number, seen := w.numbers[c]; seen {
		w.b.WriteString("=" + strconv.Itoa(number))
		return
	}
	w.numbers[c] = len(w.numbers) + 1
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
		if f.Wire() == 0 {
			continue // a func, or another type that is never stored
		}
		w.b.WriteString(next + word(f.Name) + " ")
		w.field(f)
		next = ", "
	}
	w.b.WriteByte('}')
}

func (w *layoutWriter) elements(n *codec.Node, nulls bool) {
	w.b.WriteByte('[')
	types := n.Elem.Wire()
	if n.Key != nil {
		w.key(n.Key)
		types = n.Elem.WireInMap(nulls)
	}
	if nulls {
		types |= codec.WireNULL
	}
	w.write(types, n.Elem.Base(), false)
	w.b.WriteByte(']')
}

// key describes the keys of a map, unless they are strings.
func (w *layoutWriter) key(k *codec.MapKey) {
	g := GoType{Kind: kindOf(k.Node)}
	switch {
	case k.DecText:
		g.Methods, g.Of = []string{ByText}, k.Node.Type.String()
		if !k.EncText {
			g.Written = ByKind
		}
	case k.EncText:
		g.Written, g.Of = ByText, k.Node.Type.String()
	}
	types := codec.WireN
	switch {
	case k.EncText || g.Kind == KindString:
		types = codec.WireS
	case g.Kind == KindBool:
		types = codec.WireBOOL
	}
	if types == codec.WireS && g.suffix([]string{"S"}) == "" {
		return
	}
	w.types(types, g)
	w.b.WriteString(": ")
}
