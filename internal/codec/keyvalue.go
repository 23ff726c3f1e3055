package codec

import (
	"encoding"
	"math"
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"github.com/trestledb/trestle/keys"
)

var unixTimeType = reflect.TypeFor[attributevalue.UnixTime]()

// KeyKind returns the kind of the field's value in a key, after pointers. It returns false if the
// type cannot be part of a key.
func (f *Field) KeyKind() (keys.Kind, bool) {
	k := f.Node.Base().keyKind()
	return k, k != 0
}

// keyKind returns 0 for types that cannot be part of a key. A number literal cannot, because
// DynamoDB returns it in another spelling.
func (n *Node) keyKind() keys.Kind {
	switch {
	case n.Kind == KindTime:
		return keys.KindTime
	case n.textual:
		return keys.KindText
	}
	switch n.Kind {
	case KindString:
		return keys.KindText
	case KindInt:
		return keys.KindInt
	case KindUint:
		return keys.KindUint
	case KindFloat:
		return keys.KindFloat
	case KindBool:
		return keys.KindBool
	case KindBytes, KindByteArray:
		return keys.KindBytes
	default:
		return 0
	}
}

// zeroIsAbsent reports whether the zero value is absent in a key although it has a text or bytes.
// This holds for arrays and for types with MarshalText, such as the nil UUID: the zero is an id
// that nobody set. The zero of a number or bool is a value even with MarshalText, because it may be
// the first constant of an enumeration.
func (n *Node) zeroIsAbsent() bool {
	switch n.Kind {
	case KindInt, KindUint, KindFloat, KindBool:
		return false
	default:
		return n.textual || n.Kind == KindByteArray
	}
}

// Key returns the field of the struct at p as part of a key. These are absent: "", nil, the zero
// time, the zero of an array or of a type with MarshalText, and what omitempty omits. A plain 0 or
// false is a value. An error is a *FieldError.
func (f *Field) Key(p Ptr) (keys.Value, error) {
	at, ok := f.find(p)
	if !ok {
		return keys.Value{}, nil
	}
	v, err := f.key(at)
	return v, prependPath(f.GoName, err)
}

// KeyOperand is Key for the value that v points to. v must be a non-nil pointer to the field's
// type.
func (f *Field) KeyOperand(v any) (keys.Value, error) {
	val, err := f.key(PtrTo(v))
	return val, prependPath(f.GoName, err)
}

func (f *Field) key(at Ptr) (keys.Value, error) {
	if f.OmitEmpty && f.Node.empty(at) {
		return keys.Value{}, nil
	}
	return f.keyOf(at)
}

// keyOf is key without omitempty.
func (f *Field) keyOf(at Ptr) (keys.Value, error) {
	n := f.Node
	for ; n.Kind == KindPtr; n = n.Elem {
		if at.isNil() {
			return keys.Value{}, nil
		}
		at = at.deref()
	}
	return n.key(at)
}

func (n *Node) key(p Ptr) (keys.Value, error) {
	switch {
	case n.Kind == KindTime:
		return keys.Time(p.time()), nil
	case n.zeroIsAbsent() && p.value(n.Type).IsZero():
		return keys.Value{}, nil
	case n.textual:
		text, err := p.pointer(n.Type).(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return keys.Value{}, n.newError("", "the type's own method failed", err)
		}
		return keys.Text(string(text)), nil
	}
	switch n.Kind {
	case KindString:
		return keys.Text(p.text()), nil
	case KindInt:
		return keys.Int(p.int(n.Bits)), nil
	case KindUint:
		return keys.Uint(p.uint(n.Bits)), nil
	case KindFloat:
		return keys.Float(shortest(p.float(n.Bits), n.Bits)), nil
	case KindBool:
		return keys.Bool(p.bool()), nil
	case KindBytes:
		return keys.Bytes(p.bytes()), nil
	case KindByteArray:
		return keys.Bytes(p.value(n.Type).Bytes()), nil
	default:
		return keys.Value{}, n.newError("", "a value of this type cannot be part of a key", nil)
	}
}

// shortest returns a number as its attribute holds it. A float32 is stored as its shortest unique
// decimal, which is then parsed as a float64.
func shortest(x float64, bits uint8) float64 {
	if bits == 32 {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 32), 64)
	}
	return x
}

// KeyBound is KeyOperand for a value that is only compared with. omitempty does not apply to it.
func (f *Field) KeyBound(v any) (keys.Value, error) {
	val, err := f.keyOf(PtrTo(v))
	return val, prependPath(f.GoName, err)
}

// ZeroInKey reports whether the zero of the field's type, after pointers, is a value in a key. This
// holds for numbers and bools. omitempty may still omit it.
func (f *Field) ZeroInKey() bool {
	n := f.Node.Base()
	switch n.Kind {
	case KindInt, KindUint, KindFloat, KindBool:
		return true
	default:
		return false
	}
}

// ZeroIsValue reports whether the field's own zero value is a value in a key. If so, the Go value
// does not distinguish an item without the attribute from one that stores the zero.
func (f *Field) ZeroIsValue() bool {
	return f.ZeroInKey() && f.Node.Kind != KindPtr && !f.OmitEmpty && !f.ttl
}

