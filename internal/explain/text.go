package explain

import (
	"regexp"
	"strings"
	"sync"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// wording formats expressions. It replaces name placeholders with names, except map keys, because
// these are data. It replaces each value with "?".
type wording struct {
	schema *core.Schema
	names  map[string]string
	value  func(name, mark string) string // returns the text for a value after name; nil: "?"
}

// hidden replaces a name that no type declares.
const hidden = `["…"]`

// token matches a placeholder of a name or a value, or any other character.
var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[#:][0-9A-Za-z_]*|.`) })

// of returns an expression as text.
func (w wording) of(expression string) string {
	var b strings.Builder
	var at []*codec.Node // the nodes of the last name, one for each type that declares it
	name, nested := "", false
	for _, mark := range token().FindAllString(expression, -1) {
		switch mark[0] {
		case ':':
			b.WriteString(w.valueOf(name, mark))
		case '#':
			var declared bool
			if name = w.names[mark]; nested {
				at, declared = inside(at, name)
			} else {
				at = w.attribute(name)
				declared = len(at) > 0 || w.schema.IsSystem(name)
			}
			write(&b, name, nested, declared)
		case '[':
			at = elements(at)
			b.WriteByte('[')
		case '.': // written with the name
		default:
			b.WriteString(mark)
		}
		nested = mark == "."
	}
	return b.String()
}

func (w wording) valueOf(name, mark string) string {
	if w.value == nil {
		return "?"
	}
	return w.value(name, mark)
}

func write(b *strings.Builder, name string, nested, declared bool) {
	switch {
	case !declared:
		b.WriteString(hidden)
	case nested:
		b.WriteString("." + name)
	default:
		b.WriteString(name)
	}
}

// attribute returns the nodes of an attribute in the types that declare it.
func (w wording) attribute(name string) (nodes []*codec.Node) {
	for _, p := range w.schema.Plans {
		if f := p.Shape.ByName(name); f != nil {
			nodes = append(nodes, f.Node)
		}
	}
	return nodes
}

// inside returns the nodes of a name within the nodes in. It reports whether the name is a declared
// field; a map key is data.
func inside(in []*codec.Node, name string) (nodes []*codec.Node, declared bool) {
	for _, n := range in {
		n = n.Base()
		switch {
		case n.Kind == codec.KindMap:
			nodes = append(nodes, n.Elem)
		case n.Struct != nil && n.Struct.ByName(name) != nil:
			nodes, declared = append(nodes, n.Struct.ByName(name).Node), true
		}
	}
	return nodes, declared
}

// elements returns the element nodes of lists.
func elements(in []*codec.Node) (nodes []*codec.Node) {
	for _, n := range in {
		if n = n.Base(); n.Elem != nil {
			nodes = append(nodes, n.Elem)
		}
	}
	return nodes
}
