package schemadoc

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// queryKey is a key by which a query reads the items of a type.
type queryKey struct {
	plan *core.Plan
	key  core.Key
}

// singleItem reports whether a partition has at most one item of the type, because the partition
// key determines the sort key.
func (k queryKey) singleItem() bool {
	return !slices.ContainsFunc(k.key.Sort, func(a *core.KeyAttr) bool { return k.known(a) < len(a.Members) })
}

// condition returns the key condition for all items of the type in a partition.
func (k queryKey) condition() string {
	text := core.Key{Partition: k.key.Partition}.Condition()
	for _, a := range k.key.Sort {
		if n := k.known(a); n < len(a.Members) {
			return text + k.rangeCondition(a, n)
		}
		text += " AND " + a.Condition()
	}
	return text
}

// known returns the number of leading members of a sort key that the partition key determines.
func (k queryKey) known(sort *core.KeyAttr) int {
	for i := range sort.Members {
		if !k.determines(sort, i) {
			return i
		}
	}
	return len(sort.Members)
}

// determines reports whether the partition key determines a member of the sort key. It does not if
// it keeps less of the member, such as only the day of a time.
func (k queryKey) determines(sort *core.KeyAttr, i int) bool {
	for _, a := range k.key.Partition {
		for j, m := range a.Members {
			if m == sort.Members[i] && (a.Field != nil || a.Preserves(j) || a.Template.Format(j) == sort.Template.Format(i)) {
				return true
			}
		}
	}
	return false
}

// rangeCondition returns the condition on a sort key whose first n members are known. It is
// begins_with, or BETWEEN if the format of member n limits the range of texts.
func (k queryKey) rangeCondition(a *core.KeyAttr, n int) string {
	template := a.Template.String()
	prefix := template[:strings.LastIndexByte(template[:a.Template.Fields()[n].Offset], '>')+1]
	switch r := k.rangeFrom(a, n, template[len(prefix):]); r.Op {
	case keyspace.Between:
		return " AND " + a.Name + " BETWEEN " + prefix + r.Lo + " AND " + prefix + r.Hi
	case keyspace.BeginsWith:
		return " AND begins_with(" + a.Name + ", " + prefix + r.Lo + ")"
	default:
		return ""
	}
}

// rangeFrom returns the range of the end of a template, starting at the literal before member n.
func (k queryKey) rangeFrom(a *core.KeyAttr, n int, end string) keyspace.Range {
	s, template := k.plan.Schema, a.Template
	if n > 0 {
		fields := template.Fields()
		kind := func(field string) (keys.Kind, bool) {
			i := slices.IndexFunc(fields, func(f keys.Field) bool { return f.Name == field })
			return fields[i].Kind, true
		}
		template, _ = keys.Compile(end, keys.Options{Type: a.Type, Delimiter: s.Delimiter, Raw: s.Raw, Formats: s.Formats, Kind: kind, Sharded: true})
	}
	r, _ := template.Range(nil, keyspace.All)
	return r
}
