package chart

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// target is a key that a type is read by.
type target struct {
	plan *core.Plan
	key  core.Key
}

// whole is the condition that finds one item.
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

// exact reports whether a partition holds one item of the type: the sort key is made of nothing else than the partition key.
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

// known reports whether the partition key tells a member of the sort key as that holds it: not where it holds less of it, such as the day of a time.
func (t target) known(sort *core.KeyAttr, i int) bool {
	for _, a := range t.key.Partition {
		for j, m := range a.Members {
			if m == sort.Members[i] && (a.Field != nil || a.Keeps(j) || a.Template.Format(j) == sort.Template.Format(i)) {
				return true
			}
		}
	}
	return false
}

// span is the condition that finds all of the type in a partition.
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

// settled is how many members of a sort key, from the first on, the partition key tells.
func (t target) settled(a *core.KeyAttr) int {
	for i := range a.Members {
		if !t.known(a, i) {
			return i
		}
	}
	return len(a.Members)
}

// open is the condition on a sort key of which the members before the n-th are known: it begins so or, where the format of the n-th writes some
// texts only, lies between the least and the greatest of them.
func (t target) open(a *core.KeyAttr, n int) string {
	template := a.Template.String()
	told := template[:strings.LastIndexByte(template[:a.Template.Fields()[n].Offset], '>')+1]
	switch r := t.all(a, n, template[len(told):]); r.Shape {
	case keys.Within:
		return " AND " + a.Name + " BETWEEN " + told + r.Lo + " AND " + told + r.Hi
	case keys.Prefix:
		return " AND begins_with(" + a.Name + ", " + told + r.Lo + ")"
	default:
		return ""
	}
}

// all is the keys of what a template ends with, from the literal before its n-th member on.
func (t target) all(a *core.KeyAttr, n int, end string) keys.Range {
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
	r, _ := tmpl.All()
	return r
}
