package keys

import (
	"bytes"
	"fmt"
	"sync"
)

// mode is how a template's values are written.
type mode uint8

const (
	escaped mode = iota
	raw
	native // a template that is one placeholder: the attribute is the value
)

// Template is a compiled template, as Compile makes it. It is immutable and safe for use by several
// goroutines. The zero Template, and a nil one, has no keys: it refuses to write any with
// ErrInvalid, and to read any with ErrForeign.
type Template struct {
	text      string
	attr      AttrType
	mode      mode
	delimiter byte
	limit     int      // bytes of a key
	literals  []string // one more than parts: before, between and after them
	parts     []part
	rest      []int           // least bytes from the part of that index on
	high      string          // the text above which no key is; empty where nothing bounds them from above
	language  func() *program // of all its keys, made when first asked for
}

// part is a compiled placeholder.
type part struct {
	Field
	traits
	codec    codec
	stepper  stepper // nil unless texts are of one width
	desc     bool
	trusted  bool   // the codec is the package's own
	last     bool   // nothing follows it
	greatest string // the greatest text, of a stepper only; as it is written, as least is
	ceiling  string // greatest, and what closes it
}

func (p *part) set(c codec, m mode, delimiter byte) {
	p.codec, p.traits = c, c.traits()
	_, foreign := c.(named)
	p.trusted = !foreign
	if d, ok := c.(descending); ok {
		p.desc, p.stepper = true, d
	} else if s, ok := c.(stepper); ok {
		p.stepper = s
	}
	if p.stepper != nil {
		low, high := p.stepper.limits()
		if p.desc {
			low, high = high, low
		}
		p.least, p.greatest = encoded(c, low), encoded(c, high)
	}
	p.least, p.greatest = m.write(p.least), m.write(p.greatest)
	p.ceiling = p.closed(p.greatest, delimiter)
}

// write is the segment of a plain text.
func (m mode) write(text string) string {
	if m != escaped {
		return text
	}
	return string(escapeTail([]byte(text), 0))
}

// encoded is the plain text of a value that the codec is known to take.
func encoded(c codec, v Value) string {
	text, _ := c.encode(nil, v)
	return string(text)
}

// compiled reports whether there is a template, which always has a literal, and not a zero one.
func (t *Template) compiled() bool { return t != nil && len(t.literals) > 0 }

// orZero is the template, or the zero one in place of nil.
func (t *Template) orZero() *Template {
	if t == nil {
		return &Template{}
	}
	return t
}

// String returns the template's text.
func (t *Template) String() string { return t.orZero().text }

// Type returns the type of the key attribute.
func (t *Template) Type() AttrType { return t.orZero().attr }

// Native reports whether the template is exactly one placeholder, so that the attribute is the value itself.
func (t *Template) Native() bool { return t.orZero().mode == native }

// Fields returns the placeholders in the order of the text.
func (t *Template) Fields() []Field {
	t = t.orZero()
	fields := make([]Field, len(t.parts))
	for i := range t.parts {
		fields[i] = t.parts[i].Field
	}
	return fields
}

// Format returns the format of placeholder i, as the template has it; empty where it has none.
func (t *Template) Format(i int) string {
	t = t.orZero()
	if i < 0 || i >= len(t.parts) {
		return ""
	}
	return t.parts[i].Format
}

// Lossless reports whether Parse gives back the exact value of placeholder i (a time's instant, not its location).
func (t *Template) Lossless(i int) bool {
	t = t.orZero()
	return i >= 0 && i < len(t.parts) && t.parts[i].lossless
}

// Append appends the key of vals, one for each placeholder, to dst: text for S, a decimal for N, the bytes for B. On an
// error, always a *ValueError (ErrAbsent, ErrInvalid, ErrOutOfRange, ErrReserved, ErrTooLong), it returns dst as it was.
func (t *Template) Append(dst []byte, vals []Value) ([]byte, error) {
	t = t.orZero()
	if len(vals)+1 != len(t.literals) {
		return dst, t.miscounted(len(vals), "")
	}
	out := append(dst, t.literals[0]...)
	for i := range t.parts {
		var fault *ValueError
		if out, fault = t.appendPart(out, i, vals[i]); fault != nil {
			return dst, t.blame(i, fault)
		}
		out = append(out, t.literals[i+1]...)
	}
	if size := len(out) - len(dst); size > t.limit {
		return dst, t.tooLong(size)
	}
	return out, nil
}

