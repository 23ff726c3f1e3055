package keys

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Template is a compiled template, as Compile returns it. It is immutable and safe for concurrent
// use. The zero Template and a nil one have no keys: writing a key returns [ErrInvalid], and
// parsing one returns [ErrMismatch].
type Template struct {
	text         string
	placeholders []placeholder
	space        keyspace.Space // delimiter, literals and what else describes the keys as text
}

// Field is a placeholder of a template.
type Field struct {
	Name   string // attribute name
	Format string // as written, with ",desc"; empty if there is none
	Kind   Kind
	Offset int // offset of the placeholder's '<' in the template, in bytes
}

// placeholder is a compiled placeholder.
type placeholder struct {
	Field
	properties
	codec  codec
	desc   bool
	custom bool       // the codec is a Format of the config
	plain  bool       // the codec writes text as it is, and the template escapes it
	stamp  *timestamp // the codec, if it writes times; its texts need no escapes
}

// setCodec sets the codec and what depends on it, and returns the description of the text.
func (p *placeholder) setCodec(c codec, m keyspace.Mode) keyspace.Segment {
	p.codec, p.properties = c, c.properties()
	_, p.custom = c.(custom)
	_, p.desc = c.(descending)
	text, isText := c.(textual)
	p.plain = isText && text.convert == nil && m == keyspace.Escaped
	if stamp, ok := c.(timestamp); ok && m == keyspace.Escaped {
		p.stamp = &stamp
	}
	least, greatest := p.least, ""
	if b, ok := c.(bounded); ok {
		low, high := b.limits()
		if p.desc {
			low, high = high, low
		}
		least, greatest = encoded(c, low), encoded(c, high)
	}
	return keyspace.Segment{
		MinSize: p.minSize, Least: m.Segment(least), Greatest: m.Segment(greatest), Descending: p.desc, Pattern: c.pattern,
	}
}

// encoded returns the text of a value that the codec accepts.
func encoded(c codec, v Value) string {
	text, _ := c.encode(nil, v)
	return string(text)
}

// orZero returns t, or the zero Template if t is nil.
func (t *Template) orZero() *Template {
	if t == nil {
		return &Template{}
	}
	return t
}

// String returns the template's text.
func (t *Template) String() string { return t.orZero().text }

// Type returns the type of the key attribute.
func (t *Template) Type() AttrType { return AttrType(t.orZero().space.Type) }

// Native reports whether the template is exactly one placeholder, so that the attribute is the
// unescaped value.
func (t *Template) Native() bool { return t.orZero().space.Mode == keyspace.Native }

// Fields returns the placeholders in the order of the text.
func (t *Template) Fields() []Field {
	t = t.orZero()
	fields := make([]Field, len(t.placeholders))
	for i := range t.placeholders {
		fields[i] = t.placeholders[i].Field
	}
	return fields
}

// Format returns the format of placeholder i, as written in the template. It is empty if there is
// none.
func (t *Template) Format(i int) string {
	t = t.orZero()
	if i < 0 || i >= len(t.placeholders) {
		return ""
	}
	return t.placeholders[i].Format
}

// Lossless reports whether Parse returns the exact value of placeholder i (for a time, the instant
// without the location).
func (t *Template) Lossless(i int) bool {
	t = t.orZero()
	return i >= 0 && i < len(t.placeholders) && t.placeholders[i].lossless
}

// Append appends the key of vals, one for each placeholder, to dst: text for S, a decimal for N,
// the bytes for B. Errors are a *[ValueError] that wraps [ErrAbsent], [ErrInvalid],
// [ErrOutOfRange], [ErrReserved] or [ErrTooLong]. On an error Append returns dst unchanged.
func (t *Template) Append(dst []byte, vals []Value) ([]byte, error) {
	t = t.orZero()
	if len(vals)+1 != len(t.space.Literals) {
		return dst, t.wrongCount(len(vals), "")
	}
	out := append(dst, t.space.Literals[0]...) // not by appendFirst, which costs a tenth more
	for i := range t.placeholders {
		var usual bool
		if out, usual = t.placeholders[i].appendUsual(out, &vals[i]); !usual {
			var invalid *ValueError
			if out, invalid = t.appendValue(out, i, vals[i]); invalid != nil {
				return dst, invalid
			}
		}
		out = append(out, t.space.Literals[i+1]...)
	}
	if size := len(out) - len(dst); size > t.space.Limit {
		return dst, t.tooLong(size)
	}
	return out, nil
}

// appendUsual appends a text or a time that needs no escapes. It returns false for other values,
// and for invalid ones.
func (p *placeholder) appendUsual(dst []byte, v *Value) ([]byte, bool) {
	switch {
	case p.plain && v.kind == KindText:
		return keyspace.AppendPlain(dst, v.text)
	case p.stamp != nil && v.kind == KindTime:
		return p.stamp.append(dst, v.Time())
	}
	return dst, false
}

// appendFirst appends the first literal, and each value with the literal after it. If exact is set,
// the formats must represent the values exactly.
func (t *Template) appendFirst(dst []byte, vals []Value, exact bool) (_ []byte, err error) {
	dst = append(dst, t.space.Literals[0]...)
	for i := range vals {
		if dst, err = t.appendOne(dst, i, vals[i], exact); err != nil {
			return dst, err
		}
		dst = append(dst, t.space.Literals[i+1]...)
	}
	return dst, nil
}

