package codec

import (
	"cmp"

	"github.com/trestledb/trestle/internal/itemjson"
)

// AppendJSON is Encode for an item in JSON: it appends the fields of the struct at p as members.
// dst must end with a brace or a member; the caller appends both braces, and may append more
// members with package itemjson. taken reports whether the caller adds an attribute of that name,
// so that the rest field must not; it may be nil. An error is that of Encode, and dst is then
// unchanged.
func (s *Struct) AppendJSON(dst []byte, p Ptr, taken func(attribute string) bool) ([]byte, error) {
	start := len(dst)
	for _, f := range s.fields {
		if f == s.rest || f.KeyOnly {
			continue
		}
		longer, ok := f.appendMember(dst, p, 0)
		if !ok {
			var err error
			if longer, err = f.appendEncoded(dst, p); err != nil {
				return dst[:start], err
			}
		}
		dst = longer
	}
	if s.rest == nil {
		return dst, nil
	}
	dst, err := s.appendRest(dst, p, taken)
	if err != nil {
		return dst[:start], err
	}
	return dst, nil
}

// appendEncoded is appendMember for a field that Encode must encode.
func (f *Field) appendEncoded(dst []byte, p Ptr) ([]byte, error) {
	av, err := f.Encode(p)
	if err != nil || av == nil {
		return dst, err
	}
	longer, err := itemjson.AppendAttribute(append(separate(dst), f.member...), av)
	if err != nil {
		return dst, prependPath(f.GoName, f.Node.newError("", "the attribute value has an unknown type", err))
	}
	return longer, nil
}

// setMember sets what AppendJSON writes before the field's value.
func (f *Field) setMember() {
	b := make([]byte, 0, len(f.Name)+len(`"":`)+len(startText))
	b = append(itemjson.AppendText(b, f.Name), ':')
	all := string(append(b, startText...))
	f.member = all[:len(b)]
	if f.Node.Kind == KindString && f.Node.Enc == 0 && f.Options == plain {
		f.textMember = all
	}
}

// separate appends a comma if dst does not end with a brace.
func separate(dst []byte) []byte {
	if n := len(dst); n == 0 || dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return dst
}

// appendRest appends the attributes in the rest field, as Struct.encodeRest adds them.
func (s *Struct) appendRest(dst []byte, p Ptr, taken func(string) bool) ([]byte, error) {
	if taken == nil {
		taken = func(string) bool { return false }
	}
	var unknown error
	err := s.eachRest(p, taken, func(name string, av AV) {
		if unknown == nil {
			dst, unknown = itemjson.AppendMember(dst, name, av)
		}
	})
	return dst, cmp.Or(err, unknown)
}
