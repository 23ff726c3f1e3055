package define

import (
	"reflect"
	"slices"
	"strings"
)

// Fault is one mistake in a definition.
type Fault struct {
	Type   string // the Go type, such as "company.Employee"; empty: the configuration
	Entity string // the entity's name, where it has one
	Field  string // "HiredAt", `entity.Index by-hire`, "Config.Indexes GSI1"
	Tag    string // the key of the tag at fault, such as "sk"; may be empty
	Text   string // the template or the tag's text; may be empty, and several lines where examples are shown
	Offset int    // of the fault in Text, in bytes; -1: all of it
	Reason string // what is wrong, in a sentence without its full stop
	Hint   string // the likely cure; may be empty

	Cause string   // what Merge knows the fault by; empty: it stands for itself
	Also  []string // where else the cause shows
}

// Text puts faults into words: a block of lines for each, in the order given. Its place stands first, as compilers have it.
func Text(faults []Fault) string {
	var b strings.Builder
	for _, f := range faults {
		f.write(&b)
	}
	return b.String()
}

// String is the fault's block in Text, without the last line's end.
func (f Fault) String() string {
	var b strings.Builder
	f.write(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// The margins of a block: of what the source says, and of what to do about it.
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

// place is where a fault is.
func (f Fault) place() string {
	words := slices.DeleteFunc([]string{f.Type, f.Field, f.Tag}, func(s string) bool { return s == "" })
	return strings.Join(words, ", ")
}

// Says returns the reason, and the other places that show the same cause.
func (f Fault) Says() string {
	if len(f.Also) == 0 {
		return f.Reason
	}
	return f.Reason + "; also in " + strings.Join(f.Also, "; ")
}

// located is a fault and where it belongs in the source.
type located struct {
	Fault
	pos int
}

// sorted brings faults into source order; at one place they stay as they were found.
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
