package chart

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// unless stands before the members without which there is no key attribute, as far as their kinds do not tell: a text is never in a key when it is
// empty, but a number may well be 0.
const unless = " unless "

// absentWhen says which values of its members keep an item off an index, as far as a zero of theirs is not nothing anyway; empty where none does, and
// of the table's own key, which every item has.
func absentWhen(a *core.KeyAttr) string {
	if a.Table {
		return ""
	}
	var clauses []string
	for i, f := range a.Members {
		if when := emptiness(f); when != "" {
			clauses = append(clauses, "<"+a.Template.Fields()[i].Name+"> is "+when)
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return unless + strings.Join(clauses, " or ")
}

const (
	whenNil  = "nil"
	whenZero = "zero"
)

func emptiness(f *codec.Field) string {
	switch {
	case !f.ZeroInKey():
		return ""
	case f.Node.Kind == codec.KindPtr:
		return whenNil
	case f.OmitEmpty:
		return whenZero
	case f.BehindPointer():
		return whenNil
	default:
		return ""
	}
}

// presence takes a key's text apart: what it is written by, and when each of its members keeps an item off the index.
func presence(key string) (written string, when map[string]string) {
	i := strings.LastIndex(key, unless+"<")
	if i < 0 {
		return key, nil
	}
	when = map[string]string{}
	for clause := range strings.SplitSeq(key[i+len(unless):], " or ") {
		name, value, _ := strings.Cut(clause, " is ")
		when[name] = value
	}
	return key[:i], when
}

// indexedAlike reports whether stored items are on an index, or are not, as they would be if they were written again. Nothing stored was nil that is
// not still.
func indexedAlike(before, after string) bool {
	was, absent := presence(before)
	is, absentNow := presence(after)
	if was != is {
		return false
	}
	for name, when := range absent {
		if absentNow[name] != when && absentNow[name] != whenNil {
			return false
		}
	}
	for name, when := range absentNow {
		if absent[name] != when && when != whenNil {
			return false
		}
	}
	return true
}
