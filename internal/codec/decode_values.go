package codec

import (
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decode sets the fields of the struct at p, which must hold the zero value, from an item. The rest
// field, if there is one, receives the attributes that no field has and for which known returns
// false. known may be nil. The struct shares no memory with the item. An error is a *FieldError;
// some fields may then be set.
func (s *Struct) Decode(item Item, p Ptr, known func(attribute string) bool) error {
	d := newValueDecoder()
	defer d.release()
	for _, f := range s.fields {
		av, ok := item[f.Name]
		if !ok || f.KeyOnly || f == s.rest {
			continue
		}
		if err := d.decode(f, av, p); err != nil {
			return err
		}
	}
	if s.rest == nil {
		return nil
	}
	rest := Item{}
	for name, av := range item {
		if s.inRest(name, known) {
			rest[name] = Clone(av)
		}
	}
	s.setRest(rest, p)
	return nil
}

// Decode sets the field of the struct at p from its attribute. The field must hold its zero value.
// An error is a *FieldError.
func (f *Field) Decode(av AV, p Ptr) error {
	d := newValueDecoder()
	defer d.release()
	return d.decode(f, av, p)
}

// decode sets the value at p, which must be the zero value, from an attribute.
func (n *Node) decode(av AV, p Ptr, o Options) error {
	d := newValueDecoder()
	defer d.release()
	d.set(av)
	return d.value(n, 0, p, o)
}

// valueDecoder decodes attribute values of the SDK, one after the other. Each of them is first set
// as the only value of an item in JSON, in memory that is used again.
type valueDecoder struct {
	decoder
	texts Arena
}

// valueDecoders are those that are not in use.
var valueDecoders = sync.Pool{New: func() any {
	d := &valueDecoder{}
	d.arena = &d.texts
	return d
}}

func newValueDecoder() *valueDecoder {
	d, _ := valueDecoders.Get().(*valueDecoder)
	return d
}

// maxValue is the greatest length of a value whose memory is used again.
const maxValue = 64 << 10

// release lets others use the decoder. Decoded texts keep their memory.
func (d *valueDecoder) release() {
	if cap(d.Body) <= maxValue {
		d.texts = Arena{}
		valueDecoders.Put(d)
	}
}

func (d *valueDecoder) set(av AV) {
	d.Set(av)
	d.texts.left = len(d.Body)
}

// decode sets the field of the struct at p. It does not copy the text of a text field.
func (d *valueDecoder) decode(f *Field, av AV, p Ptr) error {
	if text, ok := av.(*types.AttributeValueMemberS); ok && text != nil && f.isText() { // most attributes
		*as[string](f.allocate(p)) = text.Value
		return nil
	}
	d.set(av)
	return d.field(f, 0, p)
}
