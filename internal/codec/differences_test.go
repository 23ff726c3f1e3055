package codec

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// encodeOf encodes a struct with its own plan.
func encodeOf[T any](t *testing.T, v T) (Item, error) {
	t.Helper()
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	item := Item{}
	return item, s.Encode(PtrTo(&v), item)
}

func decodeOf[T any](t *testing.T, item Item) (T, error) {
	t.Helper()
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	var v T
	err := s.Decode(item, PtrTo(&v), nil)
	return v, err
}

func text(s string) AV   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) AV { return &types.AttributeValueMemberN{Value: s} }

// Each test below covers a documented difference from attributevalue. Where possible, it also shows
// attributevalue's result.

func TestNamesMatchExactly(t *testing.T) {
	t.Parallel()
	type T struct {
		Name string `dynamodbav:"name"`
	}
	item := Item{"NAME": text("x")}
	got, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Empty(t, got.Name)

	var theirs T
	require.NoError(t, oracleDecode(item, &theirs))
	require.Equal(t, "x", theirs.Name)
}

func TestZeroTimeIsOmitted(t *testing.T) {
	t.Parallel()
	type T struct {
		At    time.Time               `dynamodbav:"at,omitempty"`
		Unix  time.Time               `dynamodbav:"unix,omitempty,unixtime"`
		Ptr   *time.Time              `dynamodbav:"ptr,omitempty"`
		Own   zTimes                  `dynamodbav:"own,omitempty"`
		UT    attributevalue.UnixTime `dynamodbav:"ut,omitempty"`
		Elems []time.Time             `dynamodbav:"elems,omitemptyelem"`
		Kept  time.Time               `dynamodbav:"kept"`
	}
	zero := time.Time{}
	v := T{Ptr: &zero, Elems: []time.Time{zero}}
	got, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, Item{
		"kept":  text("0001-01-01T00:00:00Z"),
		"ptr":   text("0001-01-01T00:00:00Z"), // the pointer is not nil
		"elems": &types.AttributeValueMemberL{Value: []AV{}},
	}, got)

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.Contains(t, theirs, "at")
}

func TestUnixTime(t *testing.T) {
	t.Parallel()
	type T struct {
		At  time.Time  `dynamodbav:"at,unixtime"`
		Ptr *time.Time `dynamodbav:"ptr,unixtime"`
		Any any        `dynamodbav:"any,unixtime"`
	}
	at := time.Unix(1_700_000_000, 5).UTC()
	v := T{At: at, Ptr: &at, Any: at}
	got, err := encodeOf(t, v)
	require.NoError(t, err)
	want := number("1700000000")
	require.Equal(t, Item{"at": want, "ptr": want, "any": want}, got)
	back, err := decodeOf[T](t, got)
	require.NoError(t, err)
	require.True(t, back.At.Equal(at.Truncate(time.Second)))
	require.True(t, back.Ptr.Equal(at.Truncate(time.Second)))

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.IsType(t, text(""), theirs["at"])
}

func TestTimesAreStoredInUTC(t *testing.T) {
	t.Parallel()
	type T struct {
		At   time.Time
		Own  zTimes
		Ptr  *time.Time
		List []time.Time
		Set  []time.Time `dynamodbav:",stringset"`
		Map  map[string]time.Time
		Keys map[time.Time]int
		Any  any
		Emb  ZStamp
	}
	utc := time.Date(2026, 8, 1, 11, 0, 0, 5, time.UTC)
	at := utc.In(time.FixedZone("", 3600))
	v := T{
		At: at, Own: zTimes(at), Ptr: &at, List: []time.Time{at}, Set: []time.Time{at},
		Map: map[string]time.Time{"k": at}, Keys: map[time.Time]int{at: 1}, Any: at, Emb: ZStamp{at},
	}
	got, err := encodeOf(t, v)
	require.NoError(t, err)
	want := text("2026-08-01T11:00:00.000000005Z")
	require.Equal(t, Item{
		"At": want, "Own": want, "Ptr": want, "List": &types.AttributeValueMemberL{Value: []AV{want}},
		"Set":  &types.AttributeValueMemberSS{Value: []string{"2026-08-01T11:00:00.000000005Z"}},
		"Map":  &types.AttributeValueMemberM{Value: Item{"k": want}},
		"Keys": &types.AttributeValueMemberM{Value: Item{"2026-08-01T11:00:00.000000005Z": number("1")}},
		"Any":  want, "Emb": want,
	}, got)

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.Equal(t, text("2026-08-01T12:00:00.000000005+01:00"), theirs["At"])

	_, err = encodeOf(t, T{Keys: map[time.Time]int{at: 1, utc: 2}})
	require.Error(t, err, "one moment in two zones is one map key")
	_, err = encodeOf(t, T{At: time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -3600*2))})
	require.Error(t, err, "its year is 10000 in UTC")

	back, err := decodeOf[T](t, Item{"At": text("2026-08-01T12:00:00+01:00")})
	require.NoError(t, err, "another program's zone is read")
	require.True(t, back.At.Equal(utc.Truncate(time.Second)))
}

