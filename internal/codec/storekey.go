package codec

import (
	"bytes"
	"encoding/base64"

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

// key decodes the value at index i as a key attribute that is the field.
func (d *decoder) key(f *Field, i int, at Ptr) error {
	if d.Values[i].Type != KeyType(f.asKey.Type()) {
		return d.wrongType(f.Node, i)
	}
	text := d.Text(i)
	if d.Values[i].Type == itemjson.B {
		text = d.Bytes(i)
	}
	vals, err := f.asKey.Parse(string(text))
	if err != nil || len(vals) != 1 {
		return d.newError(f.Node, i, "the key attribute does not match its template", err)
	}
	return f.setKey(vals[0], at)
}

// KeyType returns the type that a key attribute has in an item in JSON.
func KeyType(t keys.AttrType) itemjson.Type {
	switch t {
	case keys.N:
		return itemjson.N
	case keys.B:
		return itemjson.B
	default:
		return itemjson.S
	}
}

// KeyValue returns a rendered key as an attribute value of type t.
func KeyValue(t keys.AttrType, text string) AV {
	switch t {
	case keys.N:
		return &types.AttributeValueMemberN{Value: text}
	case keys.B:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	default:
		return &types.AttributeValueMemberS{Value: text}
	}
}

// AppendKey renders a key attribute and appends it as a member of an item in JSON, as KeyValue
// returns it. An error is that of t.Append, and dst is then unchanged.
func AppendKey(dst []byte, name string, t *keys.Template, vals []keys.Value) ([]byte, error) {
	start := len(dst)
	dst = itemjson.AppendName(dst, name)
	switch t.Type() {
	case keys.N:
		dst = append(dst, `{"N":"`...)
	case keys.B:
		dst = append(dst, `{"B":"`...)
	default:
		dst = append(dst, startText...)
	}
	text := len(dst)
	dst, err := t.Append(dst, vals)
	if err != nil {
		return dst[:start], err
	}
	if t.Type() == keys.B {
		dst = base64.StdEncoding.AppendEncode(dst[:text], bytes.Clone(dst[text:]))
	} else {
		dst, _ = itemjson.AppendInner(dst[:text], dst[text:]) // in place if it needs no escapes
	}
	return append(dst, endText...), nil
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
