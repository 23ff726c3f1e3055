package codec

import (
	"bytes"
	"encoding"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/keys"
)

var unixTimeType = reflect.TypeFor[attributevalue.UnixTime]()

// KeyKind returns the kind of the field's value in a key, after pointers. It returns false if the
// type cannot be part of a key.
func (f *Field) KeyKind() (keys.Kind, bool) {
	k := f.Node.Base().keyKind()
	return k, k != 0
}

// keyKind returns 0 for types that cannot be part of a key.
func (n *Node) keyKind() keys.Kind {
	if n.textual && n.Kind != KindTime {
		return keys.KindText
	}
	return kindKeys[n.Kind]
}

// zeroIsAbsent reports whether the zero value is absent in a key although it has a text or bytes.
// This holds for arrays and for types with MarshalText, such as the nil UUID: the zero is an id
// that nobody set. The zero of a number or bool is a value even with MarshalText, because it may be
// the first constant of an enumeration.
func (n *Node) zeroIsAbsent() bool {
	return !n.Kind.numeric() && (n.textual || n.Kind == KindByteArray)
}

// Key returns the field of the struct at p as part of a key. These are absent: "", nil, the zero
// time, the zero of an array or of a type with MarshalText, and what omitempty omits. A plain 0 or
// false is a value. An error is a *FieldError.
func (f *Field) Key(p Ptr) (keys.Value, error) {
	if f.derived != nil {
		return f.derived(p)
	}
	if f.IsKeyText() { // most fields
		return keys.Text(f.KeyText(p)), nil
	}
	at, ok := f.find(p)
	if !ok {
		return keys.Value{}, nil
	}
	switch n := f.Node; { // the usual kinds, which are never invalid
	case n.Kind == KindTime:
		return keys.Time(*as[time.Time](at)), nil
	case n.Kind == KindString && !n.textual:
		return keys.Text(*as[string](at)), nil
	}
	v, err := f.key(at, false)
	return v, prependPath(f.GoName, err)
}

// KeyOperand is Key for the value that v points to. v must be a non-nil pointer to the field's
// type. omitempty does not apply to a bound, which is only compared with.
func (f *Field) KeyOperand(v any, bound bool) (keys.Value, error) {
	val, err := f.key(PtrTo(v), bound)
	return val, prependPath(f.GoName, err)
}

// IsKeyText reports whether the field is a string, whose text is part of keys.
func (f *Field) IsKeyText() bool {
	return f.derived == nil && f.hops == nil && f.Node.Kind == KindString && !f.Node.textual
}

// KeyText returns the text of a field for which IsKeyText returns true.
func (f *Field) KeyText(p Ptr) string { return *as[string](p.field(f.offset, f.leaf)) }

