// Package chart documents a schema: an entity chart, its keys, and its access patterns, as
// Markdown. It also writes a plain-text description and compares it with later versions of the
// schema. It does no I/O.
package chart

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Markdown returns the entity chart, the keys of the table and its indexes, and the access patterns
// as Markdown tables.
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

// entities returns one row per type with the template of every key attribute.
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

// keyText returns the template of a key attribute, or "" if the type has none.
func keyText(p *core.Plan, attribute string) string {
	for _, a := range keysOf(p) {
		if a.Name == attribute {
			return code(a.Template.String())
		}
	}
	return ""
}

// keysOf returns the key attributes of a type. It omits those of indexes that no item of the type
// is on.
func keysOf(p *core.Plan) []*core.KeyAttr {
	used := map[*core.KeyAttr]bool{}
	use := func(k core.Key) {
		for a := range k.Attributes() {
			used[a] = true
		}
	}
	use(p.Table)
	for _, x := range p.Indexes {
		use(x.Key)
	}
	return slices.DeleteFunc(slices.Clone(p.Attrs), func(a *core.KeyAttr) bool { return !used[a] })
}

// onTable is the name of the table itself in the index column.
const onTable = "table"

// indexes returns one row for the table and one for each index, with their key attributes.
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
		if label := x.Kind.Label(); label != "" {
			name += " (" + label + ")"
		}
		sh.rows = append(sh.rows, []string{name, names(x.Partition), names(x.Sort), holds})
	}
	return sh
}

// names lists attributes, with their types if these are not S.
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

// patterns returns one row for each read operation. Each type has a get by key, a query of its
// partition, and its access patterns. The item collections of several types follow.
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

// unserved reports whether no query of a type can use an access pattern. This is the case if the
// type shares its keys on the table and on the index, and the index does not project the type
// attribute.
func unserved(p *core.Plan, a *core.Access) bool {
	attribute := p.Schema.TypeAttr
	return p.Shared && a.Shared && attribute != "" && !a.On.Index.Projects(p.Schema, attribute)
}

// typeFilter returns the filter of a query, or "". The filter is necessary if the type shares its
// keys, and possible if the index projects the type attribute.
func typeFilter(p *core.Plan, x *core.Index, shared bool) string {
	attribute := p.Schema.TypeAttr
	if !shared || attribute == "" || x != nil && !x.Projects(p.Schema, attribute) {
		return ""
	}
	text := attribute + " = " + p.Name
	if p.KeyIdentifiesType() {
		text += " OR attribute_not_exists(" + attribute + ")" // the key has the type
	}
	return text
}
