package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// descriptionVersion is the version of the description's syntax. Version 1 had neither Go types of
// attributes nor roles.
const descriptionVersion = 2

// formatVersion is the version of the key encoding.
const formatVersion = 1

// textKey is the type of key attributes that descriptions omit.
const textKey = "S"

// Text describes everything in a schema that affects how items are stored and read, one line each:
// the table, its indexes, its custom formats, and the key templates, roles and attributes of each
// type.
func Text(s *core.Schema) string {
	var b strings.Builder
	mode := "escaped"
	if s.Raw {
		mode = "raw"
	}
	fmt.Fprintf(&b, "description %d\n", descriptionVersion)
	fmt.Fprintf(&b, "keys format %d, %s, delimiter %q\n", formatVersion, mode, s.Delimiter)
	fmt.Fprintf(&b, "table%s\n", list(s.PartitionKey(), s.SortKey()))
	if s.TypeAttr != "" {
		fmt.Fprintf(&b, "type in %s\n", word(s.TypeAttr))
	}
	if s.TTL != "" {
		fmt.Fprintf(&b, "time-to-live in %s\n", word(s.TTL))
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(&b, "index %s%s%s\n", word(x.Name), list(x.Partition, x.Sort), projection(x))
	}
	for _, line := range formatLines(s) {
		b.WriteString(line + "\n")
	}
	for _, p := range s.Plans {
		writeEntity(&b, p)
	}
	return b.String()
}

func writeEntity(b *strings.Builder, p *core.Plan) {
	fmt.Fprintf(b, "\nentity %s\n", word(p.Name))
	for _, a := range keysOf(p) {
		fmt.Fprintf(b, "key %s %s\n", word(a.Name), template(p.Schema, a))
	}
	for _, a := range p.Access {
		fmt.Fprintf(b, "access %s on %s\n", word(a.Name), word(a.On.Index.Name))
	}
	for _, r := range rolesOf(p) {
		fmt.Fprintf(b, "role %s%s\n", r.Name, r.on())
	}
	for _, f := range p.Shape.Fields() {
		if !f.KeyOnly && f != p.Rest && f.Wire() != 0 {
			fmt.Fprintf(b, "attribute %s %s\n", word(f.Name), layoutOf(f))
		}
	}
}

// template describes a key attribute: its template, the kinds of values if the formats do not
// determine them, the attribute type if it is not S, and the conditions under which it is absent.
func template(s *core.Schema, a *core.KeyAttr) string {
	text := a.Template.String()
	if strings.TrimSpace(text) != text || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, unless) {
		text = strconv.Quote(text)
	}
	var kinds []string
	for _, f := range a.Template.Fields() {
		format, _, _ := strings.Cut(f.Format, ",")
		_, named := s.Formats[format]
		if named || format == "ord" || f.Kind == keys.KindBool {
			kinds = append(kinds, f.Kind.String())
		}
	}
	if len(kinds) > 0 {
		text += " of " + strings.Join(kinds, ", ")
	}
	if a.Type != textKey {
		text += " as " + string(a.Type)
	}
	return text + absentWhen(a)
}

func list(partition, sort []core.Attribute) string {
	text := ""
	for _, a := range partition {
		text += " " + word(a.Name) + ":" + string(a.Type)
	}
	if len(sort) > 0 {
		text += " /"
	}
	for _, a := range sort {
		text += " " + word(a.Name) + ":" + string(a.Type)
	}
	return text
}

func projection(x *core.Index) string {
	text := ""
	if label := x.Kind.Label(); label != "" {
		text = ", " + label
	}
	switch {
	case x.KeysOnly:
		return text + ", keys only"
	case len(x.Include) > 0:
		text += ", with"
		for _, name := range slices.Sorted(slices.Values(x.Include)) {
			text += " " + word(name)
		}
	}
	return text
}

// word returns a name, quoted if it is not a single plain word.
func word(name string) string {
	plain := func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune("_-.#@/+", r)
	}
	if name != "" && strings.TrimFunc(name, plain) == "" {
		return name
	}
	return strconv.Quote(name)
}

// cutWord cuts the first word and the space after it off a line.
func cutWord(line string) (name, rest string) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil || line[0] != '"' {
		name, rest, _ = strings.Cut(line, " ")
		return name, rest
	}
	name, _ = strconv.Unquote(quoted)
	return name, strings.TrimPrefix(line[len(quoted):], " ")
}
