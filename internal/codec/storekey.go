package codec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/keys"
)

// StoreKey makes t.Render encode the attribute and t.Parse decode it. t must consist of exactly one
// placeholder. An absent value is omitted.
func (f *Field) StoreKey(t *keys.Template) error {
	if _, ok := f.KeyKind(); !ok || !t.Native() {
		return f.typeError("the field cannot be a key attribute")
	}
	f.asKey = t
	return nil
}

// KeyTemplate returns the template that encodes the attribute, or nil if StoreKey did not set one.
func (f *Field) KeyTemplate() *keys.Template { return f.asKey }

func (f *Field) encodeKey(at Ptr) (AV, error) {
	v, err := f.key(at, false)
	if err != nil || v.IsAbsent() {
		return nil, err
	}
	text, err := f.asKey.Render(v)
	if err != nil {
		return nil, f.Node.newError("", "the value cannot be encoded as the key attribute", err)
	}
	return KeyValue(f.asKey.Type(), text), nil
}

func (f *Field) decodeKey(av AV, at Ptr) error {
	text, ok := KeyText(f.asKey.Type(), av)
	if !ok {
		return f.Node.wrongType(av)
	}
	vals, err := f.asKey.Parse(text)
	if err != nil || len(vals) != 1 {
		return f.Node.newError(typeName(av), "the key attribute does not match its template", err)
	}
	return f.setKey(vals[0], at)
}

// KeyValue returns a rendered key as an attribute value of type t.
func KeyValue(t keys.AttrType, text string) AV {
	switch t {
	case keys.N:
		return numberValue(text)
	case keys.B:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	default:
		return textValue(text)
	}
}

// AppendKey appends a rendered key as a member of an item in JSON, as KeyValue returns it.
func AppendKey(dst []byte, name string, t keys.AttrType, text string) []byte {
	dst = itemjson.AppendName(dst, name)
	switch t {
	case keys.N:
		dst = itemjson.AppendText(append(dst, `{"N":`...), text)
	case keys.B:
		dst = itemjson.AppendBase64(append(dst, `{"B":`...), []byte(text))
	default:
		dst = itemjson.AppendText(append(dst, `{"S":`...), text)
	}
	return append(dst, '}')
}

// KeyText returns the text of a key attribute, in the form that templates parse. It returns false
// if the attribute has another type or is missing.
func KeyText(t keys.AttrType, av AV) (string, bool) {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, t == keys.S
	case *types.AttributeValueMemberN:
		return v.Value, t == keys.N
	case *types.AttributeValueMemberB:
		return string(v.Value), t == keys.B
	default:
		return "", false
	}
}

// KeyWire returns the attribute type of a key attribute.
func KeyWire(t keys.AttrType) Wire { return WireOf(KeyValue(t, "")) }
