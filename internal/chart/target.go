package chart

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// target is a key by which items of a type are read.
type target struct {
	plan *core.Plan
	key  core.Key
}

// whole returns the key condition for one item.
func whole(k core.Key) string {
	if len(k.Sort) == 0 {
		return equal(k.Partition)
	}
	return equal(k.Partition) + " AND " + equal(k.Sort)
}

func equal(side []*core.KeyAttr) string {
	parts := make([]string, len(side))
	for i, a := range side {
		parts[i] = a.Name + " = " + a.Template.String()
	}
	return strings.Join(parts, " AND ")
}

// exact reports whether a partition has at most one item of the type, because the partition key
// determines the sort key.
func (t target) exact() bool {
	for _, a := range t.key.Sort {
		for i := range a.Members {
			if !t.known(a, i) {
				return false
			}
		}
	}
	return true
}

// known reports whether the partition key determines a member of the sort key. It does not if it
// keeps less of the member, such as only the day of a time.
func (t target) known(sort *core.KeyAttr, i int) bool {
	for _, a := range t.key.Partition {
		for j, m := range a.Members {
			if m == sort.Members[i] && (a.Field != nil || a.Preserves(j) || a.Template.Format(j) == sort.Template.Format(i)) {
				return true
			}
		}
	}
	return false
}

// span returns the key condition for all items of the type in a partition.
func (t target) span() string {
	text := equal(t.key.Partition)
	for _, a := range t.key.Sort {
		n := t.settled(a)
		if n < len(a.Members) {
			return text + t.open(a, n)
		}
		text += " AND " + a.Name + " = " + a.Template.String()
	}
	return text
}

// settled returns the number of leading members of a sort key that the partition key determines.
func (t target) settled(a *core.KeyAttr) int {
	for i := range a.Members {
		if !t.known(a, i) {
			return i
		}
	}
	return len(a.Members)
}

// open returns the condition on a sort key whose first n members are known. It is begins_with, or
// BETWEEN if the format of member n limits the range of texts.
func (t target) open(a *core.KeyAttr, n int) string {
	template := a.Template.String()
	told := template[:strings.LastIndexByte(template[:a.Template.Fields()[n].Offset], '>')+1]
	switch r := t.all(a, n, template[len(told):]); r.Op {
	case keyspace.Between:
		return " AND " + a.Name + " BETWEEN " + told + r.Lo + " AND " + told + r.Hi
	case keyspace.BeginsWith:
		return " AND begins_with(" + a.Name + ", " + told + r.Lo + ")"
	default:
		return ""
	}
}

// all returns the range of the end of a template, starting at the literal before member n.
func (t target) all(a *core.KeyAttr, n int, end string) keyspace.Range {
	s, tmpl := t.plan.Schema, a.Template
	if n > 0 {
		kind := func(field string) (keys.Kind, bool) {
			for _, f := range tmpl.Fields() {
				if f.Name == field {
					return f.Kind, true
				}
			}
			return 0, false
		}
		tmpl, _ = keys.Compile(end, keys.Options{Type: a.Type, Delimiter: s.Delimiter, Raw: s.Raw, Formats: s.Formats, Kind: kind})
	}
	r, _ := tmpl.Range(nil, keyspace.All)
	return r
}
