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
		var err error
		if dst, err = f.appendJSON(dst, p); err != nil {
			return dst[:start], err
		}
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

// appendJSON appends the field of the struct at p as a member. Encode encodes what jsonEncoder does
// not.
func (f *Field) appendJSON(dst []byte, p Ptr) ([]byte, error) {
	if longer, ok := f.appendMember(dst, p, 0); ok {
		return longer, nil
	}
	av, err := f.Encode(p)
	if err != nil || av == nil {
		return dst, err
	}
	longer, err := itemjson.AppendAttribute(f.appendName(dst), av)
	if err != nil {
		return dst, prependPath(f.GoName, f.Node.newError("", "the attribute value has an unknown type", err))
	}
	return longer, nil
}

// appendName appends the name of the field, after a comma if dst does not end with a brace.
func (f *Field) appendName(dst []byte) []byte {
	if n := len(dst); n == 0 || dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, f.member...)
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
