package keys

import (
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Parse parses a key and returns one value for each placeholder, without the precision that the
// format drops. It returns a *[ValueError] that wraps [ErrMismatch] if Render cannot have written
// the key. It accepts any decimal for a key of type N.
func (t *Template) Parse(key string) ([]Value, error) {
	t = t.orZero()
	mismatch := &ValueError{Template: t.text, Err: ErrMismatch, Reason: "the key does not match the template"}
	switch {
	case !t.space.Defined():
		return nil, mismatch
	case len(key) > t.space.Limit:
		return nil, t.tooLong(len(key))
	}
	rest, ok := strings.CutPrefix(key, t.space.Literals[0])
	if !ok {
		return nil, mismatch
	}
	vals := make([]Value, len(t.placeholders))
	for i := range t.placeholders {
		var segment string
		if segment, rest, ok = t.cut(i, rest); ok {
			vals[i], ok = t.parseSegment(i, segment)
		}
		if !ok {
			mismatch.Field, mismatch.Format = t.placeholders[i].Name, t.placeholders[i].Format
			return nil, mismatch
		}
	}
	if rest != "" {
		return nil, mismatch
	}
	return vals, nil
}

// cut returns the segment of placeholder i and the text after the literal that follows it.
func (t *Template) cut(i int, text string) (segment, rest string, ok bool) {
	if t.space.IsLast(i) {
		return text, "", true
	}
	end := strings.IndexByte(text, t.space.Delimiter)
	if end < 0 {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(text[end:], t.space.Literals[i+1])
	return text[:end], rest, ok
}

func (t *Template) parseSegment(i int, segment string) (Value, bool) {
	p := &t.placeholders[i]
	text, ok := segment, true
	if t.space.Mode == keyspace.Escaped {
		text, ok = keyspace.Unescape(segment)
	}
	if !ok || text == "" {
		return Value{}, false
	}
	v, ok := p.codec.decode(text)
	if !ok || v.kind != p.Kind || t.Type() == N {
		return v, ok && v.kind == p.Kind
	}
	again, invalid := t.appendValue(nil, i, v)
	return v, invalid == nil && string(again) == segment
}
