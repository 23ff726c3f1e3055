// Package explain reports what a planned operation would do and estimates its cost, before anything
// is sent. It does no I/O, and its reports contain no values of items.
package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/op"
)

// Report describes a planned operation.
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
	Projection string // the attributes that DynamoDB sends; empty: all
	Strong     bool
	Descending bool
	Bounds     string // of a read of many items; empty: none
	ReadsFirst bool   // a write that first reads the item strongly consistently

	Units   op.Capacity // the estimated cost under Assumed
	Assumed Assumption
	Writes  []string // the indexes that are written, each with the change of its entry
}

// String returns the report as lines: the operation, then one property per line.
func (r Report) String() string {
	var b strings.Builder
	b.WriteString(r.Operation)
	if r.Entity != "" {
		b.WriteString(" " + r.Entity)
	} else {
		b.WriteString(" of any type")
	}
	if r.Access != "" {
		b.WriteString(" " + r.Access)
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
		line("bounds", r.Bounds)
	}
	if r.ReadsFirst {
		line("reads", "the item first, strongly consistent")
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
	switch {
	case r.ReadsFirst:
		return fmt.Sprintf("%s and %s for an item of %s", amount(r.Units.Read, "read"), amount(r.Units.Write, "write"), size)
	case !r.reads():
		return fmt.Sprintf("%s for an item of %s", amount(r.Units.Write, "write"), size)
	case a.Items == 0:
		return "nothing"
	case a.Items == 1:
		return fmt.Sprintf("%s for an item of %s", amount(r.Units.Read, "read"), size)
	}
	return fmt.Sprintf("%s for %d items of %s", amount(r.Units.Read, "read"), a.Items, size)
}

// amount returns a number of units as text.
func amount(n float64, kind string) string {
	text := number(n) + " " + kind + " unit"
	if n != 1 {
		text += "s"
	}
	return text
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
