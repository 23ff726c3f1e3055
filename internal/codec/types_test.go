package codec

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The named types of the random tests: one for each way to store a value.
type (
	zInt8  int8
	zUint  uint16
	zText  string
	zBool  bool
	zF32   float32
	zBlob  []byte
	zTimes time.Time // convertible to time.Time, without its methods
	zList  []int
	zMap   map[string]int
	zAny   any
)

// zValMarshaler marshals itself with a value receiver.
type zValMarshaler string

func (z zValMarshaler) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberS{Value: "v:" + string(z)}, nil
}

func (z *zValMarshaler) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		*z = zValMarshaler(strings.TrimPrefix(tv.Value, "v:"))
	case nil, *types.AttributeValueMemberNULL:
		*z = "was null"
	default:
		return errors.New("zValMarshaler: not S")
	}
	return nil
}

// zPtrMarshaler marshals itself with a pointer receiver, so only if it is addressable.
type zPtrMarshaler int

func (z *zPtrMarshaler) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(int(*z) + 1000)}, nil
}

func (z *zPtrMarshaler) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return errors.New("zPtrMarshaler: not N")
	}
	i, err := strconv.Atoi(n.Value)
	*z = zPtrMarshaler(i - 1000)
	return err
}

// zShyMarshaler returns nil for some values, which are then encoded by kind.
type zShyMarshaler string

func (z zShyMarshaler) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if len(z)%2 == 0 {
		return nil, nil
	}
	return &types.AttributeValueMemberBOOL{Value: true}, nil
}

// zNullMarshaler returns NULL.
type zNullMarshaler struct{ N int }

func (z zNullMarshaler) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberNULL{Value: true}, nil
}

// zFailing cannot be encoded.
type zFailing struct{ N int }

var errFailing = errors.New("secret value 4711")

func (z zFailing) MarshalText() ([]byte, error) { return nil, errFailing }
func (z *zFailing) UnmarshalText([]byte) error  { return errFailing }

// zColor is a string with MarshalText.
type zColor string

func (z zColor) MarshalText() ([]byte, error) { return []byte("color-" + string(z)), nil }
func (z *zColor) UnmarshalText(b []byte) error {
	text, ok := strings.CutPrefix(string(b), "color-")
	if !ok {
		return errors.New("zColor: no color")
	}
	*z = zColor(text)
	return nil
}

// zPtrText is an integer whose MarshalText has a pointer receiver.
type zPtrText int

func (z *zPtrText) MarshalText() ([]byte, error) { return []byte("t" + strconv.Itoa(int(*z))), nil }
func (z *zPtrText) UnmarshalText(b []byte) error {
	i, err := strconv.Atoi(strings.TrimPrefix(string(b), "t"))
	*z = zPtrText(i)
	return err
}

// zWriteOnly has MarshalText without UnmarshalText, so it is decoded by kind.
type zWriteOnly string

func (z zWriteOnly) MarshalText() ([]byte, error) { return []byte("w" + string(z)), nil }

// zUUID is an array with MarshalText.
type zUUID [4]byte

func (z zUUID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, z[:]), nil }

func (z *zUUID) UnmarshalText(b []byte) error {
	if len(b) != 2*len(z) {
		return errors.New("zUUID: malformed")
	}
	_, err := hex.Decode(z[:], b)
	return err
}

// zBinary is a struct with MarshalBinary.
type zBinary struct{ B string }

func (z zBinary) MarshalBinary() ([]byte, error) { return []byte("b" + z.B), nil }
func (z *zBinary) UnmarshalBinary(b []byte) error {
	z.B = strings.TrimPrefix(string(b), "b")
	return nil
}

// zPoint is a struct with MarshalText. An M is decoded to its fields.
type zPoint struct{ X, Y int }

func (z zPoint) MarshalText() ([]byte, error) {
	return []byte(strconv.Itoa(z.X) + ";" + strconv.Itoa(z.Y)), nil
}

func (z *zPoint) UnmarshalText(b []byte) error {
	x, y, _ := strings.Cut(string(b), ";")
	var err1, err2 error
	z.X, err1 = strconv.Atoi(x)
	z.Y, err2 = strconv.Atoi(y)
	return errors.Join(err1, err2)
}

// ZBase and the types below are embedded.
type ZBase struct {
	ID      string `dynamodbav:"id"`
	Created int64  `dynamodbav:"created,omitempty"`
	Shadow  string
}

type ZDeep struct {
	ZBase
	Note string `dynamodbav:"note,omitempty"`
}

type zHidden struct{ Seen, Both int }

type ZTagged struct{ T string }

// zEmbeds has every kind of embedding.
type zEmbeds struct {
	ZDeep
	*ZTagged
	zHidden
	Shadow int
	Other  ZBase `dynamodbav:"other"`
	zInner `dynamodbav:"inner"`
}

type zInner struct{ I int }

// zConflict has two fields of one name. The tagged one has priority.
type zConflict struct {
	ZLeft
	ZRight
}

type ZLeft struct{ Name string }
type ZRight struct {
	Called string `dynamodbav:"Name"`
}

// zTree is recursive in every way.
type zTree struct {
	Name string           `dynamodbav:"name"`
	Kids []zTree          `dynamodbav:"kids,omitempty"`
	Next *zTree           `dynamodbav:"next"`
	By   map[string]zTree `dynamodbav:"by,omitempty"`
	Any  any              `dynamodbav:"any,omitempty"`
}

type zSlice []zSlice

// elemTypes has every type in the random types, except containers.
var elemTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[any](), reflect.TypeFor[[][]byte](),
	reflect.TypeFor[zInt8](), reflect.TypeFor[zUint](), reflect.TypeFor[zText](), reflect.TypeFor[zBool](), reflect.TypeFor[zF32](),
	reflect.TypeFor[zBlob](), reflect.TypeFor[zTimes](), reflect.TypeFor[zList](), reflect.TypeFor[zMap](), reflect.TypeFor[zAny](),
	reflect.TypeFor[zValMarshaler](), reflect.TypeFor[zPtrMarshaler](), reflect.TypeFor[zShyMarshaler](),
	reflect.TypeFor[zNullMarshaler](), reflect.TypeFor[zColor](), reflect.TypeFor[zPtrText](), reflect.TypeFor[zWriteOnly](),
	reflect.TypeFor[zUUID](), reflect.TypeFor[zBinary](), reflect.TypeFor[zPoint](), reflect.TypeFor[zFailing](),
	reflect.TypeFor[zEmbeds](), reflect.TypeFor[zConflict](), reflect.TypeFor[zTree](), reflect.TypeFor[zSlice](), reflect.TypeFor[ZDeep](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[attributevalue.Number](), reflect.TypeFor[attributevalue.UnixTime](),
	reflect.TypeFor[error](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[[]string](), reflect.TypeFor[[2]zText](), reflect.TypeFor[[]*float64](),
	reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[uint32](),
}

// mapKeyTypes are the types of map keys. zWriteOnly is an issue of the definition.
var mapKeyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[zText](), reflect.TypeFor[int](), reflect.TypeFor[zUint](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[zColor](), reflect.TypeFor[zUUID](),
	reflect.TypeFor[zWriteOnly](), reflect.TypeFor[json.Number](),
}

func isNull(av AV) bool { return av == nil || WireOf(av) == WireNULL }

// typeName returns the name of an attribute's type.
func typeName(av AV) string { return WireOf(av).String() }