func TestInvalidNumbers(t *testing.T) {
	t.Parallel()
	type T struct {
		F   float64
		G   float32
		N   json.Number           `dynamodbav:",omitempty"`
		A   attributevalue.Number `dynamodbav:",omitempty"`
		Any any
	}
	for _, refused := range []struct {
		cause, other error
		values       []T
	}{
		{ErrNumber, ErrNotNumber, []T{
			{F: 1e126}, {F: -1e300}, {F: 1e-131}, {N: "123456789012345678901234567890123456789"}, {N: "1e126"}, {N: "1e-131"},
			{A: "1e99999"}, {A: "-1e-99999"}, {Any: 1e126}, {Any: json.Number("1E126")},
		}},
		{ErrNotNumber, ErrNumber, []T{
			{F: math.NaN()}, {F: math.Inf(1)}, {F: math.Inf(-1)}, {G: float32(math.NaN())}, {N: "NaN"}, {N: "Infinity"}, {N: "1.5x"}, {N: "."},
			{N: "e5"}, {N: "1e"}, {N: "xe99999"}, {N: "1e9999x"}, {A: "--1"}, {A: "0x10"}, {Any: math.NaN()}, {Any: []any{json.Number("z")}},
		}},
	} {
		for _, v := range refused.values {
			_, err := encodeOf(t, v)
			require.ErrorIs(t, err, refused.cause, "%+v", v)
			require.NotErrorIs(t, err, refused.other, "%+v", v)
			_, err = oracleEncode(&v)
			require.NoError(t, err)
		}
	}
	for _, v := range []T{
		{F: 9.9e125}, {F: 1e-130}, {F: -math.MaxFloat32}, {N: "12345678901234567890123456789012345678"}, {N: "-0.00"}, {N: "+1.50E+2"}, {A: ".5"},
		{N: "9.9999999999999999999999999999999999999E+125"}, {N: "1E-130"}, {A: "000100000000000000000000000000000000000000000000000"},
	} {
		_, err := encodeOf(t, v)
		require.NoError(t, err, "%+v", v)
	}
}

// attributevalue encodes the least and the greatest float32, but fails to decode them.
func TestFloat32RoundTrip(t *testing.T) {
	t.Parallel()
	type T struct{ F float32 }
	for _, f := range []float32{math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 0.1} {
		item, err := encodeOf(t, T{f})
		require.NoError(t, err)
		back, err := decodeOf[T](t, item)
		require.NoError(t, err)
		require.Equal(t, T{f}, back)
	}
	_, err := decodeOf[T](t, Item{"F": number("3.5e38")})
	require.Error(t, err)
}

func TestAttributeValuesAreStoredUnchanged(t *testing.T) {
	t.Parallel()
	type T struct {
		Raw  types.AttributeValue
		Map  map[string]types.AttributeValue
		Nil  types.AttributeValue
		Omit types.AttributeValue `dynamodbav:",omitempty"`
		Any  any
		Only *types.AttributeValueMemberN
	}
	inner := &types.AttributeValueMemberB{Value: []byte("b")}
	v := T{
		Raw: &types.AttributeValueMemberL{Value: []AV{inner}}, Map: Item{"m": &types.AttributeValueMemberSS{Value: []string{"a"}}},
		Any: number("1"), Only: &types.AttributeValueMemberN{Value: "2"},
	}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, Item{
		"Raw": v.Raw, "Map": &types.AttributeValueMemberM{Value: v.Map}, "Any": number("1"), "Only": number("2"),
	}, item)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v.Raw, back.Raw)
	require.Equal(t, v.Map, back.Map)
	require.Nil(t, back.Nil)
	require.Equal(t, v.Only, back.Only)

	inner.Value[0] = 'x' // changes neither the item nor the decoded value
	require.Equal(t, []byte("b"), item["Raw"].(*types.AttributeValueMemberL).Value[0].(*types.AttributeValueMemberB).Value)

	_, err = decodeOf[T](t, Item{"Only": text("no number")})
	require.Error(t, err)
	require.Error(t, oracleDecode(item, &T{}))
}

