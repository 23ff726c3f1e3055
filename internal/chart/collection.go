package chart

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// collection is a kind of partition, of the table or of an index, with the types whose items are in
// the same one where the values in their keys are equal.
type collection struct {
	index, key string
	types      []string
	readable   bool // a query can name it
}

// collections lists the partitions of the table, then those of each index.
func collections(s *core.Schema) []*collection {
	var list []*collection
	byShape := map[string]*collection{}
	add := func(index string, p *core.Plan, key core.Key, readable bool) {
		shape := index + "\x00" + shapeOf(s, key.Partition)
		c := byShape[shape]
		if c == nil {
			c = &collection{index: index, key: equal(key.Partition)}
			byShape[shape], list = c, append(list, c)
		}
		if !slices.Contains(c.types, p.Name) {
			c.types = append(c.types, p.Name)
		}
		c.readable = c.readable || readable
	}
	for _, p := range s.Plans {
		add(onTable, p, p.Table, true)
	}
	for _, x := range s.Indexes {
		for _, p := range s.Plans {
			for _, k := range p.Indexes {
				if k.Index == x {
					add(x.Name, p, k.Key, k.Access != nil)
				}
			}
		}
	}
	return list
}

var member = regexp.MustCompile(`<[^:>]*`)

// shapeOf is the same for partition keys that are equal wherever their values are equal, whatever
// the fields are called. Keys that are equal for some values only, such as <name> and <name:lower>,
// have different shapes.
func shapeOf(s *core.Schema, side []*core.KeyAttr) string {
	var parts []string
	for _, a := range side {
		parts = append(parts, a.Name, shape(a.Template.String()))
		for _, f := range a.Template.Fields() {
			parts = append(parts, valuesOf(s, a, f))
		}
	}
	return strings.Join(parts, "\x00")
}

// valuesOf names the values that a format writes alike: integers of every type, and all numbers on
// an attribute of type N. A table's own format may write equal values of two kinds differently.
func valuesOf(s *core.Schema, a *core.KeyAttr, f keys.Field) string {
	format, _, _ := strings.Cut(f.Format, ",")
	_, named := s.Formats[format]
	integer := f.Kind == keys.KindInt || f.Kind == keys.KindUint
	switch {
	case a.Type == keys.N && (integer || f.Kind == keys.KindFloat):
		return "number"
	case integer && !named:
		return "integer"
	default:
		return f.Kind.String()
	}
}

// shape is a template without the names in it.
func shape(template string) string { return member.ReplaceAllString(template, "<") }