// appendOne appends one value, or an operand if exact is set.
func (t *Template) appendOne(dst []byte, i int, v Value, exact bool) ([]byte, error) {
	write := t.appendValue
	if exact {
		write = t.appendOperand
	}
	out, invalid := write(dst, i, v)
	if invalid != nil {
		return dst, invalid
	}
	return out, nil
}

// buffers holds buffers for keys whose length is not known yet.
var buffers = sync.Pool{New: func() any {
	buf := make([]byte, 0, 256)
	return &buf
}}

// toString returns the text that write appends to a buffer. It returns ErrTooLong for a text that
// is longer than a key.
func (t *Template) toString(write func(dst []byte) ([]byte, error)) (text string, err error) {
	buf := buffers.Get().(*[]byte)
	*buf, err = write((*buf)[:0])
	switch size := len(*buf); {
	case err != nil:
	case size > t.space.Limit:
		err = t.tooLong(size)
	default:
		text = string(*buf)
	}
	buffers.Put(buf)
	return text, err
}

// Render returns the key of vals as a string; see Append.
func (t *Template) Render(vals ...Value) (string, error) {
	buf := buffers.Get().(*[]byte)
	out, err := t.Append((*buf)[:0], vals)
	key := string(out)
	*buf = out
	buffers.Put(buf)
	return key, err
}

// Prefix returns the common prefix of all keys whose first placeholders have these values. It
// includes the delimiter after the last value. Without values it is the template's first literal;
// with a value for every placeholder it is the whole key.
func (t *Template) Prefix(vals ...Value) (string, error) {
	t = t.orZero()
	if len(vals) >= len(t.space.Literals) {
		return "", t.wrongCount(len(vals), "at most ")
	}
	if len(vals) == len(t.placeholders) {
		return t.Render(vals...)
	}
	return t.toString(func(dst []byte) ([]byte, error) {
		out, err := t.appendFirst(dst, vals, false)
		if n := len(vals); n > 0 && err == nil {
			out = out[:len(out)-len(t.space.Literals[n])+1] // keep the delimiter only
		}
		return out, err
	})
}

// Segment returns the text of a value of placeholder i in a key. Errors are those of Append.
func (t *Template) Segment(i int, v Value) (string, error) {
	t = t.orZero()
	if i < 0 || i >= len(t.placeholders) {
		return "", t.wrongCount(i+1, "at most ")
	}
	return t.toString(func(dst []byte) ([]byte, error) { return t.appendOne(dst, i, v, false) })
}

// appendValue appends one value in the template's mode.
func (t *Template) appendValue(dst []byte, i int, v Value) ([]byte, *ValueError) {
	p := &t.placeholders[i]
	switch {
	case v.IsAbsent():
		return dst, t.locate(i, newValueError(ErrAbsent, "the value is absent", ""))
	case v.kind != p.Kind:
		return dst, t.locate(i, newValueError(ErrInvalid, fmt.Sprintf("the value is of kind %s, the field of kind %s", v.kind, p.Kind), ""))
	}
	start := len(dst)
	dst, invalid := p.codec.encode(dst, v)
	switch {
	case invalid != nil:
	case t.space.Mode == keyspace.Escaped:
		return keyspace.Escape(dst, start), nil
	case t.Type() != N:
		invalid = t.checkUnescaped(dst[start:], t.space.IsLast(i))
	}
	if invalid != nil {
		return dst, t.locate(i, invalid)
	}
	return dst, nil
}

// checkUnescaped returns an error for text that an unescaped value cannot contain.
func (t *Template) checkUnescaped(text []byte, last bool) *ValueError {
	switch {
	case bytes.HasPrefix(text, []byte(keyspace.Reserved)), t.Type() == S && containsReserved(text, t.space.Delimiter):
		return newValueError(ErrReserved, "text that starts with $U, or contains it after a delimiter, is reserved for the library", "")
	case !last && bytes.IndexByte(text, t.space.Delimiter) >= 0:
		return newValueError(ErrInvalid, fmt.Sprintf("the value contains the delimiter %q", string(t.space.Delimiter)),
			"only the last value of a raw template can contain it")
	}
	return nil
}

// containsReserved reports whether a segment within text starts with the reserved prefix.
func containsReserved(text []byte, delimiter byte) bool {
	return bytes.Contains(text, []byte{delimiter, keyspace.Reserved[0], keyspace.Reserved[1]})
}

// locate adds the template, the field and the format to an error.
func (t *Template) locate(i int, invalid *ValueError) *ValueError {
	invalid.Template, invalid.Field, invalid.Format = t.text, t.placeholders[i].Name, t.placeholders[i].Format
	return invalid
}

func (t *Template) tooLong(size int) *ValueError {
	return &ValueError{Template: t.text, Err: ErrTooLong, Reason: fmt.Sprintf("the key has %s; the limit is %d", counted(size, "byte"), t.space.Limit)}
}

func (t *Template) wrongCount(got int, most string) *ValueError {
	if !t.space.Defined() {
		return &ValueError{Err: ErrInvalid, Reason: "the template is not compiled", Hint: "call Compile"}
	}
	return &ValueError{
		Template: t.text, Err: ErrInvalid,
		Reason: fmt.Sprintf("%s given for %s%s", counted(got, "value"), most, counted(len(t.placeholders), "placeholder")),
	}
}
