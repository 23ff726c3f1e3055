package chart

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// formatVersion is that of the keys' format: what a template and a value are written as.
const formatVersion = 1

// Text describes what of a schema decides how items are stored, line by line: the table, its indexes, and of each type its key templates and
// attributes.
func Text(s *core.Schema) string {
	var b strings.Builder
	mode := "escaped"
	if s.Raw {
		mode = "raw"
	}
	fmt.Fprintf(&b, "keys format %d, %s, delimiter %q\n", formatVersion, mode, s.Delimiter)
	fmt.Fprintf(&b, "table%s\n", list(s.PartitionKey(), s.SortKey()))
	if s.TypeAttr != "" {
		fmt.Fprintf(&b, "type in %s\n", s.TypeAttr)
	}
	if s.TTL != "" {
		fmt.Fprintf(&b, "time to live in %s\n", s.TTL)
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(&b, "index %s%s%s\n", x.Name, list(x.Partition, x.Sort), projection(x))
	}
	for _, p := range s.Plans {
		fmt.Fprintf(&b, "\nentity %s\n", p.Name)
		for _, a := range p.Attrs {
			fmt.Fprintf(&b, "key %s %s\n", a.Name, a.Template)
		}
		for _, a := range p.Access {
			fmt.Fprintf(&b, "access %s on %s\n", a.Name, a.On.Index.Name)
		}
		for _, f := range p.Shape.Fields() {
			if !f.KeyOnly && f != p.Rest {
				fmt.Fprintf(&b, "attribute %s %s\n", f.Name, f.Wire())
			}
		}
	}
	return b.String()
}

func list(partition, sort []core.Attribute) string {
	text := ""
	for _, a := range partition {
		text += fmt.Sprintf(" %s:%s", a.Name, a.Type)
	}
	if len(sort) > 0 {
		text += " /"
	}
	for _, a := range sort {
		text += fmt.Sprintf(" %s:%s", a.Name, a.Type)
	}
	return text
}

func projection(x *core.Index) string {
	text := ""
	if x.Local {
		text = ", local"
	}
	switch {
	case x.KeysOnly:
		return text + ", keys only"
	case len(x.Include) > 0:
		return text + ", with " + strings.Join(x.Include, " ")
	default:
		return text
	}
}
