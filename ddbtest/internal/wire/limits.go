package wire

import (
	"strconv"
	"strings"
)

// limits are the constraints of a member, from the tag `api`.
type limits struct {
	declared    bool   // there is at least one
	required    bool   // also if parameter or needed is set
	parameter   bool   // the message for a missing member has another text
	needed      string // the operation in the message for a missing or empty member
	min, max    *int64
	options     []string
	name        bool     // the name of a table or an index
	table       bool     // a table name or ARN
	tables      bool     // a map whose keys are table names or ARNs
	each        *int64   // 1 to N elements per list of a map, or characters per string of a list
	terse       bool     // messages spell the path as requests do, and omit the value
	long        bool     // messages call the integer a Long
	unsupported []string // the members that the field lists
}

// parseTag parses a tag. It panics if the tag is invalid.
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
		case "unsupported":
			l.unsupported = strings.Split(argument, "|")
		default:
			panicf("tag %q: unknown constraint %q", text, key)
		}
	}
	return l
}

func bound(text string) *int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panicf("a tag's bound %q is no number", text)
	}
	return &n
}
