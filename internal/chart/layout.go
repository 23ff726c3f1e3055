package chart

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
)

// layoutOf describes how a field is stored: its attribute types, its Go type if it is not the
// ordinary one, and its contents. Examples are N(int64), NULL|L[S] for a list of texts, and M{city
// S, zip N(int32)} for a struct. A number refers to earlier contents: M=1 means the first list, map
// or struct in the text.
func layoutOf(f *codec.Field) string {
	w := layoutWriter{told: map[container]int{}}
	w.field(f)
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

func (w *layoutWriter) field(f *codec.Field) {
	types, n := f.Wire(), base(f.Node)
	if f.KeyTemplate() != nil {
		w.types(types, goTypeOfKey(f, n))
		return
	}
	w.write(types, n, f.NullEmptyElem)
}

// base returns the node that pointers lead to.
func base(n *codec.Node) *codec.Node {
	for n.Kind == codec.KindPtr {
		n = n.Elem
	}
	return n
}

func (w *layoutWriter) types(types codec.Wire, g goType) {
	text := types.String()
	w.b.WriteString(text + g.inLayout(strings.Split(text, "|")))
}

func (w *layoutWriter) write(types codec.Wire, n *codec.Node, nulls bool) {
	w.types(types, goTypeOf(n, types))
	sets := types & (codec.WireSS | codec.WireNS | codec.WireBS)
	holds := types&(codec.WireL|codec.WireM) != 0 || sets != 0 && !ordinarySet(sets, n)
	known := n.Struct != nil || n.Elem != nil && n.Elem.Wire() != 0
	if !holds || !known || n.Enc != 0 {
		return
	}
	if n.Struct != nil {
		nulls = false // the fields have their own options
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

// ordinarySet reports whether the description omits the elements of a set, because they are plain
// texts or bytes.
func ordinarySet(set codec.Wire, n *codec.Node) bool {
	types := n.Elem.Wire() &^ codec.WireNULL
	ordinary := set == codec.WireSS && types == codec.WireS || set == codec.WireBS && types == codec.WireB
	return ordinary && goTypeOf(base(n.Elem), types).inLayout(strings.Split(types.String(), "|")) == ""
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
	if n.Key != nil {
		w.key(n.Key)
	}
	types := n.Elem.Wire()
	if nulls {
		types |= codec.WireNULL
	}
	w.write(types, base(n.Elem), false)
	w.b.WriteByte(']')
}

// key describes the keys of a map, unless they are strings.
func (w *layoutWriter) key(k *codec.MapKey) {
	g := goType{kind: kindOf(k.Node)}
	switch {
	case k.DecText:
		g.methods, g.of = []string{byText}, k.Node.Type.String()
		if !k.EncText {
			g.written = byKind
		}
	case k.EncText:
		g.written, g.of = byText, k.Node.Type.String()
	}
	types := codec.WireN
	switch {
	case k.EncText || g.kind == kindString:
		types = codec.WireS
	case g.kind == kindBool:
		types = codec.WireBOOL
	}
	if types == codec.WireS && g.inLayout([]string{"S"}) == "" {
		return
	}
	w.types(types, g)
	w.b.WriteString(": ")
}
