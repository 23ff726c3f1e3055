package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/keysyntax"
)

const (
	defaultDelimiter  = "#"
	maxPartitionKey   = 2048
	maxSortKey        = 1024
	forbiddenInFormat = "<>,:"
)

// AttrType is the type of a key attribute, in DynamoDB's notation.
type AttrType string

// The types of a key attribute.
const (
	S AttrType = "S"
	N AttrType = "N"
	B AttrType = "B"
)

// Options describes the key attribute that a template is compiled for. The zero value describes a
// sort key of type S with escaped values and the delimiter '#', where every field is text.
type Options struct {
	Type AttrType // type of the key attribute; zero means S
	// Delimiter is one printable ASCII character other than a letter, a digit, $, < or >. Zero
	// means "#". Any other delimiter implies Raw.
	Delimiter string
	// Raw writes values unescaped. It is meant for tables that hold such keys already.
	Raw       bool
	Partition bool // it is a partition key, of at most 2048 bytes; a sort key has at most 1024
	// Sharded allows one placeholder <shard> beside other text: the number of a shard, of
	// [KindInt], in three digits. The names of fields can follow: <shard:id,at>. They are the
	// Format of the placeholder, and do not change what is written.
	Sharded bool
	// Formats are the custom formats of the table's config by name. A name that begins with z is
	// reserved.
	Formats map[string]Format
	// Kind returns the kind of a field, or false if there is no such field. If Kind is nil, every
	// field is text.
	Kind func(field string) (Kind, bool)
}

