package chart

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
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
			if m == sort.Members[i] {
				return a.Field != nil || a.Keeps(j) || a.Template.Format(j) == sort.Template.Format(i)
			}
		}
	}
	return false
}

// span is the condition that finds all of the type in a partition.
func (t target) span() string {
	text := equal(t.key.Partition)
	for _, a := range t.key.Sort {
		prefix, open := t.prefix(a)
		switch {
		case !open:
			text += " AND " + a.Name + " = " + a.Template.String()
		case prefix != "":
			return text + " AND begins_with(" + a.Name + ", " + prefix + ")"
		default:
			return text
		}
	}
	return text
}

// prefix is the part of a sort key's template that the partition already tells, and whether there is more.
func (t target) prefix(a *core.KeyAttr) (text string, open bool) {
	rest := a.Template.String()
	for i := range a.Members {
		if t.known(a, i) {
			end := strings.IndexByte(rest, '>')
			text, rest = text+rest[:end+1], rest[end+1:]
			continue
		}
		return text + rest[:strings.IndexByte(rest, '<')], true
	}
	return text + rest, false
}
