// Package chart draws a schema: the entity chart and the access-pattern sheet, the two artifacts that the design of a single table starts from, the
// keys that both speak of, and a plain description that later versions are compared with. It is pure.
package chart

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Markdown is the entity chart, the keys of the table and its indexes, and the access-pattern sheet.
func Markdown(s *core.Schema) string {
	var b strings.Builder
	b.WriteString("## Entities\n\n")
	entities(s).write(&b)
	b.WriteString("\n## Keys\n\n")
	indexes(s).write(&b)
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
	for _, a := range keysOf(p) {
		if a.Name == attribute {
			return code(a.Template.String())
		}
	}
	return ""
}

// keysOf are the key attributes of a type, without those of indexes that no item of it is on.
func keysOf(p *core.Plan) []*core.KeyAttr {
	used := map[*core.KeyAttr]bool{}
	use := func(k core.Key) {
		for a := range k.Sides() {
			used[a] = true
		}
	}
	use(p.Table)
	for _, x := range p.Indexes {
		use(x.Key)
	}
	return slices.DeleteFunc(slices.Clone(p.Attrs), func(a *core.KeyAttr) bool { return !used[a] })
}

// onTable stands in the column of indexes for the table itself.
const onTable = "table"

// indexes is one row for the table and each index, with the attributes that key it.
func indexes(s *core.Schema) *sheet {
	sh := &sheet{head: []string{"index", "partition key", "sort key", "attributes"}}
	sh.rows = append(sh.rows, []string{onTable, names(s.PartitionKey()), names(s.SortKey()), "all"})
	for _, x := range s.Indexes {
		holds := "all"
		switch {
		case x.KeysOnly:
			holds = "keys only"
		case !x.All():
			holds = "keys, " + strings.Join(x.Include, ", ")
		}
		name := x.Name
		if x.Local {
			name += " (local)"
		}
		sh.rows = append(sh.rows, []string{name, names(x.Partition), names(x.Sort), holds})
	}
	return sh
}

// names lists attributes, with the types of those that are no text.
func names(side []core.Attribute) string {
	texts := make([]string, len(side))
	for i, a := range side {
		texts[i] = a.Name
		if a.Type != textKey {
			texts[i] += " (" + string(a.Type) + ")"
		}
	}
	return strings.Join(texts, ", ")
}

// patterns is one row for each way to read: of each type the item by its key, the type in its partition, and its declared access patterns; then
// the item collections that hold several types.
func patterns(s *core.Schema) *sheet {
	sh := &sheet{head: []string{"pattern", "index", "key condition", "filter"}}
	add := func(pattern, index, condition, filter string) {
		sh.rows = append(sh.rows, []string{pattern, index, code(condition), code(filter)})
	}
	for _, p := range s.Plans {
		add("get "+p.Name, onTable, whole(p.Table), "")
		if t := (target{p, p.Table}); !t.exact() {
			add("query "+p.Name, onTable, t.span(), typeFilter(p, nil, p.Shared))
		}
		for _, a := range p.Access {
			if unserved(p, a) {
				continue
			}
			t := target{p, a.On.Key}
			add("query "+p.Name+" "+a.Name, a.On.Index.Name, t.span(), typeFilter(p, a.On.Index, a.Shared))
		}
	}
	for _, c := range collections(s) {
		if c.readable && len(c.types) > 1 {
			add("collection of "+strings.Join(c.types, ", "), c.index, c.key, "")
		}
	}
	return sh
}

// unserved reports whether no query of a type can be sent by an access pattern: its keys, there and in the table, are shared, and what is read does
// not say the type.
func unserved(p *core.Plan, a *core.Access) bool {
	attribute := p.Schema.TypeAttr
	return p.Shared && a.Shared && attribute != "" && !a.On.Index.Projects(p.Schema, attribute)
}

// typeFilter is what a query adds where other types' keys are among those that it reads, and what it reads says the type.
func typeFilter(p *core.Plan, x *core.Index, shared bool) string {
	attribute := p.Schema.TypeAttr
	if !shared || attribute == "" || x != nil && !x.Projects(p.Schema, attribute) {
		return ""
	}
	text := attribute + " = " + p.Name
	if p.ToldByKey() {
		text += " OR attribute_not_exists(" + attribute + ")" // then its key says it
	}
	return text
}