// Compile validates a template and compiles it. The error is an [Issues] with every issue of
// the template. An issue of the options has offset 0.
func Compile(text string, o Options) (*Template, error) {
	c := &compiler{Template: keysyntax.Parse(text), o: o, t: &Template{text: text}}
	c.options()
	c.setMode()
	c.placeholders()
	c.delimiters()
	c.t.space.Init()
	if size := c.t.space.MinSize(); size > c.t.space.Limit {
		c.Report(0, "", fmt.Sprintf("the shortest key has %s; the limit is %d", counted(size, "byte"), c.t.space.Limit), "shorten the literal text")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return c.t, nil
}

type compiler struct {
	*keysyntax.Template
	o Options
	t *Template
	// wrongType means that the attribute's type does not allow the template. The issue is reported
	// already.
	wrongType bool
}

// err returns the issues as an error, or nil if there are none.
func (c *compiler) err() error {
	if len(c.Issues) == 0 {
		return nil
	}
	var issues Issues
	for _, f := range c.SortedIssues() {
		issues = append(issues, &SyntaxError{Template: c.Text, Offset: f.Offset, Text: f.Text, Reason: f.Reason, Hint: f.Hint})
	}
	return issues
}

func (c *compiler) options() {
	space := &c.t.space
	space.Limit, space.Type = maxSortKey, string(cmp.Or(c.o.Type, S))
	if c.o.Type = AttrType(space.Type); c.o.Type != S && c.o.Type != N && c.o.Type != B {
		c.Report(0, "", "the type of a key attribute must be S, N or B", "leave the type empty for S")
	}
	if c.o.Partition {
		space.Limit = maxPartitionKey
	}
	c.o.Delimiter = cmp.Or(c.o.Delimiter, defaultDelimiter)
	space.Delimiter = c.o.Delimiter[0]
	if len(c.o.Delimiter) > 1 || !isDelimiter(space.Delimiter) {
		c.Report(0, "", "a delimiter is one printable ASCII character other than a letter, a digit, $, < and >", "use a character such as # or |")
	}
	for _, name := range slices.Sorted(maps.Keys(c.o.Formats)) {
		switch {
		case strings.HasPrefix(name, reservedInitial):
			c.Report(0, "", fmt.Sprintf("a format cannot have the name %q: names that begin with z are reserved", name), "choose another name")
		case isBuiltin(name) || strings.ContainsAny(name, forbiddenInFormat) || name == "":
			c.Report(0, "", fmt.Sprintf("a format cannot have the name %q", name), "choose a name without "+forbiddenInFormat+" that is not a built-in format's")
		case !c.o.Formats[name].complete():
			c.Report(0, "", fmt.Sprintf("the format %q has no Encode, no Decode or a negative Width", name), "set them, or make the format by Layout")
		}
	}
}

func isDelimiter(b byte) bool {
	return b > ' ' && b < 0x7f && !strings.ContainsRune("$<>", rune(b)) &&
		(b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z')
}

func (c *compiler) setMode() {
	native := len(c.Placeholders) == 1 && c.Literals[0].Text == "" && c.Literals[1].Text == ""
	switch {
	case native:
		c.t.space.Mode = keyspace.Native
	case c.o.Raw || c.o.Delimiter != defaultDelimiter:
		c.t.space.Mode = keyspace.Raw
	}
	if c.wrongType = !native && c.o.Type != S && c.Text != ""; c.wrongType {
		c.Report(0, "", fmt.Sprintf("a key attribute of type %s cannot hold literal text or several placeholders", c.o.Type),
			"write one placeholder only, or make the attribute of type S")
	}
}

func (c *compiler) placeholders() {
	for _, l := range c.Literals {
		c.t.space.Literals = append(c.t.space.Literals, l.Text)
	}
	for i, syntax := range c.Placeholders {
		p := placeholder{Field: Field{Name: syntax.Name, Format: syntax.FullFormat(), Offset: syntax.Offset}}
		var segment keyspace.Segment
		if !syntax.Faulty {
			segment = c.placeholder(syntax, &p, c.isLast(i))
		}
		c.t.placeholders = append(c.t.placeholders, p)
		c.t.space.Segments = append(c.t.space.Segments, segment)
	}
}

func (c *compiler) isLast(i int) bool {
	return i == len(c.Placeholders)-1 && c.Literals[i+1].Text == ""
}

func (c *compiler) placeholder(syntax keysyntax.Placeholder, p *placeholder, last bool) (segment keyspace.Segment) {
	issue := func(reason, hint string) { c.Report(syntax.Offset, syntax.Text, reason, hint) }
	if syntax.Name == keysyntax.ShardName {
		return c.shard(syntax, p)
	}
	p.Kind = KindText
	if c.o.Kind != nil {
		kind, ok := c.o.Kind(syntax.Name)
		if !ok || kind == 0 || kind > KindBytes {
			issue("no field with that name can be in a key", "name another field")
			return segment
		}
		p.Kind = kind
	}
	found, reason, hint := c.codec(p.Kind, syntax)
	if reason != "" {
		if !c.wrongType {
			issue(reason, hint)
		}
		return segment
	}
	segment = p.setCodec(found, c.t.space.Mode)
	if ends := segment.Least + segment.Greatest; c.t.space.Mode == keyspace.Raw && !last && strings.IndexByte(ends, c.t.space.Delimiter) >= 0 {
		issue("the format writes the delimiter, so no text can follow it", "put the placeholder last")
	}
	return segment
}

// shardDigits is the number of digits of a shard.
const shardDigits = 3

// shard compiles the placeholder of a shard.
func (c *compiler) shard(syntax keysyntax.Placeholder, p *placeholder) (segment keyspace.Segment) {
	issue := func(reason, hint string) { c.Report(syntax.Offset, syntax.Text, reason, hint) }
	first := slices.IndexFunc(c.Placeholders, func(p keysyntax.Placeholder) bool { return p.Name == keysyntax.ShardName })
	switch {
	case !c.o.Sharded:
		issue("the name shard is reserved for sharded partitions", "rename the attribute, or set the number of shards")
	case c.t.space.Mode == keyspace.Native:
		issue("a key is more than its shard", "add literal text or other fields")
	case c.Placeholders[first].Offset != syntax.Offset:
		issue("a key has one shard", "remove one of the placeholders")
	default:
		p.Kind = KindInt
		return p.setCodec(padded{KindInt, shardDigits}, c.t.space.Mode)
	}
	return segment
}

func (c *compiler) codec(kind Kind, syntax keysyntax.Placeholder) (found codec, reason, hint string) {
	if c.o.Type != S && c.t.space.Mode == keyspace.Native {
		return attributeCodec(c.o.Type, kind, syntax)
	}
	found, reason, hint = c.o.resolve(kind, syntax.Format)
	if reason != "" {
		if similar := c.o.suggest(kind, syntax.Format); similar != "" {
			syntax.Format = similar
			return nil, reason, "did you mean " + syntax.With(syntax.FullFormat()) + "?"
		}
		return nil, reason, "such as " + syntax.With(c.o.usualFormat(kind)) + "; " + hint
	}
	if !syntax.Desc {
		return found, "", ""
	}
	if found = reverse(found); found == nil {
		if list := c.o.possible(kind, true); list != nil {
			return nil, "the format has no descending form", "formats with desc: " + strings.Join(list, ", ")
		}
		return nil, "no format of " + kind.String() + " has a descending form", "remove ,desc"
	}
	return found, "", ""
}

// attributeCodec returns the codec of a template that is a whole N or B attribute.
func attributeCodec(attr AttrType, kind Kind, syntax keysyntax.Placeholder) (c codec, reason, hint string) {
	plain := "write " + syntax.With("")
	switch format := syntax.FullFormat(); {
	case attr == B && kind == KindBytes && format == "":
		return binary{}, "", ""
	case attr == B && kind == KindBytes:
		return nil, "bytes on a key attribute of type B have no format", plain
	case attr == B:
		return nil, "a key attribute of type B holds a []byte", "use a field of that type, or make the attribute of type S"
	case kind == KindTime && format == "unix":
		return secondsAttribute, "", ""
	case kind == KindTime:
		return nil, "a time on a key attribute of type N has the format unix", "write " + syntax.With("unix")
	case kind != KindInt && kind != KindUint && kind != KindFloat:
		return nil, "a key attribute of type N holds a number or a time", "use such a field, or make the attribute of type S"
	case format != "":
		return nil, "a number on a key attribute of type N has no format", plain
	}
	return numberAttribute{kind}, "", ""
}

// delimiters checks that the delimiter follows every placeholder that is not at the end.
func (c *compiler) delimiters() {
	delimiter := string(c.t.space.Delimiter)
	for i, syntax := range c.Placeholders {
		next := c.Literals[i+1]
		atEnd := next.Offset == len(c.Text)
		if syntax.Faulty || atEnd || c.wrongType || c.hasIssue(next) || strings.HasPrefix(next.Text, delimiter) {
			continue
		}
		c.Report(next.Offset, next.Text, fmt.Sprintf("the text after a placeholder must start with the delimiter %q", delimiter), "write "+delimiter+" after the placeholder")
	}
}

// hasIssue reports whether an issue is already reported at the start of a literal.
func (c *compiler) hasIssue(l keysyntax.Literal) bool {
	return slices.ContainsFunc(c.Issues, func(f keysyntax.Issue) bool {
		return f.Text != "" && (f.Offset == l.Offset || f.Text == ">" && f.Offset > l.Offset && f.Offset < l.Offset+len(l.Text))
	})
}
