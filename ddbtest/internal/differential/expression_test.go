package differential

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// expression collects the placeholders of the expressions of one request, and marks what they use.
type expression struct {
	g      *generator
	names  []string // of the placeholders #n0, #n1 …
	values []value  // of the placeholders :v0, :v1 …
	marks  []string
}

func (g *generator) expression() *expression { return &expression{g: g} }

// mark records that the request uses something that a run must reach often enough.
func (e *expression) mark(what string) { e.marks = append(e.marks, what) }

var (
	bareName    = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9]*$`)
	placeholder = regexp.MustCompile(`[#:][a-zA-Z0-9_]+`)
	reserved    = []string{"name", "size"}
)

// name writes an attribute name, directly or as a placeholder. A placeholder may occur twice, and
// two may have the same name.
func (e *expression) name(name string) string {
	if bareName.MatchString(name) && !slices.Contains(reserved, name) && e.g.chance(0.5) {
		return name
	}
	for i, known := range e.names {
		if known == name && e.g.chance(0.7) {
			return namePlaceholder(i)
		}
	}
	e.names = append(e.names, name)
	return namePlaceholder(len(e.names) - 1)
}

// value writes an operand.
func (e *expression) value(v value) string {
	e.values = append(e.values, v)
	return valuePlaceholder(len(e.values) - 1)
}

func namePlaceholder(i int) string  { return fmt.Sprintf("#n%d", i) }
func valuePlaceholder(i int) string { return fmt.Sprintf(":v%d", i) }

// attributeNames returns the ExpressionAttributeNames, or nil if there are none.
func (e *expression) attributeNames() map[string]string {
	if len(e.names) == 0 {
		return nil
	}
	all := map[string]string{}
	for i, name := range e.names {
		all[namePlaceholder(i)] = name
	}
	return all
}

// attributeValues returns the ExpressionAttributeValues, or nil if there are none.
func (e *expression) attributeValues() item {
	if len(e.values) == 0 {
		return nil
	}
	all := item{}
	for i, v := range e.values {
		all[valuePlaceholder(i)] = v
	}
	return all
}

// path writes a path. The argument has slashes: "m/d/l/0" is m.d.l[0].
func (e *expression) path(path string) string {
	var b strings.Builder
	for i, step := range strings.Split(path, "/") {
		if n, err := strconv.Atoi(step); err == nil {
			fmt.Fprintf(&b, "[%d]", n)
			e.mark("path list[n]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
			e.mark("path map.name")
		}
		b.WriteString(e.name(step))
	}
	return b.String()
}
