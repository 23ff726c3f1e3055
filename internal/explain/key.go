package explain

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// isOne reports whether a query finds at most one item: all its key conditions are equalities, and
// the key determines the table's key.
func isOne(p *read.Plan) bool {
	key, _ := p.Entity.KeyOn(p.Index)
	parts := len(key.Partition) + len(key.Sort)
	for i := range p.Streams() {
		if c := p.Partition(i).KeyCondition; strings.Count(c, " = ") != parts || strings.Count(c, " AND ") != parts-1 {
			return false
		}
	}
	if p.Index == nil {
		return p.Streams() == 1
	}
	for a := range p.Entity.Table.Attributes() {
		for _, m := range a.Members {
			if !tells(key, m) {
				return false
			}
		}
	}
	return p.Streams() == 1 && !p.AllTypes
}

// tells reports whether a key holds a field without loss.
func tells(key core.Key, f *codec.Field) bool {
	for a := range key.Attributes() {
		for i, m := range a.Members {
			if m == f && (a.Field != nil || a.Preserves(i)) {
				return true
			}
		}
	}
	return false
}

// conditionText returns a key condition as text. It shows the partition key by its templates. It
// shows sort key values only if they are the literal text of a template.
func conditionText(p *read.Plan, part *read.Partition) string {
	key, _ := p.Entity.KeyOn(p.Index)
	conditions := strings.SplitN(part.KeyCondition, " AND ", len(key.Partition)+1)
	for i, a := range key.Partition {
		conditions[i] = a.Condition()
	}
	if last := len(key.Partition); last < len(conditions) {
		literals := literalsOf(key.Sort)
		w := wording{p.Entity.Schema, part.Names, func(_, mark string) string {
			if text, _ := core.KeyText("S", part.Values[mark]); literals[text] {
				return text
			}
			return "?"
		}}
		conditions[last] = w.of(conditions[last])
	}
	return strings.Join(conditions, " AND ")
}

// literalsOf returns the literal texts that templates begin with. They are part of the schema and
// of no item's data.
func literalsOf(side []*core.KeyAttr) map[string]bool {
	literals := map[string]bool{}
	for _, a := range side {
		text, _, _ := strings.Cut(a.Template.String(), "<")
		literals[text] = text != ""
	}
	return literals
}

// filterText returns a filter as text. It shows the names of types, and no other value.
func filterText(s *core.Schema, filter string, names map[string]string, values op.Item) string {
	return wording{s, names, func(name, mark string) string {
		text, _ := core.KeyText("S", values[mark])
		if name == s.TypeAttr && slices.ContainsFunc(s.Plans, func(p *core.Plan) bool { return p.Name == text }) {
			return text
		}
		return "?"
	}}.of(filter)
}