// ZeroForm returns how a program that omits nothing stores the field's zero value, or the zero of
// the type it points to. It returns nil if the field does not decode such an attribute.
func (f *Field) ZeroForm() AV {
	v := reflect.New(f.Node.Type)
	for at := v.Elem(); at.Kind() == reflect.Pointer; at = at.Elem() {
		at.Set(reflect.New(at.Type().Elem()))
	}
	if av, err := f.EncodeOperand(v.Interface()); err == nil && av != nil {
		return av
	}
	av, err := f.Node.EncodeOperand(v.Interface())
	if err != nil || f.asKey != nil || !f.Wire().Has(WireOf(av)) {
		return nil
	}
	return av
}

// AbsentForms returns the attributes that are decoded as an absent part of a key, besides a missing
// attribute. null is true for NULL. zero is the stored form of the zero value, or nil if the zero
// is a value in a key.
func (f *Field) AbsentForms() (null bool, zero AV) {
	switch {
	case !f.ZeroInKey() || f.OmitEmpty && f.Node.Kind != KindPtr || f.ttl:
		return true, f.ZeroForm()
	case f.Node.Kind == KindPtr:
		return true, nil
	default:
		// Decode allocates the embedded pointer for any attribute, and the field is then zero.
		return false, nil
	}
}

// BehindPointer reports whether the field is promoted through an embedded pointer. It then exists
// only if the pointer is not nil.
func (f *Field) BehindPointer() bool { return len(f.hops) > 0 }

// absent reports whether Key returns an absent value. A type that cannot be part of a key is absent
// if it is nil.
func (f *Field) absent(at Ptr) bool {
	if f.Node.Base().keyKind() == 0 {
		return f.Node.nilable() && at.isNil()
	}
	v, err := f.key(at)
	return err == nil && v.IsAbsent()
}

// SetKey sets the field of the struct at p from a part of a key. It is the inverse of Key and needs
// CanSetKey. An absent value sets the zero value. A value of another kind, or one that the type
// cannot hold, is a *FieldError.
func (f *Field) SetKey(v keys.Value, p Ptr) error {
	return prependPath(f.GoName, f.setKey(v, f.allocate(p)))
}

// CanSetKey reports whether SetKey works: a type with MarshalText also needs UnmarshalText.
func (f *Field) CanSetKey() bool {
	n := f.Node.Base()
	return n.keyKind() != 0 && (n.Kind == KindTime || !n.textual || n.unmarshalsText())
}

func (f *Field) setKey(v keys.Value, at Ptr) error {
	if v.IsAbsent() {
		at.setZero(f.Node.Type)
		return nil
	}
	n, at, _ := f.Node.target(at)
	return n.setKey(v, at)
}

func (n *Node) setKey(v keys.Value, p Ptr) error {
	switch n.keyKind() {
	case keys.KindInt, keys.KindUint:
		return n.setKeyNumber(v, p)
	case 0, v.Kind():
	default:
		return n.otherKind()
	}
	switch {
	case n.Kind == KindTime:
		p.setTime(v.Time())
	case n.textual:
		return n.setKeyText(v.Text(), p)
	case n.Kind == KindString:
		p.setText(v.Text())
	case n.Kind == KindFloat:
		if n.Bits == 32 && math.IsInf(float64(float32(v.Float())), 0) && !math.IsInf(v.Float(), 0) {
			return n.overflow()
		}
		p.setFloat(n.Bits, v.Float())
	case n.Kind == KindBool:
		p.setBool(v.Bool())
	case n.Kind == KindBytes, n.Kind == KindByteArray:
		return n.decodeBytes(v.Bytes(), p)
	default:
		return n.otherKind()
	}
	return nil
}

// setKeyNumber sets an integer from a signed or an unsigned integer.
func (n *Node) setKeyNumber(v keys.Value, p Ptr) error {
	var text string
	switch v.Kind() {
	case keys.KindInt:
		text = strconv.FormatInt(v.Int(), 10)
	case keys.KindUint:
		text = strconv.FormatUint(v.Uint(), 10)
	default:
		return n.otherKind()
	}
	if n.setNumber(text, p) != nil {
		return n.overflow()
	}
	return nil
}

func (n *Node) setKeyText(text string, p Ptr) error {
	u, ok := p.pointer(n.Type).(encoding.TextUnmarshaler)
	if !ok {
		return n.newError("", "the type has MarshalText but no UnmarshalText", nil)
	}
	if err := u.UnmarshalText([]byte(text)); err != nil {
		return n.newError("", "the type's own method failed", err)
	}
	return nil
}

func (n *Node) unmarshalsText() bool {
	return reflect.PointerTo(n.Type).Implements(textUnmarshalerType)
}

func (n *Node) otherKind() error {
	return n.newError("", "the value in the key has another kind than the field", nil)
}

func (n *Node) overflow() error {
	return n.newError("", "the number in the key does not fit into the type", strconv.ErrRange)
}
