package chart

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// unless precedes the conditions under which members keep an item off an index. Conditions that
// follow from the kind of a member are left out: an empty text is never in a key, but a number can
// be 0.
const unless = " unless "

// absentWhen returns the member values that keep an item off an index, for members whose zero
// values can be in a key. It returns "" if there are none, and for the table's key, which every
// item has.
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

// presence splits the text of a key into its template and the absence condition of each member.
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

// indexedAlike reports whether rewriting stored items leaves their index membership unchanged. A
// change to the condition nil has no effect: stored attributes do not decode to nil, and omitted
// ones do.
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
