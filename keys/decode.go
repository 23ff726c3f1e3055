package keys

import "strings"

// Parse parses a key and returns one value for each placeholder, without the precision that the
// format drops. It returns a *[ValueError] that wraps [ErrForeign] if Render cannot have written
// the key. It accepts any decimal for a key of type N.
func (t *Template) Parse(key string) ([]Value, error) {
	t = t.orZero()
	foreign := &ValueError{Template: t.text, Err: ErrForeign, Reason: "the key is not of this template"}
	switch {
	case !t.compiled():
		return nil, foreign
	case len(key) > t.limit:
		return nil, t.tooLong(len(key))
	}
	rest, ok := strings.CutPrefix(key, t.literals[0])
	if !ok {
		return nil, foreign
	}
	vals := make([]Value, len(t.parts))
	for i := range t.parts {
		var segment string
		if segment, rest, ok = t.cut(i, rest); ok {
			vals[i], ok = t.parsePart(i, segment)
		}
		if !ok {
			foreign.Field, foreign.Format = t.parts[i].Name, t.parts[i].Format
			return nil, foreign
		}
	}
	if rest != "" {
		return nil, foreign
	}
	return vals, nil
}

// cut returns the segment of placeholder i and the text after the literal that follows it.
func (t *Template) cut(i int, text string) (segment, rest string, ok bool) {
	if t.parts[i].last {
		return text, "", true
	}
	end := strings.IndexByte(text, t.delimiter)
	if end < 0 {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(text[end:], t.literals[i+1])
	return text[:end], rest, ok
}

func (t *Template) parsePart(i int, segment string) (Value, bool) {
	p := &t.parts[i]
	text, ok := segment, true
	if t.mode == escaped {
		text, ok = unescape(segment)
	}
	if !ok || text == "" {
		return Value{}, false
	}
	v, ok := p.codec.decode(text)
	if !ok || v.kind != p.Kind || t.attr == N {
		return v, ok && v.kind == p.Kind
	}
	again, fault := t.appendPart(nil, i, v)
	return v, fault == nil && string(again) == segment
}
