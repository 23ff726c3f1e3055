package core

import (
	"strconv"
	"strings"
)

// Signature returns what the text of a schema's keys depends on, besides their templates.
func (s *Schema) Signature() []string {
	mode := "escaped"
	if s.Raw {
		mode = "raw"
	}
	return []string{mode, s.Delimiter, s.TypeAttr}
}

// Signature returns what the text of a key depends on, besides [Schema.Signature]: the names and
// types of its attributes, their templates, the kinds and formats of the values in the templates,
// and the number of shards that can hold items.
func (k Key) Signature(s *Schema) []string {
	var list []string
	for _, side := range [][]*KeyAttr{k.Partition, k.Sort} {
		list = append(list, strconv.Itoa(len(side)))
		for _, a := range side {
			list = append(list, a.Name, string(a.Type), a.Template.String())
			for i, f := range a.Template.Fields() {
				list = append(list, f.Kind.String())
				if a.IsShard(i) {
					list = append(list, "shards "+strconv.Itoa(a.Shard.Shards()))
					continue
				}
				name, _, _ := strings.Cut(f.Format, ",")
				if own, ok := s.Formats[name]; ok && name != "" {
					list = append(list, SampleText(own, f.Kind))
				}
			}
		}
	}
	return list
}

// KeyOn returns the key of the type in an index, or in the table if x is nil. It returns false if
// items of the type are never in the index.
func (p *Plan) KeyOn(x *Index) (Key, bool) {
	if x == nil {
		return p.Table, true
	}
	for _, on := range p.Indexes {
		if on.Index == x {
			return on.Key, true
		}
	}
	return Key{}, false
}
