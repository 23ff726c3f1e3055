package chart

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// collection is a kind of partition, of the table or of an index, with the types whose items stand in it.
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
		shape := index + "\x00" + shapeOf(key.Partition)
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

// shapeOf is what partition keys have in common whatever their fields are called.
func shapeOf(side []*core.KeyAttr) string {
	var parts []string
	for _, a := range side {
		parts = append(parts, a.Name, shape(a.Template.String()))
	}
	return strings.Join(parts, "\x00")
}

// shape is a template without the names in it.
func shape(template string) string { return member.ReplaceAllString(template, "<") }
