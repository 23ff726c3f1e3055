package schemadoc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// collection is a set of types on the table or on an index. Their items are in the same item
// collection if the values in their partition keys are equal.
type collection struct {
	index, condition, partitions string
	types                        []string
	readable                     bool // the table, or an index with an access pattern
}

// collections lists the item collections of the table, then those of each index.
func collections(s *core.Schema) []*collection {
	var list []*collection
	byValues := map[string]*collection{}
	add := func(index string, p *core.Plan, key core.Key, readable bool) {
		values := index + "\x00" + partitionValues(s, key.Partition)
		c := byValues[values]
		if c == nil {
			c = &collection{index: index, condition: core.Key{Partition: key.Partition}.Condition(), partitions: partitionsText(key)}
			byValues[values], list = c, append(list, c)
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

// partitionValues returns the same text for partition keys that are equal whenever their values are
// equal, regardless of field names. Keys that are equal only for some values, such as <name> and
// <name:lower>, have different texts.
func partitionValues(s *core.Schema, attributes []*core.KeyAttr) string {
	var parts []string
	for _, a := range attributes {
		parts = append(parts, a.Name, WithoutNames(a.Template.String()))
		for _, f := range a.Template.Fields() {
			parts = append(parts, valuesOf(s, a, f))
		}
		if a.Shard != nil { // a read of all types in its partitions reads that many
			parts = append(parts, strconv.Itoa(a.Shard.Shards()))
		}
	}
	return strings.Join(parts, "\x00")
}

// valuesOf returns a name for the values that a format encodes alike: integers of every type, and
// all numbers in an attribute of type N. A custom format may encode equal values of two kinds
// differently.
func valuesOf(s *core.Schema, a *core.KeyAttr, f keys.Field) string {
	integer := f.Kind == keys.KindInt || f.Kind == keys.KindUint
	switch {
	case a.Type == keys.N && (integer || f.Kind == keys.KindFloat):
		return "number"
	case integer && !hasCustomFormat(s, f):
		return "integer"
	default:
		return f.Kind.String()
	}
}

var fieldName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<(shard)(?::[^>]*)?(>)|<[^:>]*`) })

// WithoutNames returns a template without its field names. A shard keeps its own name, and loses
// those of the fields that it is computed from.
func WithoutNames(template string) string { return fieldName().ReplaceAllString(template, "<$1$2") }
