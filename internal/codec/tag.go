package codec

import (
	"reflect"
	"strings"
)

// TagKey is the key of the struct tag that sets the attribute name and options.
const TagKey = "dynamodbav"

// Options are the options in a field's tag.
type Options struct {
	OmitEmpty     bool // omit an empty value
	OmitEmptyElem bool // omit empty elements of lists, sets and maps
	NullEmpty     bool // store an empty value as NULL
	NullEmptyElem bool // store empty elements of lists and maps as NULL
	AsString      bool // store a number as S
	BinarySet     bool
	NumberSet     bool
	StringSet     bool
	UnixTime      bool // store a time as N, in seconds
}

var optionNames = []string{
	"omitempty", "omitemptyelem", "nullempty", "nullemptyelem", "string", "binaryset", "numberset", "stringset", "unixtime",
}

// set sets the option with that name. It returns false if there is none.
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

// The options that elements can have. They depend only on the two element options of the container.
var (
	plain            = &Options{}
	omitElems        = &Options{OmitEmpty: true, OmitEmptyElem: true}
	nullElems        = &Options{NullEmpty: true}
	conflictingElems = &Options{OmitEmpty: true, OmitEmptyElem: true, NullEmpty: true}
)

// elem returns the options for a container's elements. OmitEmptyElem also applies to nested
// containers; NullEmptyElem does not.
func (o *Options) elem() *Options {
	switch {
	case o.OmitEmptyElem && o.NullEmptyElem:
		return conflictingElems
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
	name   string // empty for the Go name
	ignore bool
	Options
}

func parseTag(st reflect.StructTag) (t tag, issues []Issue) {
	text, ok := st.Lookup(TagKey)
	if !ok {
		if strings.Contains(string(st), TagKey) {
			issues = append(issues, Issue{Tag: string(st), Reason: "the struct tag is malformed", Hint: TagKey + `:"name,option"`})
		}
		return t, issues
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
			issues = append(issues, Issue{Tag: text, Reason: "unknown option " + option, Hint: suggest(option)})
		}
	}
	return t, issues
}

// suggest returns a hint with the option that was probably meant.
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

// distance returns the number of bytes to insert, delete or replace to turn a into b.
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
