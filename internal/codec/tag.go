package codec

import (
	"reflect"
	"strings"
)

// TagKey is the struct tag that names attributes and says how they are stored.
const TagKey = "dynamodbav"

// Options is how a field's tag asks for its value to be stored.
type Options struct {
	OmitEmpty     bool // left out when empty
	OmitEmptyElem bool // elements of lists, sets and maps are left out when empty
	NullEmpty     bool // NULL when empty
	NullEmptyElem bool // elements of lists and maps are NULL when empty
	AsString      bool // a number as S
	BinarySet     bool
	NumberSet     bool
	StringSet     bool
	UnixTime      bool // a time as N, in seconds
}

var optionNames = []string{
	"omitempty", "omitemptyelem", "nullempty", "nullemptyelem", "string", "binaryset", "numberset", "stringset", "unixtime",
}

// set switches an option on by its name; false if there is none of that name.
func (o *Options) set(name string) bool {
	switch name {
	case "omitempty":
		o.OmitEmpty = true
	case "omitemptyelem":
		o.OmitEmptyElem = true
	case "nullempty":
		o.NullEmpty = true
	case "nullemptyelem":
		o.NullEmptyElem = true
	case "string":
		o.AsString = true
	case "binaryset":
		o.BinarySet = true
	case "numberset":
		o.NumberSet = true
	case "stringset":
		o.StringSet = true
	case "unixtime":
		o.UnixTime = true
	default:
		return false
	}
	return true
}

// The options that elements can have: what a container passes on depends on its own two element options only.
var (
	plain        = &Options{}
	omitElems    = &Options{OmitEmpty: true, OmitEmptyElem: true}
	nullElems    = &Options{NullEmpty: true}
	clashOfElems = &Options{OmitEmpty: true, OmitEmptyElem: true, NullEmpty: true}
)

// elem is the options of a container's elements. Leaving out goes on into deeper containers, NULL does not.
func (o *Options) elem() *Options {
	switch {
	case o.OmitEmptyElem && o.NullEmptyElem:
		return clashOfElems
	case o.OmitEmptyElem:
		return omitElems
	case o.NullEmptyElem:
		return nullElems
	default:
		return plain
	}
}

// tag is a parsed struct tag.
type tag struct {
	name   string // empty: the Go name
	ignore bool
	Options
}

// parseTag reads a field's tag. An option that does not exist is a fault.
func parseTag(st reflect.StructTag) (t tag, faults []Fault) {
	text, ok := st.Lookup(TagKey)
	if !ok {
		if strings.Contains(string(st), TagKey) {
			faults = append(faults, Fault{Tag: string(st), Reason: "the struct tag is malformed", Hint: TagKey + `:"name,option"`})
		}
		return t, faults
	}
	name, rest, more := strings.Cut(text, ",")
	if name == "-" {
		t.ignore = true
		return t, nil
	}
	t.name = name
	for more {
		var option string
		option, rest, more = strings.Cut(rest, ",")
		if option != "" && !t.set(option) {
			faults = append(faults, Fault{Tag: text, Reason: "unknown option " + option, Hint: suggest(option)})
		}
	}
	return t, faults
}

// suggest names the option that was probably meant.
func suggest(option string) string {
	best, least := "", 4
	option = strings.ToLower(strings.TrimSpace(option))
	for _, name := range optionNames {
		if d := distance(option, name); d < least && d < len(option) {
			best, least = name, d
		}
	}
	if best == "" {
		return "one of " + strings.Join(optionNames, ", ")
	}
	return "did you mean " + best + "?"
}

// distance is the number of bytes to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
