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
	native // one placeholder: the attribute is the value
)

// Template is a compiled template, as Compile returns it. It is immutable and safe for concurrent
// use. The zero Template and a nil one have no keys: writing a key returns [ErrInvalid], and
// parsing one returns [ErrForeign].
type Template struct {
	text      string
	attr      AttrType
	mode      mode
	delimiter byte
	limit     int      // maximum size of a key in bytes
	literals  []string // texts before, between and after the parts
	parts     []part
	rest      []int           // minimum bytes from the part of that index on
	high      string          // upper bound of all keys; empty if there is none
	language  func() *program // automaton of all keys, compiled on first use
}

// part is a compiled placeholder.
type part struct {
	Field
	traits
	codec   codec
	stepper stepper // nil unless all texts have one width
	desc    bool
	trusted bool // the codec is built in
	last    bool // nothing follows it
	// greatest is the greatest text of a stepper, as written in the key. The field least is written
	// in the same way.
	greatest string
	ceiling  string // greatest, followed by delimiter+1 unless last
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

// write returns the segment of a plain text.
func (m mode) write(text string) string {
	if m != escaped {
		return text
	}
	return string(escapeTail([]byte(text), 0))
}

// encoded returns the plain text of a value that the codec accepts.
func encoded(c codec, v Value) string {
	text, _ := c.encode(nil, v)
	return string(text)
}

// compiled reports whether t is compiled, that is, neither nil nor zero. A compiled template always
// has a literal.
func (t *Template) compiled() bool { return t != nil && len(t.literals) > 0 }

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
func (t *Template) Type() AttrType { return t.orZero().attr }

// Native reports whether the template is exactly one placeholder, so that the attribute is the
// unescaped value.
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

// Format returns the format of placeholder i, as written in the template. It is empty if there is
// none.
func (t *Template) Format(i int) string {
	t = t.orZero()
	if i < 0 || i >= len(t.parts) {
		return ""
	}
	return t.parts[i].Format
}

// Lossless reports whether Parse returns the exact value of placeholder i (for a time, the instant
// without the location).
func (t *Template) Lossless(i int) bool {
	t = t.orZero()
	return i >= 0 && i < len(t.parts) && t.parts[i].lossless
}

// Append appends the key of vals, one for each placeholder, to dst: text for S, a decimal for N,
// the bytes for B. Errors are a *[ValueError] that wraps [ErrAbsent], [ErrInvalid],
// [ErrOutOfRange], [ErrReserved] or [ErrTooLong]. On an error Append returns dst unchanged.
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

// scratch holds buffers for keys whose length is not known yet.
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

// Prefix returns the common prefix of all keys whose first placeholders have these values. It
// includes the delimiter after the last value. Without values it is the template's first literal;
// with a value for every placeholder it is the whole key.
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

// appendPart appends one value in the template's mode.
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

// checkRaw returns an error for text that an unescaped value cannot contain.
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

// holdsReserved reports whether a segment within text starts with the reserved prefix.
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
