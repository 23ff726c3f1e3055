package codec

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// zKeys has a field of every type that can be part of a key.
type zKeys struct {
	Text    string
	Named   zText
	Color   zColor
	UUID    zUUID
	Point   zPoint
	Ptr     *string
	PtrPtr  **zColor
	Int     int
	Int8    int8
	Uint16  zUint
	Uint64  *uint64
	F32     float32
	F64     float64
	Time    time.Time
	Own     zTimes
	Unix    attributevalue.UnixTime
	PtrTime *time.Time
	Bool    bool
	Bytes   []byte
	Blob    zBlob
	Array   [3]byte
	Custom  zPtrMarshaler
	Val     zValMarshaler
}

func TestKeyKinds(t *testing.T) {
	t.Parallel()
	s, issues := Compile(reflect.TypeFor[zKeys]())
	require.Empty(t, issues)
	text, integer, uinteger, float := keys.KindText, keys.KindInt, keys.KindUint, keys.KindFloat
	want := []keys.Kind{
		text, text, text, text, text, text, text, integer, integer, uinteger, uinteger, float, float,
		keys.KindTime, keys.KindTime, keys.KindTime, keys.KindTime, keys.KindBool, keys.KindBytes, keys.KindBytes, keys.KindBytes, integer, text,
	}
	for i, f := range s.Fields() {
		kind, ok := f.KeyKind()
		require.True(t, ok, f.Name)
		require.Equal(t, want[i], kind, f.Name)
		require.True(t, f.CanSetKey(), f.Name)
	}

	type Not struct {
		List   []string
		Map    map[string]string
		Any    any
		Struct ZTagged
		Number attributevalue.Number
		Own    zKept
		Binary zBinary
	}
	s, issues = Compile(reflect.TypeFor[Not]())
	require.Empty(t, issues)
	for _, f := range s.Fields() {
		_, ok := f.KeyKind()
		require.False(t, ok, f.Name)
		require.False(t, f.CanSetKey())
		_, err := f.Key(PtrTo(&Not{List: []string{"x"}}))
		require.Error(t, err)
		require.Error(t, f.SetKey(keys.Int(1), PtrTo(&Not{})))
		require.Error(t, f.StoreKey(nativeTemplate(t, "<x>", keys.KindText, keys.S)))
	}

	s, _ = Compile(reflect.TypeFor[struct{ W zWriteOnly }]())
	kind, ok := s.ByName("W").KeyKind()
	require.True(t, ok)
	require.Equal(t, keys.KindText, kind)
	require.False(t, s.ByName("W").CanSetKey())
	require.Error(t, s.ByName("W").SetKey(keys.Text("wx"), PtrTo(&struct{ W zWriteOnly }{})))
}

// TestKeyRoundTrip checks with random values that SetKey restores the result of Key.
func TestKeyRoundTrip(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	s, _ := Compile(reflect.TypeFor[zKeys]())
	g := newGen(seed)
	g.unix = true
	present := map[string]int{}
	for range testsize.Pick(1_000, 5_000, 100_000) {
		var in, out zKeys
		g.fill(reflect.ValueOf(&in).Elem(), 4)
		for _, f := range s.Fields() {
			v, err := f.Key(PtrTo(&in))
			require.NoError(t, err)
			at, _ := f.find(PtrTo(&in))
			operand, err := f.KeyOperand(at.pointer(f.Node.Type), false)
			require.NoError(t, err)
			require.True(t, v.Equal(operand))
			require.NoError(t, f.SetKey(v, PtrTo(&out)))
			again, err := f.Key(PtrTo(&out))
			require.NoError(t, err)
			require.True(t, v.Equal(again), f.Name)
			if !v.IsAbsent() {
				present[f.Name]++
			}
		}
	}
	for _, f := range s.Fields() {
		require.Greater(t, present[f.Name], 100, f.Name)
	}
}

func TestAbsentKeys(t *testing.T) {
	t.Parallel()
	type T struct {
		Int   int  `dynamodbav:",omitempty"`
		Bool  bool `dynamodbav:",omitempty"`
		Ptr   *int `dynamodbav:",omitempty"`
		Plain int
		False bool
		Empty string
		Bytes []byte
		At    time.Time
		PAt   *time.Time
		Color zEmptyText
	}
	s, issues := Compile(reflect.TypeFor[T]())
	require.Empty(t, issues)
	zero := 0
	v := T{Ptr: &zero, Bytes: []byte{}, PAt: &time.Time{}, Color: "x"}
	for _, f := range s.Fields() {
		key, err := f.Key(PtrTo(&v))
		require.NoError(t, err)
		value := f.Name == "Plain" || f.Name == "False" || f.Name == "Ptr"
		require.Equal(t, !value, key.IsAbsent(), f.Name)
	}
}

// zEmptyText has an empty text for every value.
type zEmptyText string

func (zEmptyText) MarshalText() ([]byte, error)    { return nil, nil }
func (z *zEmptyText) UnmarshalText(b []byte) error { *z = zEmptyText(b); return nil }