// scratch holds buffers for keys until their length is known.
var scratch = sync.Pool{New: func() any {
	buf := make([]byte, 0, 256)
	return &buf
}}

// Render returns the key of vals as a string; see Append.
func (t *Template) Render(vals ...Value) (string, error) {
	buf := scratch.Get().(*[]byte)
	out, err := t.Append((*buf)[:0], vals)
	key := string(out)
	if cap(out) > cap(*buf) {
		*buf = out
	}
	scratch.Put(buf)
	return key, err
}

// Prefix returns what every key with these values of the first placeholders starts with: up to and with the delimiter
// that follows the last of them. Without values it is the template's first literal, with all of them the whole key.
func (t *Template) Prefix(vals ...Value) (string, error) {
	t = t.orZero()
	if len(vals) >= len(t.literals) {
		return "", t.miscounted(len(vals), "at most ")
	}
	if len(vals) == len(t.parts) {
		return t.Render(vals...)
	}
	out := []byte(t.literals[0])
	for i, v := range vals {
		if i > 0 {
			out = append(out, t.literals[i]...)
		}
		var fault *ValueError
		if out, fault = t.appendPart(out, i, v); fault != nil {
			return "", t.blame(i, fault)
		}
	}
	if len(vals) > 0 {
		out = append(out, t.delimiter)
	}
	if len(out) > t.limit {
		return "", t.tooLong(len(out))
	}
	return string(out), nil
}

// appendPart writes one value in the template's mode.
func (t *Template) appendPart(dst []byte, i int, v Value) ([]byte, *ValueError) {
	p := &t.parts[i]
	switch {
	case v.IsAbsent():
		return dst, refuse(ErrAbsent, "the part is absent", "")
	case v.kind != p.Kind:
		return dst, refuse(ErrInvalid, fmt.Sprintf("the value is of kind %s, the field of kind %s", v.kind, p.Kind), "")
	}
	start := len(dst)
	dst, fault := p.codec.encode(dst, v)
	switch {
	case fault != nil:
		return dst, fault
	case t.mode == escaped:
		return escapeTail(dst, start), nil
	case t.attr != N:
		return dst, t.checkRaw(dst[start:], p.last)
	}
	return dst, nil
}

// checkRaw refuses what a value cannot hold where it is not escaped.
func (t *Template) checkRaw(text []byte, last bool) *ValueError {
	switch {
	case bytes.HasPrefix(text, []byte(reserved)), t.attr == S && holdsReserved(text, t.delimiter):
		return refuse(ErrReserved, "text that starts with $U, or goes on so after a delimiter, is the library's own", "")
	case !last && bytes.IndexByte(text, t.delimiter) >= 0:
		return refuse(ErrInvalid, fmt.Sprintf("the value holds the delimiter %q", string(t.delimiter)),
			"only the last value of a raw template can hold it")
	}
	return nil
}

// holdsReserved reports whether a segment within text starts as the library's own do.
func holdsReserved(text []byte, delimiter byte) bool {
	return bytes.Contains(text, []byte{delimiter, reserved[0], reserved[1]})
}

func (t *Template) blame(i int, fault *ValueError) *ValueError {
	fault.Template, fault.Field, fault.Format = t.text, t.parts[i].Name, t.parts[i].Format
	return fault
}

func (t *Template) tooLong(size int) *ValueError {
	return &ValueError{Template: t.text, Err: ErrTooLong, Reason: fmt.Sprintf("the key has %s, and %d are the most", counted(size, "byte"), t.limit)}
}

func (t *Template) miscounted(got int, most string) *ValueError {
	if !t.compiled() {
		return &ValueError{Err: ErrInvalid, Reason: "the template is empty", Hint: "Compile makes templates"}
	}
	return &ValueError{
		Template: t.text, Err: ErrInvalid,
		Reason: fmt.Sprintf("%s given for %s%s", counted(got, "value"), most, counted(len(t.parts), "placeholder")),
	}
}
