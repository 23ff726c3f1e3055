package page

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// expression has the expressions of a read.
type expression struct {
	key, filter string
	names       map[string]string
	values      attributes // nil if there are none, as the API demands
}

// expression returns the expressions. The one for keys is empty for a scan.
func (f *filter) expression() expression {
	var e expression
	into := &e.filter
	if f.isQuery() {
		into = &e.key
	}
	for _, c := range f.conditions {
		and(into, compare(c.operator, e.name(c.name), e.value(c.value)))
	}
	if f.attribute != nil {
		and(&e.filter, e.ofAttribute(*f.attribute))
	}
	return e
}

// and adds a condition to an expression.
func and(to *string, condition string) {
	if *to != "" {
		condition = *to + " AND " + condition
	}
	*to = condition
}

// ofAttribute returns the condition on an attribute. What was typed may be the name of an attribute
// or a document path, and names may contain dots: one of both must meet the condition, or both if
// it also holds for an attribute that is absent.
func (e *expression) ofAttribute(c condition) string {
	value := e.value(c.value)
	text := compare(c.operator, e.name(c.name), value)
	path, ok := e.path(c.name)
	switch {
	case !ok:
		return text
	case c.operator == opAbsent || c.operator == opDiffers:
		return text + " AND " + compare(c.operator, path, value)
	default:
		return "(" + text + " OR " + compare(c.operator, path, value) + ")"
	}
}

// pathPart matches a part of a document path between dots: a name with positions in lists.
var pathPart = regexp.MustCompile(`^([^\[\]]+)((?:\[\d+\])*)$`)

// path returns a document path with placeholders. ok is false if the text is only a name.
func (e *expression) path(text string) (path string, ok bool) {
	if !strings.ContainsAny(text, ".[") {
		return "", false
	}
	var matches [][]string
	for part := range strings.SplitSeq(text, ".") {
		m := pathPart.FindStringSubmatch(part)
		if m == nil {
			return "", false
		}
		matches = append(matches, m)
	}
	parts := make([]string, len(matches))
	for i, m := range matches {
		parts[i] = e.name(m[1]) + m[2]
	}
	return strings.Join(parts, "."), true
}

// name returns a placeholder for a name.
func (e *expression) name(name string) string {
	if e.names == nil {
		e.names = map[string]string{}
	}
	placeholder := "#n" + strconv.Itoa(len(e.names))
	e.names[placeholder] = name
	return placeholder
}

// value returns a placeholder for a value, or "" for none.
func (e *expression) value(v types.AttributeValue) string {
	if v == nil {
		return ""
	}
	if e.values == nil {
		e.values = attributes{}
	}
	placeholder := ":v" + strconv.Itoa(len(e.values))
	e.values[placeholder] = v
	return placeholder
}

// compare returns a condition on a name or path.
func compare(operator, path, value string) string {
	switch operator {
	case opBeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", path, value)
	case opContains:
		return fmt.Sprintf("contains(%s, %s)", path, value)
	case opExists:
		return fmt.Sprintf("attribute_exists(%s)", path)
	case opAbsent:
		return fmt.Sprintf("attribute_not_exists(%s)", path)
	default: // a comparison
		return fmt.Sprintf("%s %s %s", path, operator, value)
	}
}
