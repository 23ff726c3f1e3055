package schemadoc

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// version is the version of the description's syntax.
const version = 1

// keyEncodingVersion is the version of the key encoding.
const keyEncodingVersion = 1

// defaultKeyType is the type of key attributes that descriptions omit.
const defaultKeyType = "S"

// Text describes everything in a schema that affects how items are stored and read, one line each:
// the table, its indexes, the tenant index, its custom formats, and the key templates, unique
// values, counts, roles, lifetime and attributes of each type.
func Text(s *core.Schema) string {
	var b strings.Builder
	mode := "escaped"
	if s.Raw {
		mode = "raw"
	}
	fmt.Fprintf(&b, "description %d\n", version)
	fmt.Fprintf(&b, "keys format %d, %s, delimiter %q\n", keyEncodingVersion, mode, s.Delimiter)
	fmt.Fprintf(&b, "table%s\n", keySchema(s.PartitionKey(), s.SortKey()))
	if s.TypeAttr != "" {
		fmt.Fprintf(&b, "type in %s\n", word(s.TypeAttr))
	}
	if s.TTL != "" {
		fmt.Fprintf(&b, "time-to-live in %s\n", word(s.TTL))
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(&b, "index %s%s%s\n", word(x.Name), keySchema(x.Partition, x.Sort), projection(x))
	}
	switch {
	case s.TenantIndex != nil:
		fmt.Fprintf(&b, "tenant-index %s %s\n", word(s.TenantIndex.Name), s.TenantIndexForm())
	case s.TypesOnly:
		b.WriteString("tenant-index none\n")
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
	for _, a := range usedKeys(p) {
		fmt.Fprintf(b, "key %s %s\n", word(a.Name), keyText(p.Schema, a))
	}
	for _, a := range p.Access {
		fmt.Fprintf(b, "access %s on %s\n", word(a.Name), word(a.On.Index.Name))
	}
	for _, u := range p.Uniques {
		fmt.Fprintf(b, "unique %s %s\n", word(u.Name), keyTextOf(p.Schema, u.Key, u.Text()))
	}
	for _, c := range p.Counted {
		fmt.Fprintf(b, "count %s %s %s\n", word(c.In), word(c.As), countText(c))
	}
	for _, r := range core.Roles() {
		switch {
		case r.Field == nil || r.Field(&p.FieldRoles) == nil:
		case r.NoAttribute:
			fmt.Fprintf(b, "role %s\n", r.Name)
		default:
			fmt.Fprintf(b, "role %s %s\n", r.Name, word(r.Field(&p.FieldRoles).Name))
		}
	}
	if p.Lifetime != 0 {
		fmt.Fprintf(b, "lifetime %s\n", DurationText(p.Lifetime))
	}
	for _, f := range p.Shape.Fields() {
		if !f.KeyOnly && f != p.Rest && f.Wire() != 0 {
			fmt.Fprintf(b, "attribute %s %s\n", word(f.Name), layoutOf(f))
		}
	}
}

// formatName returns the format of a template's field without its options, such as ",desc". A shard
// has none: the names of fields follow it.
func formatName(f keys.Field) string {
	if f.Name == keysyntax.ShardName {
		return ""
	}
	name, _, _ := strings.Cut(f.Format, ",")
	return name
}

// hasCustomFormat reports whether a format of the table encodes a field of a template.
func hasCustomFormat(s *core.Schema, f keys.Field) bool {
	_, ok := s.Formats[formatName(f)]
	return ok
}

// formatLines returns the output of the custom formats in templates for sample values, by name and
// kind.
func formatLines(s *core.Schema) []string {
	lines := map[string]bool{}
	for _, p := range s.Plans {
		templates := usedKeys(p)
		for _, u := range p.Uniques {
			templates = append(templates, u.Key)
		}
		for _, a := range templates {
			for _, f := range a.Template.Fields() {
				if hasCustomFormat(s, f) {
					name := formatName(f)
					lines["format "+word(name)+" "+f.Kind.String()+core.SampleText(s.Formats[name], f.Kind)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// The words that follow a template in the text of a key.
const (
	keyKinds   = " of "
	keyType    = " as "
	keySharded = " sharded "
	keyAbsent  = " unless "
)

// keyText describes a key attribute: its template, the kinds of values if the formats do not
// determine them, the attribute type if it is not S, its shards, and the conditions under which it
// is absent.
func keyText(s *core.Schema, a *core.KeyAttr) string { return keyTextOf(s, a, a.Template.String()) }

// keyTextOf is keyText with the text of the template.
func keyTextOf(s *core.Schema, a *core.KeyAttr, text string) string {
	contains := func(part string) bool { return strings.Contains(text, part) }
	if strings.TrimSpace(text) != text || strings.ContainsFunc(text, unicode.IsControl) || slices.ContainsFunc([]string{`"`, keyKinds, keyType, keySharded, keyAbsent}, contains) {
		text = strconv.Quote(text)
	}
	var kinds []string
	for _, f := range a.Template.Fields() {
		if hasCustomFormat(s, f) || formatName(f) == "ord" || f.Kind == keys.KindBool {
			kinds = append(kinds, f.Kind.String())
		}
	}
	if len(kinds) > 0 {
		text += keyKinds + strings.Join(kinds, ", ")
	}
	if a.Type != defaultKeyType {
		text += keyType + string(a.Type)
	}
	if a.Shard != nil {
		text += keySharded + shardsText(a)
	}
	return text + absentText(absentClauses(a))
}

// The member values that keep an item off an index.
const (
	AbsentNil  = "nil"
	AbsentZero = "zero"
)

// countText describes the key of a counting item: its templates, and the conditions under which
// an item is not counted. The kinds of its values are those of the key of the counting type.
func countText(c *core.Counted) string {
	var templates, clauses []string
	for a := range c.Key.Attributes() {
		templates = append(templates, word(a.Template.String()))
		clauses = append(clauses, absentClauses(a)...)
	}
	return strings.Join(templates, " ") + absentText(clauses)
}

// absentText returns the conditions under which a key is absent, or "" if there are none.
func absentText(clauses []string) string {
	if clauses == nil {
		return ""
	}
	return keyAbsent + strings.Join(clauses, " or ")
}

// absentClauses returns the member values that keep an item off an index, for members whose zero
// values can be in a key. It omits conditions that follow from the kind of a member: an empty text
// is never in a key, but a number can be 0. It returns none for the table's key, which every item
// has.
func absentClauses(a *core.KeyAttr) (clauses []string) {
	for i, f := range a.Members {
		if when := absentWhen(f); when != "" && !a.Table {
			clauses = append(clauses, "<"+a.Template.Fields()[i].Name+"> is "+when)
		}
	}
	return clauses
}

func absentWhen(f *codec.Field) string {
	switch {
	case !f.ZeroInKey():
		return ""
	case f.Node.Kind == codec.KindPtr || f.BehindPointer() && !f.Has(codec.OmitEmpty):
		return AbsentNil
	case f.Has(codec.OmitEmpty):
		return AbsentZero
	default:
		return ""
	}
}

func keySchema(partition, sort []core.Attribute) string {
	text := ""
	for i, a := range slices.Concat(partition, sort) {
		if i == len(partition) {
			text += " /"
		}
		text += " " + word(a.Name) + ":" + string(a.Type)
	}
	return text
}

func projection(x *core.Index) string {
	text := ""
	if label := x.Label(); label != "" {
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
