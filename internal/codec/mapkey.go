package codec

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// MapKey is how the keys of a map are encoded as attribute names.
type MapKey struct {
	Node    *Node // the key's type
	EncText bool  // by MarshalText, otherwise by the kind
	DecText bool  // by UnmarshalText, otherwise by the kind; false without EncText
}

var errKeyType = errors.New("map key type is not supported")

func (b builder) mapKey(t reflect.Type) *MapKey {
	k := &MapKey{Node: b.node(t)}
	if t.Kind() != reflect.Interface {
		has := func(method reflect.Type) bool { return t.Implements(method) || reflect.PointerTo(t).Implements(method) }
		k.EncText = has(textMarshalerType)
		k.DecText = k.EncText && has(textUnmarshalerType)
	}
	return k
}

// simple reports whether the key's kind is encoded as its text.
func (k *MapKey) simple() bool { return KindBool <= k.Node.Kind && k.Node.Kind <= KindNumber }

func (k *MapKey) valid() bool { return k.EncText || k.simple() }

// encode returns the text of a key, "" for a nil pointer. A time is encoded in UTC. A method String
// is not called, because no method reads its text.
func (k *MapKey) encode(v reflect.Value) (string, error) {
	if k.Node.Type == timeType {
		text, err := v.Interface().(time.Time).UTC().MarshalText()
		return string(text), err
	}
	if k.EncText {
		return keyText(v)
	}
	switch kind := k.Node.Kind; {
	case !k.simple():
		return "", errKeyType
	case kind == KindBool:
		return strconv.FormatBool(v.Bool()), nil
	case kind == KindFloat && k.Node.Bits == 32:
		return fmt.Sprint(float32(v.Float())), nil
	case kind == KindFloat:
		return fmt.Sprint(v.Float()), nil
	case kind == KindInt:
		return strconv.FormatInt(v.Int(), 10), nil
	case kind == KindUint:
		return strconv.FormatUint(v.Uint(), 10), nil
	default:
		return v.String(), nil
	}
}

// keyText returns the text of a key by its method, which may have a pointer receiver.
func keyText(v reflect.Value) (string, error) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return "", nil
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok {
		at := reflect.New(v.Type())
		at.Elem().Set(v)
		m = at.Interface().(encoding.TextMarshaler)
	}
	text, err := m.MarshalText()
	return string(text), err
}

// decode sets v, an addressable zero key, from an attribute name.
func (k *MapKey) decode(name string, v reflect.Value) error {
	if k.DecText {
		n, p, _ := k.Node.target(PtrOf(v))
		return n.setKeyText(name, p)
	}
	switch {
	case k.Node.Kind == KindBool:
		b, err := strconv.ParseBool(name)
		v.SetBool(b)
		return err
	case k.simple():
		return k.Node.setNumber(name, PtrOf(v))
	default:
		return errKeyType
	}
}