func (f *Field) key(at Ptr, bound bool) (keys.Value, error) {
	if !bound && f.Has(OmitEmpty) && f.Node.empty(at) {
		return keys.Value{}, nil
	}
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
		return keys.Time(*as[time.Time](p)), nil
	case n.zeroIsAbsent() && (n.nilable() && n.empty(p) || p.value(n.Type).IsZero()):
		return keys.Value{}, nil
	case n.textual:
		text, err := p.pointer(n.Type).(encoding.TextMarshaler).MarshalText()
		return keys.Text(string(text)), n.methodError("", err)
	}
	switch n.Kind {
	case KindString:
		return keys.Text(*as[string](p)), nil
	case KindInt:
		return keys.Int(p.int(n.Bits)), nil
	case KindUint:
		return keys.Uint(p.uint(n.Bits)), nil
	case KindFloat:
		return keys.Float(shortest(p.float(n.Bits), n.Bits)), nil
	case KindBool:
		return keys.Bool(*as[bool](p)), nil
	case KindBytes, KindByteArray:
		return keys.Bytes(p.bytes(n)), nil
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

// ZeroInKey reports whether the zero of the field's type, after pointers, is a value in a key. This
// holds for numbers and bools. omitempty may still omit it.
func (f *Field) ZeroInKey() bool { return f.Node.Base().Kind.numeric() }

// ZeroIsValue reports whether the field's own zero value is a value in a key. If so, the Go value
// does not distinguish an item without the attribute from one that stores the zero.
func (f *Field) ZeroIsValue() bool {
	return f.ZeroInKey() && f.Node.Kind != KindPtr && !f.Has(OmitEmpty) && !f.ttl
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
// attribute. null is true for NULL. zeros are the stored forms of the zero value, unless it is a
// value in a key, and of an empty value.
func (f *Field) AbsentForms() (null bool, zeros []AV) {
	switch base := f.Node.Base(); {
	case base.keyKind() == keys.KindBytes && base.Kind == KindBytes:
		return true, []AV{&types.AttributeValueMemberB{Value: []byte{}}} // the empty value is not the zero, which is nil
	case !f.ZeroInKey() || f.Has(OmitEmpty) && f.Node.Kind != KindPtr || f.ttl:
		return true, append(f.EmptyForms(), f.ZeroForm())
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

// ExistsWith reports whether the field exists in every struct into which the field other is
// decoded: the embedded pointers on its path are on that of other.
func (f *Field) ExistsWith(other *Field) bool {
	return len(f.hops) <= len(other.hops) && slices.EqualFunc(f.hops, other.hops[:len(f.hops)], func(a, b hop) bool {
		return a.offset == b.offset && a.elem == b.elem
	})
}

// ExistsIn reports whether the field exists in the struct at p.
func (f *Field) ExistsIn(p Ptr) bool {
	_, ok := f.find(p)
	return ok
}

// absent reports whether Key returns an absent value. A type that cannot be part of a key is absent
// if it is nil.
func (f *Field) absent(at Ptr) bool {
	if f.Node.Base().keyKind() == 0 {
		return f.Node.nilable() && f.Node.empty(at)
	}
	v, err := f.key(at, false)
	return err == nil && v.IsAbsent()
}

// SetKey sets the field of the struct at p from a part of a key. It is the inverse of Key and needs
// CanSetKey. An absent value sets the zero value. A value of another kind, or one that the type
// cannot hold, is a *FieldError.
func (f *Field) SetKey(v keys.Value, p Ptr) error {
	if f.derived != nil {
		return nil
	}
	return prependPath(f.GoName, f.setKey(v, f.allocate(p)))
}

// CanSetKey reports whether SetKey works: a type with MarshalText also needs UnmarshalText.
func (f *Field) CanSetKey() bool {
	n := f.Node.Base()
	return n.keyKind() != 0 && (n.Kind == KindTime || !n.textual || reflect.PointerTo(n.Type).Implements(textUnmarshalerType))
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
	switch kind := n.keyKind(); {
	case kind == 0, kind != v.Kind() && (!isInteger(kind) || !isInteger(v.Kind())):
		return n.newError("", "the value in the key has another kind than the field", nil)
	case n.Kind == KindTime:
		*as[time.Time](p) = v.Time()
	case n.textual:
		return n.setKeyText(v.Text(), p)
	case n.Kind == KindString:
		*as[string](p) = v.Text()
	case n.Kind == KindBool:
		*as[bool](p) = v.Bool()
	case n.Kind == KindBytes, n.Kind == KindByteArray:
		return n.setBytes(bytes.Clone(v.Bytes()), p)
	case n.Kind == KindFloat && (n.Bits == 64 || !math.IsInf(float64(float32(v.Float())), 0)):
		p.setFloat(n.Bits, v.Float())
	case n.setNumber(numberText(v), p) != nil:
		return n.newError("", "the number in the key does not fit into the type", strconv.ErrRange)
	}
	return nil
}

// isInteger reports whether a kind is a signed or an unsigned integer. A key stores both alike.
func isInteger(k keys.Kind) bool { return k == keys.KindInt || k == keys.KindUint }

// numberText returns the text of a number of any kind.
func numberText(v keys.Value) string {
	switch v.Kind() {
	case keys.KindInt:
		return strconv.FormatInt(v.Int(), 10)
	case keys.KindUint:
		return strconv.FormatUint(v.Uint(), 10)
	default:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
}

func (n *Node) setKeyText(text string, p Ptr) error {
	u, ok := p.pointer(n.Type).(encoding.TextUnmarshaler)
	if !ok {
		return n.newError("", "the type has MarshalText but no UnmarshalText", nil)
	}
	return n.methodError("", u.UnmarshalText([]byte(text)))
}
