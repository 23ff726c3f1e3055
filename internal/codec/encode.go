package codec

import (
	"encoding"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxDepth is more than the levels of any valid value: [MaxNesting], with pointers between them. It
// stops the encoding of values that contain themselves.
const maxDepth = 100

// encoder holds the attribute values for an item's texts and numbers. Each of the two slices is one
// allocation.
type encoder struct {
	texts   []types.AttributeValueMemberS
	numbers []types.AttributeValueMemberN
	depth   int
}

func (e *encoder) text(s string) AV {
	av := next(&e.texts)
	av.Value = s
	return av
}

func (e *encoder) number(s string) AV {
	av := next(&e.numbers)
	av.Value = s
	return av
}

// next returns the next unused element of a slice, or a new one after the last.
func next[T any](unused *[]T) *T {
	if len(*unused) == 0 {
		return new(T)
	}
	av := &(*unused)[0]
	*unused = (*unused)[1:]
	return av
}

func null() AV { return &types.AttributeValueMemberNULL{Value: true} }

// keepsNil reports whether nil is stored as NULL. Otherwise, it is omitted.
func (o Options) keepsNil() bool { return o&(NullEmpty|keepNil) != 0 && !o.Has(OmitEmpty) }

// nothing returns the attribute value of nil, or nil if the options omit it.
func nothing(o Options) AV {
	if o.keepsNil() {
		return null()
	}
	return nil
}

// encode encodes the value at p. It returns nil if the value is omitted.
func (e *encoder) encode(n *Node, p Ptr, o Options) (AV, error) {
	if (o&(OmitEmpty|NullEmpty) != 0 || n.nilable()) && n.empty(p) {
		if o.Has(OmitEmpty | NullEmpty) {
			return nil, n.newError("", "omitempty and nullempty are both set", nil)
		}
		return nothing(o), nil
	}
	if n.Kind == KindPtr {
		return e.encodeValue(n.Elem, p.deref(), n.Elem.behindPointer(o))
	}
	return e.encodeValue(n, p, o)
}

// behindPointer returns the options of a value behind a pointer, which is not nil. The value may be
// empty, but omitempty applies to the pointer.
func (n *Node) behindPointer(o Options) Options {
	if n.Kind == KindTime {
		return o &^ OmitEmpty
	}
	return o
}

// empty reports whether omitempty omits the value. Method time handles times.
func (n *Node) empty(p Ptr) bool {
	switch {
	case n.Kind == KindString, n.Kind == KindNumber:
		return *as[string](p) == ""
	case n.nilable():
		return p.isNil() || n.readAsNil(p)
	case n.hasIsZero:
		return n.isZero(p)
	case n.Kind == KindFloat:
		return p.float(n.Bits) == 0 // also -0
	default:
		return n.canBeEmpty() && p.value(n.Type).IsZero()
	}
}

// nilable reports whether a value can be nil. The nil of a number literal is its zero value "",
// which is not a number.
func (n *Node) nilable() bool { return kindWires[n.Kind].Has(WireNULL) || n.Kind == KindNumber }

// encodeValue encodes a value that is not omitted. Behind a pointer, the value may be empty.
func (e *encoder) encodeValue(n *Node, p Ptr, o Options) (AV, error) {
	if n.Kind == KindTime {
		return e.encodeTime(n, p, o)
	}
	if n.Enc != 0 && (n.Kind != KindPtr || !p.isNil()) {
		if av, err := e.encodeByMethod(n, p); av != nil || err != nil {
			return av, err
		}
	}
	switch n.Kind {
	case KindString:
		s := *as[string](p)
		return e.text(s), n.checkText(s)
	case KindInt:
		return e.encodeDigits(strconv.FormatInt(p.int(n.Bits), 10), o), nil
	case KindUint:
		return e.encodeDigits(strconv.FormatUint(p.uint(n.Bits), 10), o), nil
	case KindFloat:
		return e.encodeFloat(n, p.float(n.Bits), o)
	case KindNumber:
		return e.encodeLiteral(n, *as[string](p), o)
	case KindBool:
		return &types.AttributeValueMemberBOOL{Value: *as[bool](p)}, nil
	case KindBytes, KindByteArray:
		return &types.AttributeValueMemberB{Value: append([]byte{}, p.bytes(n)...)}, nil
	case KindNone:
		return nil, n.newError("", "a value of this type cannot be stored", nil)
	default:
		return e.encodeContainer(n, p, o)
	}
}

// encodeContainer encodes a value that contains other values.
func (e *encoder) encodeContainer(n *Node, p Ptr, o Options) (AV, error) {
	if e.depth == maxDepth {
		return nil, n.newError("", "the value is nested too deeply", ErrDepth)
	}
	e.depth++
	defer func() { e.depth-- }()
	switch n.Kind {
	case KindStruct:
		m := make(Item, len(n.Struct.fields))
		if err := n.Struct.encode(e, p, m); err != nil {
			return nil, err
		}
		return &types.AttributeValueMemberM{Value: m}, nil
	case KindMap:
		return e.encodeMap(n, p, o)
	case KindList, KindArray:
		return e.encodeList(n, p, o)
	case KindPtr: // the target of a pointer
		if p.isNil() {
			return nothing(o), nil
		}
		return e.encode(n.Elem, p.deref(), o&^(OmitEmpty|NullEmpty)) // a value behind a pointer may be empty
	case KindAny:
		return e.encodeDynamic(p.value(n.Type), o)
	default: // KindRaw
		return n.rawValue(p.value(n.Type), o)
	}
}

// encodeDynamic encodes the value in an interface.
func (e *encoder) encodeDynamic(v reflect.Value, o Options) (AV, error) {
	if v.IsNil() {
		return nothing(o), nil
	}
	v = v.Elem()
	n, err := dynamicNode(v.Type())
	if err != nil {
		return nil, err
	}
	at := reflect.New(v.Type()).Elem()
	at.Set(v)
	return e.encodeValue(n, PtrOf(at), o)
}

// encodeByMethod encodes the value with the type's own method. If it returns nil and no error, the
// caller encodes the value by its kind.
func (e *encoder) encodeByMethod(n *Node, p Ptr) (AV, error) {
	v := n.receiver(p)
	switch n.Enc {
	case ViaAttribute:
		av, err := v.(attributevalue.Marshaler).MarshalDynamoDBAttributeValue()
		return av, n.methodError("", err)
	case ViaText:
		text, err := v.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return nil, n.methodError("", err)
		}
		if n.TimeText() {
			text = inUTC(text)
		}
		return e.text(string(text)), n.checkText(string(text))
	default:
		b, err := v.(encoding.BinaryMarshaler).MarshalBinary()
		if b == nil {
			b = []byte{} // the SDK writes nil as null, which the service refuses
		}
		return &types.AttributeValueMemberB{Value: b}, n.methodError("", err)
	}
}