func TestSetKeyChecksRange(t *testing.T) {
	t.Parallel()
	s, _ := Compile(reflect.TypeFor[zKeys]())
	var v zKeys
	for _, c := range []struct {
		name string
		v    keys.Value
		ok   bool
	}{
		{"Int8", keys.Int(127), true}, {"Int8", keys.Int(128), false}, {"Int8", keys.Int(-128), true}, {"Int8", keys.Int(-129), false},
		{"Int8", keys.Uint(5), true}, {"Int", keys.Uint(math.MaxUint64), false}, {"Int", keys.Text("1"), false},
		{"Uint16", keys.Int(65535), true}, {"Uint16", keys.Int(65536), false}, {"Uint16", keys.Int(-1), false},
		{"Uint64", keys.Uint(math.MaxUint64), true},
		{"F32", keys.Float(1.5), true}, {"F32", keys.Float(1e39), false}, {"F64", keys.Float(1e39), true}, {"F64", keys.Int(1), false},
		{"Array", keys.Bytes([]byte("abc")), true}, {"Array", keys.Bytes([]byte("ab")), false},
		{"Color", keys.Text("color-x"), true}, {"Color", keys.Text("x"), false}, {"Text", keys.Bool(true), false},
		{"Time", keys.Text("x"), false}, {"Bool", keys.Int(1), false},
	} {
		err := s.ByName(c.name).SetKey(c.v, PtrTo(&v))
		if c.ok {
			require.NoError(t, err, c.name)
			continue
		}
		var fe *FieldError
		require.ErrorAs(t, err, &fe, c.name)
		require.Equal(t, c.name, fe.Field)
	}
	require.NoError(t, s.ByName("Uint64").SetKey(keys.Value{}, PtrTo(&v)))
	require.Nil(t, v.Uint64)
}

// nativeTemplate returns a template of one placeholder.
func nativeTemplate(t *testing.T, text string, kind keys.Kind, as keys.AttrType) *keys.Template {
	t.Helper()
	template, err := keys.Compile(text, keys.Options{Type: as, Kind: func(string) (keys.Kind, bool) { return kind, true }})
	require.NoError(t, err)
	return template
}

func TestStoreKey(t *testing.T) {
	t.Parallel()
	type T struct {
		At  time.Time
		N   *int
		Raw []byte
	}
	s, _ := Compile(reflect.TypeFor[T]())
	require.NoError(t, s.ByName("At").StoreKey(nativeTemplate(t, "<at:day>", keys.KindTime, keys.S)))
	require.NoError(t, s.ByName("N").StoreKey(nativeTemplate(t, "<n>", keys.KindInt, keys.N)))
	require.NoError(t, s.ByName("Raw").StoreKey(nativeTemplate(t, "<raw>", keys.KindBytes, keys.B)))
	require.Equal(t, []Wire{WireS, WireN, WireB}, []Wire{s.ByName("At").Wire(), s.ByName("N").Wire(), s.ByName("Raw").Wire()})

	n := 7
	v := T{At: time.Date(2026, 8, 1, 13, 0, 0, 0, time.UTC), N: &n, Raw: []byte("a b")}
	item := Item{}
	require.NoError(t, s.Encode(PtrTo(&v), item))
	require.Equal(t, text("2026-08-01"), item["At"])
	require.Equal(t, number("7"), item["N"])
	var back T
	require.NoError(t, s.Decode(item, PtrTo(&back), nil))
	require.Equal(t, T{At: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), N: &n, Raw: []byte("a b")}, back)

	item = Item{}
	require.NoError(t, s.Encode(PtrTo(&T{}), item))
	require.Empty(t, item, "an absent value is left out")

	for name, av := range map[string]AV{"At": text("2026-13-01"), "N": text("7"), "Raw": text("a b")} {
		var fe *FieldError
		require.ErrorAs(t, s.Decode(Item{name: av}, PtrTo(&T{}), nil), &fe)
		require.Equal(t, name, fe.Field)
	}
	var none T
	require.NoError(t, s.Decode(Item{"At": null()}, PtrTo(&none), nil))
	require.True(t, none.At.IsZero())
	require.ErrorIs(t, s.Encode(PtrTo(&T{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}), Item{}), keys.ErrOutOfRange)
}

// TestZeroOfIDsIsAbsent checks that an unset ID is absent in a key, whatever its Go type.
func TestZeroOfIDsIsAbsent(t *testing.T) {
	t.Parallel()
	s, issues := Compile(reflect.TypeFor[zKeys]())
	require.Empty(t, issues)
	var v zKeys
	for _, name := range []string{"Text", "Named", "Color", "UUID", "Point", "Ptr", "PtrPtr", "Time", "Own", "PtrTime", "Bytes", "Blob", "Array"} {
		k, err := s.ByName(name).Key(PtrTo(&v))
		require.NoError(t, err, name)
		require.True(t, k.IsAbsent(), name)
		require.False(t, s.ByName(name).ZeroInKey(), name)
	}
	for _, name := range []string{"Int", "Int8", "Uint16", "F32", "F64", "Bool"} {
		k, err := s.ByName(name).Key(PtrTo(&v))
		require.NoError(t, err, name)
		require.False(t, k.IsAbsent(), name)
		require.True(t, s.ByName(name).ZeroInKey(), name)
	}
	var zero zUUID
	k, err := s.ByName("UUID").KeyOperand(&zero, false)
	require.NoError(t, err)
	require.True(t, k.IsAbsent(), "an operand is absent as a field is")
	behind := struct{ P *zUUID }{&zero}
	s, _ = Compile(reflect.TypeOf(behind))
	k, err = s.ByName("P").Key(PtrTo(&behind))
	require.NoError(t, err)
	require.True(t, k.IsAbsent(), "behind a pointer too, as the empty string is")
}
