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
	DecText bool  // by UnmarshalText, otherwise by the kind

	valid   bool
	methods bool // fmt may call a method for the text
}

var errKeyType = errors.New("codec: map key type is not supported")

func (b builder) mapKey(t reflect.Type) *MapKey {
	k := &MapKey{Node: b.node(nodeKey{t, false}), methods: t.NumMethod() > 0}
	if t.Kind() != reflect.Interface {
		k.EncText = t.Implements(textMarshalerType)
		k.DecText = t.Implements(textUnmarshalerType) || reflect.PointerTo(t).Implements(textUnmarshalerType)
	}
	k.valid = k.EncText || k.simple()
	return k
}

// simple reports whether the key's kind is encoded as its text.
func (k *MapKey) simple() bool { return KindBool <= k.Node.Kind && k.Node.Kind <= KindNumber }

// encode returns the text of a key, "" for a nil pointer. A time is encoded in UTC.
func (k *MapKey) encode(v reflect.Value) (string, error) {
	if k.Node.Type == timeType {
		text, err := v.Interface().(time.Time).UTC().MarshalText()
		return string(text), err
	}
	if k.EncText {
		m, ok := v.Interface().(encoding.TextMarshaler)
		if !ok || v.Kind() == reflect.Pointer && v.IsNil() {
			return "", nil
		}
		text, err := m.MarshalText()
		return string(text), err
	}
	switch kind := k.Node.Kind; {
	case !k.simple():
		return "", errKeyType
	case k.methods || kind == KindFloat || kind == KindBool:
		return fmt.Sprint(v.Interface()), nil
	case kind == KindInt:
		return strconv.FormatInt(v.Int(), 10), nil
	case kind == KindUint:
		return strconv.FormatUint(v.Uint(), 10), nil
	default:
		return v.String(), nil
	}
}

// decode sets v, an addressable zero key, from an attribute name.
func (k *MapKey) decode(name string, v reflect.Value) error {
	if k.DecText {
		for v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		u, ok := v.Addr().Interface().(encoding.TextUnmarshaler)
		if !ok {
			return errKeyType
		}
		return u.UnmarshalText([]byte(name))
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