// receiver returns the pointer on which the encoding methods are called.
func (n *Node) receiver(p Ptr) any {
	if n.Kind == KindPtr {
		return p.deref().pointer(n.Elem.Type)
	}
	return p.pointer(n.Type)
}

// encodeTime encodes a time in UTC, because texts in other zones do not compare or sort by time.
// The zero time is empty. The unixtime option has priority over MarshalText.
func (e *encoder) encodeTime(n *Node, p Ptr, o Options) (AV, error) {
	t := as[time.Time](p)
	switch {
	case o.Has(OmitEmpty) && t.IsZero():
		return nil, nil
	case n.Enc == ViaAttribute:
		return e.encodeByMethod(n, p)
	case o.Has(UnixTime):
		return e.number(strconv.FormatInt(t.Unix(), 10)), nil
	case n.Type != timeType && n.Enc != 0:
		return e.encodeByMethod(n, p)
	default:
		var buf [40]byte
		text, err := t.UTC().AppendText(buf[:0])
		if err != nil {
			return nil, n.newError("", "the time cannot be encoded in RFC 3339", err)
		}
		return e.text(string(text)), nil
	}
}

// encodeDigits encodes a number's text as N, or as S with the string option.
func (e *encoder) encodeDigits(s string, o Options) AV {
	if o.Has(AsString) {
		return e.text(s)
	}
	return e.number(s)
}

// The range of magnitudes that DynamoDB stores.
const (
	minMagnitude = 1e-130
	maxMagnitude = 1e126 // exclusive
)

func (e *encoder) encodeFloat(n *Node, f float64, o Options) (AV, error) {
	abs := math.Abs(f)
	switch {
	case o.Has(AsString) || f == 0:
	case math.IsNaN(f), math.IsInf(f, 0):
		return nil, n.newError("", "DynamoDB has no NaN and no infinities", ErrNotNumber)
	case abs < minMagnitude, abs >= maxMagnitude:
		return nil, n.newError("", "the number is out of range", ErrNumber)
	}
	return e.encodeDigits(strconv.FormatFloat(f, 'f', -1, int(n.Bits)), o), nil
}

// encodeLiteral encodes a string that holds a number.
func (e *encoder) encodeLiteral(n *Node, s string, o Options) (AV, error) {
	switch {
	case s == "": // behind a pointer
		return nothing(o), nil
	case o.Has(AsString):
		return e.text(s), n.checkText(s)
	default:
		return e.number(s), n.checkNumber(s)
	}
}
