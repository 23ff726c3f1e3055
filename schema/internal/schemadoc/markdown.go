// Package schemadoc documents a schema. Markdown returns its entity chart, keys and access patterns
// for people. Text returns a description of everything that affects stored items, and Parse reads
// such a description again. The package does no I/O.
package schemadoc

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Markdown returns the entity chart, the keys of the table and its indexes, the tenants, the unique
// values, the counts and the lifetimes if there are any, and the access patterns, as Markdown
// tables.
func Markdown(s *core.Schema) string {
	text := "## Entities\n\n" + entities(s).String() +
		"\n## Keys\n\n" + indexes(s).String()
	if t := tenants(s); len(t) > 1 {
		text += "\n## Tenants\n\n" + t.String()
	}
	if t := uniques(s); len(t) > 1 {
		text += "\n## Unique values\n\n" + t.String()
	}
	if t := counts(s); len(t) > 1 {
		text += "\n## Counts\n\n" + t.String()
	}
	if t := lifetimes(s); len(t) > 1 {
		text += "\n## Lifetimes\n\n" + t.String()
	}
	return text + "\n## Access patterns\n\n" + patterns(s).String()
}

// tenants returns one row per key attribute that starts with the tenant.
func tenants(s *core.Schema) table {
	t := table{{"key attribute", "starts with"}}
	for _, k := range s.Tenants {
		t.add(k.Name, code(k.Literal+"<tenant>"))
	}
	return t
}

// uniques returns one row per unique value.
func uniques(s *core.Schema) table {
	t := table{{"entity", "name", "value"}}
	for _, p := range s.Plans {
		for _, u := range p.Uniques {
			t.add(p.Name, u.Name, code(u.Text()))
		}
	}
	return t
}

// counts returns one row per count: the type that is counted, and the counting item with its key.
func counts(s *core.Schema) table {
	t := table{{"entity", "counted by", "in attribute", "with the key"}}
	for _, p := range s.Plans {
		for _, c := range p.Counted {
			t.add(p.Name, c.In, c.As, code(c.Key.Condition()))
		}
	}
	return t
}

// entities returns one row per type with the template of every key attribute.
func entities(s *core.Schema) table {
	t := table{{"entity"}}
	attributes := s.KeyAttributes()
	for _, a := range attributes {
		t[0] = append(t[0], a.Name)
	}
	for _, p := range s.Plans {
		row := make([]string, 1+len(attributes))
		row[0] = p.Name
		for _, k := range usedKeys(p) {
			i := slices.IndexFunc(attributes, func(a core.Attribute) bool { return a.Name == k.Name })
			row[1+i] = code(k.Template.String()) + shardsLabel(k)
		}
		t = append(t, row)
	}
	return t
}

// usedKeys returns the key attributes of a type. It omits those of indexes that no item of the type
// is on.
func usedKeys(p *core.Plan) []*core.KeyAttr {
	return slices.DeleteFunc(slices.Clone(p.Attrs), func(a *core.KeyAttr) bool {
		return !p.Table.Has(a) && !slices.ContainsFunc(p.Indexes, func(x *core.IndexKey) bool { return x.Key.Has(a) })
	})
}

// onTable is the name of the table itself in the index column.
const onTable = "table"

// indexes returns one row for the table and one for each index, with their key attributes.
func indexes(s *core.Schema) table {
	t := table{{"index", "partition key", "sort key", "attributes"}}
	t.add(onTable, names(s.PartitionKey()), names(s.SortKey()), "all")
	for _, x := range s.Indexes {
		projected := "all"
		switch {
		case x.KeysOnly:
			projected = "keys only"
		case !x.All():
			projected = "keys, " + strings.Join(x.Include, ", ")
		}
		name := x.Name
		if label := x.Label(); label != "" {
			name += " (" + label + ")"
		}
		t.add(name, names(x.Partition), names(x.Sort), projected)
	}
	return t
}

// names lists attributes, with their types if these are not S.
func names(attributes []core.Attribute) string {
	texts := make([]string, len(attributes))
	for i, a := range attributes {
		texts[i] = a.Name
		if a.Type != defaultKeyType {
			texts[i] += " (" + string(a.Type) + ")"
		}
	}
	return strings.Join(texts, ", ")
}

// patterns returns one row for each read operation. Each type has a get by key, a query of its
// partition, and its access patterns. The item collections of several types follow. The last two
// columns describe the partitions of a read, and the items of an access pattern. The table does not
// have a column without text: each read has one partition, or finds all items of its type, whole.
func patterns(s *core.Schema) table {
	t := table{{"pattern", "index", "key condition", "filter", "partitions", "items"}}
	for _, p := range s.Plans {
		t.add("get "+p.Name, onTable, code(p.Table.Condition()), "", placesText(p), "")
		if k := (queryKey{p, p.Table}); !k.singleItem() {
			t.add("query "+p.Name, onTable, code(k.condition()), code(typeFilter(p, nil, p.Shared)), partitionsText(k.key), "")
		}
		for _, a := range p.Access {
			if cannotQuery(p, a) {
				continue
			}
			k := queryKey{p, a.On.Key}
			t.add("query "+p.Name+" "+a.Name, a.On.Index.Name, code(k.condition()), code(typeFilter(p, a.On.Index, a.Shared)), partitionsText(k.key), itemsText(p, a))
		}
	}
	for _, c := range collections(s) {
		if c.readable && len(c.types) > 1 {
			t.add("collection of "+strings.Join(c.types, ", "), c.index, code(c.condition), "", c.partitions, collectionText(s, c))
		}
	}
	return t.withoutEmpty(len(t[0]) - 2)
}

// cannotQuery reports whether no query of a type can use an access pattern without Fetch. This is
// the case if the type shares its keys on the table and on the index, and the index does not
// project the type attribute.
func cannotQuery(p *core.Plan, a *core.Access) bool {
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
