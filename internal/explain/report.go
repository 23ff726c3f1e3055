// Package explain says what a planned operation would do and cost, before anything is sent: a plan, read aloud. It is pure, and shows no value.
package explain

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/op"
)

// Report is an operation that was planned.
type Report struct {
	Operation  string // "query", "put", …
	Entity     string
	Table      string
	Access     string // the access pattern; empty: the table's own key
	Index      string // empty: the table
	Key        string // the key, or the key condition
	Condition  string
	Update     string
	Filter     string
	Projection string // the attributes that are sent; empty: all
	Strong     bool
	Descending bool

	Units   op.Capacity // about what it costs, where things are as Assumed
	Assumed Assumption
	Writes  []string // the indexes that are written besides the table, with what is done to them
}

// Assumption is what an estimate of units rests on.
type Assumption struct {
	Items    int  // that a read passes
	ItemSize int  // bytes of each
	Exact    bool // the item itself was at hand
}

// The sizes that are assumed where nothing is said.
const (
	DefaultItems    = 100
	DefaultItemSize = 1024
)

func (a Assumption) orDefault(items int) Assumption {
	if a.Items <= 0 {
		a.Items = items
	}
	if a.ItemSize <= 0 {
		a.ItemSize = DefaultItemSize
	}
	return a
}

// String is the report in lines: what it is, then one fact a line.
func (r Report) String() string {
	var b strings.Builder
	b.WriteString(r.Operation)
	if r.Entity != "" {
		b.WriteString(" " + r.Entity)
	}
	if r.Access != "" {
		b.WriteString(" by " + r.Access)
	}
	b.WriteByte('\n')
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", name, text)
		}
	}
	line("table", r.Table)
	line("index", r.Index)
	line("key", r.Key)
	line("condition", r.Condition)
	line("update", r.Update)
	line("filter", r.Filter)
	line("attributes", r.Projection)
	if r.reads() {
		line("reads", r.manner())
	}
	line("writes", strings.Join(r.Writes, ", "))
	line("estimate", r.estimate())
	return b.String()
}

// reads reports whether the operation returns items.
func (r Report) reads() bool { return r.Units.Write == 0 }

func (r Report) manner() string {
	text := "eventually consistent"
	if r.Strong {
		text = "strongly consistent"
	}
	if r.Descending {
		text += ", from the end"
	}
	return text
}

func (r Report) estimate() string {
	a := r.Assumed
	size := fmt.Sprintf("%d bytes", a.ItemSize)
	if !a.Exact {
		size += " (assumed)"
	}
	if !r.reads() {
		return fmt.Sprintf("%s write units for an item of %s", number(r.Units.Write), size)
	}
	if a.Items == 1 {
		return fmt.Sprintf("%s read units for an item of %s", number(r.Units.Read), size)
	}
	return fmt.Sprintf("%s read units for %d items of %s", number(r.Units.Read), a.Items, size)
}

func number(units float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", units), ".0") }

// plain is an expression with its names in place of their placeholders, and a ? for each value.
func plain(expression string, names map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(expression); {
		c := expression[i]
		if c != '#' && c != ':' {
			b.WriteByte(c)
			i++
			continue
		}
		end := i + 1
		for end < len(expression) && isWord(expression[end]) {
			end++
		}
		if c == ':' {
			b.WriteByte('?')
		} else {
			b.WriteString(names[expression[i:end]])
		}
		i = end
	}
	return b.String()
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}