func TestPointerToInterface(t *testing.T) {
	t.Parallel()
	type T struct{ P *any }
	var x any = "x"
	v := T{P: &x}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, Item{"P": text("x")}, item)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v, back)

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.Empty(t, theirs)
}

func TestSetElementsUseTheirMethods(t *testing.T) {
	t.Parallel()
	type T struct {
		Colors []zColor        `dynamodbav:",stringset"`
		IDs    []zUUID         `dynamodbav:",stringset"`
		Own    []zValMarshaler `dynamodbav:",stringset"`
		Nums   []zPtrMarshaler `dynamodbav:",numberset"`
		Bins   []zBinary       `dynamodbav:",binaryset"`
		Times  []*time.Time    `dynamodbav:",stringset"`
	}
	at := time.Unix(1, 0).UTC()
	v := T{
		Colors: []zColor{"red", "blue"}, IDs: []zUUID{{1}, {2}}, Own: []zValMarshaler{"a", "b"}, Nums: []zPtrMarshaler{4, 5},
		Bins: []zBinary{{"x"}, {"y"}}, Times: []*time.Time{&at},
	}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, []string{"color-red", "color-blue"}, item["Colors"].(*types.AttributeValueMemberSS).Value)
	require.Equal(t, []string{"1004", "1005"}, item["Nums"].(*types.AttributeValueMemberNS).Value)
	require.Equal(t, [][]byte{[]byte("bx"), []byte("by")}, item["Bins"].(*types.AttributeValueMemberBS).Value)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v, back)
	require.Error(t, oracleDecode(item, &T{}))
}

func TestNoMethodOnNilPointers(t *testing.T) {
	t.Parallel()
	type T struct {
		PP  **zColor
		Any any
	}
	var none *zColor
	v := T{PP: &none, Any: none}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Empty(t, item)
	_, err = oracleEncode(&v)
	require.ErrorIs(t, err, errOraclePanics)
}

func TestCyclesAreErrors(t *testing.T) {
	t.Parallel()
	type T struct {
		Next *T
		Any  any
		List []any
		Map  map[string]any
	}
	loop := &T{}
	loop.Next = loop
	var any1 any
	any1 = &any1
	list := make([]any, 1)
	list[0] = list
	m := map[string]any{}
	m["m"] = m
	for _, v := range []T{{Next: loop}, {Any: any1}, {List: list}, {Map: m}} {
		_, err := encodeOf(t, v)
		require.ErrorIs(t, err, ErrDepth)
		var at *FieldError
		require.ErrorAs(t, err, &at)
		require.LessOrEqual(t, len(at.Field), 100)
	}
	type P *P
	type Odd struct{ P P }
	s, issues := Compile(reflect.TypeFor[Odd]())
	require.Len(t, issues, 1, "a pointer type without an end cannot be stored")
	require.Error(t, s.Encode(PtrTo(&Odd{}), Item{}))

	deep := &T{}
	for range 30 {
		deep = &T{Next: deep}
	}
	_, err := encodeOf(t, *deep)
	require.NoError(t, err)
}

func TestMapIsNotDecodedToTime(t *testing.T) {
	t.Parallel()
	type T struct{ At time.Time }
	item := Item{"At": &types.AttributeValueMemberM{Value: Item{}}}
	_, err := decodeOf[T](t, item)
	var fe *FieldError
	require.ErrorAs(t, err, &fe)
	require.Equal(t, "At", fe.Field)
	require.Equal(t, "M", fe.Got)
	require.Equal(t, "time.Time", fe.GoType)
	require.NoError(t, oracleDecode(item, &T{}))
}

type zByte byte

