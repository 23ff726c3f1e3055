// Package chart draws a schema: the entity chart and the access-pattern sheet, the two artifacts that the design of a single table starts from, and
// a plain description that later versions are compared with. It is pure.
package chart

import (
	"regexp"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Markdown is the entity chart and the access-pattern sheet.
func Markdown(s *core.Schema) string {
	var b strings.Builder
	b.WriteString("## Entities\n\n")
	entities(s).write(&b)
	b.WriteString("\n## Access patterns\n\n")
	patterns(s).write(&b)
	return b.String()
}

// entities is one row a type, with the template of every key attribute.
func entities(s *core.Schema) *sheet {
	sh := &sheet{head: []string{"entity"}}
	attributes := s.KeyAttributes()
	for _, a := range attributes {
		sh.head = append(sh.head, a.Name)
	}
	for _, p := range s.Plans {
		row := []string{p.Name}
		for _, a := range attributes {
			row = append(row, keyText(p, a.Name))
		}
		sh.rows = append(sh.rows, row)
	}
	return sh
}

// keyText is the template that a type writes an attribute by; empty where it has none.
func keyText(p *core.Plan, attribute string) string {
	if a := p.KeyAttr(attribute); a != nil {
		return code(a.Template.String())
	}
	return ""
}

// patterns is one row for each way to read: item by key, type in its partition, item collection, and each declared access pattern.
func patterns(s *core.Schema) *sheet {
	sh := &sheet{head: []string{"pattern", "index", "key condition", "filter"}}
	for _, p := range s.Plans {
		sh.rows = append(sh.rows, []string{p.Name, "", code(whole(p.Table)), ""})
		if t := (target{p, p.Table}); !t.exact() {
			sh.rows = append(sh.rows, []string{p.Name + " in its partition", "", code(t.span()), typeFilter(p, p.Shared)})
		}
	}
	for _, c := range collections(s) {
		sh.rows = append(sh.rows, c)
	}
	for _, p := range s.Plans {
		for _, a := range p.Access {
			t := target{p, a.On.Key}
			sh.rows = append(sh.rows, []string{p.Name + " " + a.Name, a.On.Index.Name, code(t.span()), typeFilter(p, a.Shared)})
		}
	}
	return sh
}

// collections are the partitions of the table, and of indexes, that hold several types.
func collections(s *core.Schema) [][]string {
	type group struct {
		index, key string
		types      []string
	}
	var groups []*group
	byKey := map[string]*group{}
	add := func(index string, p *core.Plan, key core.Key) {
		shape := index + "\x00" + shapeOf(key.Partition)
		g := byKey[shape]
		if g == nil {
			g = &group{index: index, key: equal(key.Partition)}
			byKey[shape], groups = g, append(groups, g)
		}
		g.types = append(g.types, p.Name)
	}
	for _, p := range s.Plans {
		add("", p, p.Table)
	}
	for _, p := range s.Plans {
		for _, a := range p.Access {
			add(a.On.Index.Name, p, a.On.Key)
		}
	}
	var rows [][]string
	for _, g := range groups {
		if len(g.types) > 1 {
			rows = append(rows, []string{"collection of " + strings.Join(g.types, ", "), g.index, code(g.key), ""})
		}
	}
	return rows
}

var member = regexp.MustCompile(`<[^:>]*`)

// shapeOf is what partition keys have in common whatever their fields are called.
func shapeOf(side []*core.KeyAttr) string {
	var parts []string
	for _, a := range side {
		parts = append(parts, a.Name, member.ReplaceAllString(a.Template.String(), "<"))
	}
	return strings.Join(parts, "\x00")
}

func typeFilter(p *core.Plan, shared bool) string {
	if !shared || p.Schema.TypeAttr == "" {
		return ""
	}
	return code(p.Schema.TypeAttr + " = " + p.Name)
}
