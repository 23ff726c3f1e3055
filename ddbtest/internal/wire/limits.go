package wire

import (
	"strconv"
	"strings"
)

// limits are a member's constraints, as the tag `api` declares them.
type limits struct {
	declared  bool // there are some
	required  bool
	parameter bool   // where it is missing, the service says so in other words
	needed    string // the operation that says in other words that it is missing or empty
	min, max  *int64
	options   []string
	name      bool     // the name of a table or an index
	table     bool     // a table's name or ARN
	tables    bool     // a map with such keys
	each      *int64   // at most so many elements in each list of a map, or characters in each text of a list, and at least one
	terse     bool     // messages spell the path as requests do, and leave out the value
	long      bool     // the service calls the integer a Long
	unread    []string // the members that the field lists
}

// parseTag reads a tag. It panics where the tag is wrong.
func parseTag(text string) (l limits) {
	if text == "" {
		return l
	}
	l.declared = true
	for part := range strings.SplitSeq(text, ",") {
		key, argument, _ := strings.Cut(part, "=")
		switch key {
		case "required":
			l.required = true
		case "parameter":
			l.required, l.parameter = true, true
		case "needed":
			l.required, l.needed = true, argument
		case "min":
			l.min = bound(argument)
		case "max":
			l.max = bound(argument)
		case "enum":
			l.options = strings.Split(argument, "|")
		case "name":
			l.name = true
		case "table":
			l.table = true
		case "tables":
			l.tables = true
		case "each":
			l.each = bound(argument)
		case "terse":
			l.terse = true
		case "long":
			l.long = true
		case "unread":
			l.unread = strings.Split(argument, "|")
		default:
			mistake("tag %q: unknown constraint %q", text, key)
		}
	}
	return l
}

func bound(text string) *int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		mistake("a tag's bound %q is no number", text)
	}
	return &n
}
