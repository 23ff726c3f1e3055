package define

import (
	"reflect"
	"slices"
	"strings"
)

// Fault is one mistake in a definition.
type Fault struct {
	Type   string // the Go type, such as "company.Employee"; empty: the configuration
	Entity string // the entity's name, if it has one
	Field  string // "HiredAt", `entity.Index by-hire`, "Config.Indexes GSI1"
	Tag    string // the key of the faulty tag, such as "sk"; may be empty
	// Text is the template or the tag. It can be empty. It has several lines if it shows examples.
	Text   string
	Offset int    // the byte offset of the fault in Text; -1: all of Text
	Reason string // what is wrong, without a full stop at the end
	Hint   string // a suggested fix; may be empty

	Cause string   // Merge merges faults with the same cause; empty: never merged
	Also  []string // the other places with the same cause
}

// Text formats faults in the order given, as one block of lines for each. A block starts with the
// place of the fault, as compiler errors do.
func Text(faults []Fault) string {
	var b strings.Builder
	for _, f := range faults {
		f.write(&b)
	}
	return b.String()
}

// String returns the fault's block in Text without its final newline.
func (f Fault) String() string {
	var b strings.Builder
	f.write(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// The margins of a block, for lines of the source and for hints.
const (
	quoted  = "  | "
	advised = "  = "
)

func (f Fault) write(b *strings.Builder) {
	b.WriteString(f.place() + ": " + f.Says() + "\n")
	start := 0
	for line := range strings.Lines(f.Text) {
		b.WriteString(quoted + strings.TrimRight(line, "\r\n") + "\n")
		end := start + len(line)
		if at := f.Offset; start <= at && (at < end || at == len(f.Text) && end == at) {
			b.WriteString(quoted + blank(f.Text[start:at]) + "^\n")
		}
		start = end
	}
	if f.Hint != "" {
		b.WriteString(advised + f.Hint + "\n")
	}
}

// place returns the type, the field and the tag of the fault.
func (f Fault) place() string {
	words := slices.DeleteFunc([]string{f.Type, f.Field, f.Tag}, func(s string) bool { return s == "" })
	return strings.Join(words, ", ")
}

// Says returns the reason and the other places with the same cause.
func (f Fault) Says() string {
	if len(f.Also) == 0 {
		return f.Reason
	}
	return f.Reason + "; also in " + strings.Join(f.Also, "; ")
}

// located is a fault with its position in the source.
type located struct {
	Fault
	pos int
}

// sorted returns the faults in source order, without duplicates and merged by cause. Faults at the
// same position keep their order.
func sorted(faults []located) []Fault {
	slices.SortStableFunc(faults, func(a, b located) int { return a.pos - b.pos })
	var out []Fault
	for _, f := range faults {
		same := func(g Fault) bool { return reflect.DeepEqual(f.Fault, g) }
		if !slices.ContainsFunc(out, same) {
			out = append(out, f.Fault)
		}
	}
	return Merge(out)
}