func TestNoPanicOnTypesThatAttributevaluePanicsOn(t *testing.T) {
	t.Parallel()
	type Bytes struct{ B []zByte }
	item, err := encodeOf(t, Bytes{B: []zByte{1, 2}})
	require.NoError(t, err)
	require.Equal(t, Item{"B": &types.AttributeValueMemberB{Value: []byte{1, 2}}}, item)
	back, err := decodeOf[Bytes](t, item)
	require.NoError(t, err)
	require.Equal(t, []zByte{1, 2}, back.B)
	_, err = oracleEncode(&Bytes{B: []zByte{1}})
	require.ErrorIs(t, err, errOraclePanics)

	type Array struct{ A [3]byte }
	for _, b := range [][]byte{{}, {1, 2}, {1, 2, 3, 4}} {
		item := Item{"A": &types.AttributeValueMemberB{Value: b}}
		_, err = decodeOf[Array](t, item)
		require.Error(t, err)
		require.ErrorIs(t, oracleDecode(item, &Array{}), errOraclePanics)
	}

	type Sealed struct{ E error }
	s, issues := Compile(reflect.TypeFor[Sealed]())
	require.Len(t, issues, 1)
	for _, av := range allWires() {
		err = s.Decode(Item{"E": av}, PtrTo(&Sealed{}), nil)
		require.Equal(t, isNull(av), err == nil, typeName(av))
	}
	require.ErrorIs(t, oracleDecode(Item{"E": text("x")}, &Sealed{}), errOraclePanics)
}

// allWires returns an attribute of each type.
func allWires() []AV {
	return []AV{
		text("s"), number("1"), null(), &types.AttributeValueMemberB{Value: []byte("b")}, &types.AttributeValueMemberBOOL{Value: true},
		&types.AttributeValueMemberM{Value: Item{"k": text("v")}}, &types.AttributeValueMemberL{Value: []AV{text("e")}},
		&types.AttributeValueMemberSS{Value: []string{"s"}}, &types.AttributeValueMemberNS{Value: []string{"1"}},
		&types.AttributeValueMemberBS{Value: [][]byte{[]byte("b")}},
	}
}

// zTextStruct has a MarshalText that is not called on the outermost type.
type zTextStruct struct{ Name string }

func (zTextStruct) MarshalText() ([]byte, error) { return []byte("text"), nil }

func TestMethodsOfOutermostTypeAreNotCalled(t *testing.T) {
	t.Parallel()
	item, err := encodeOf(t, zTextStruct{Name: "n"})
	require.NoError(t, err)
	require.Equal(t, Item{"Name": text("n")}, item)

	_, issues := Compile(reflect.TypeFor[zNullMarshaler]())
	require.Len(t, issues, 1)
	require.Empty(t, issues[0].Field)
}

func TestStoreUnix(t *testing.T) {
	t.Parallel()
	type T struct {
		Time  time.Time
		Ptr   *time.Time
		Own   zTimes
		UT    attributevalue.UnixTime
		Int   int64
		Uint  *uint32
		Text  string
		Float float64
		Str   int `dynamodbav:",string"`
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	fit := s.Fields()[:6]
	for _, f := range fit {
		require.NoError(t, f.StoreUnix(), f.Name)
		require.Equal(t, WireN, f.Wire()&^WireNULL, f.Name)
	}
	for _, f := range s.Fields()[6:] {
		var fe *FieldError
		require.ErrorAs(t, f.StoreUnix(), &fe, f.Name)
	}
	zero, none := time.Time{}, uint32(0)
	v := T{Ptr: &zero, Uint: &none}
	for _, f := range fit {
		av, err := f.Encode(PtrTo(&v))
		require.NoError(t, err)
		require.Nil(t, av, f.Name)
	}
	at, n := time.Unix(99, 0), uint32(99)
	v = T{Time: at, Ptr: &at, Own: zTimes(at), UT: attributevalue.UnixTime(at), Int: 99, Uint: &n}
	var back T
	for _, f := range fit {
		av, err := f.Encode(PtrTo(&v))
		require.NoError(t, err)
		require.Equal(t, number("99"), av, f.Name)
		require.NoError(t, f.Decode(av, PtrTo(&back)))
	}
	require.Equal(t, v, back)
}

func TestOmitZero(t *testing.T) {
	t.Parallel()
	type T struct {
		Text  string
		At    time.Time
		Color zText
		Ptr   *int
		Bytes []byte
		Int   int
		Any   any
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	for _, f := range s.Fields() {
		f.OmitZero = true
	}
	item := Item{}
	require.NoError(t, s.Encode(PtrTo(&T{Bytes: []byte{}}), item))
	require.Equal(t, Item{"Int": number("0")}, item, "a plain 0 is a value")

	other, _ := Compile(reflect.TypeFor[T]())
	item = Item{}
	require.NoError(t, other.Encode(PtrTo(&T{}), item))
	require.Len(t, item, 4, "the flag is the caller's own Struct's")
}
