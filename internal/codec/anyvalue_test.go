package codec

import (
	"encoding"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// A value in an interface is decoded to a Go value that is encoded as the same attribute. The SDK
// loses the digits of numbers and makes lists of sets.
func TestInterfacesLoseNothing(t *testing.T) {
	t.Parallel()
	type T struct {
		Any     any `dynamodbav:",omitempty"`
		Text    any `dynamodbav:",string,omitempty"`
		Texts   any `dynamodbav:",stringset,omitempty"`
		Numbers any `dynamodbav:",numberset,omitempty"`
		Map     map[string]any
		List    []any
	}
	texts, numbers := &types.AttributeValueMemberSS{Value: []string{"b", "a"}}, &types.AttributeValueMemberNS{Value: []string{"1", "2"}}
	long := "0.12345678901234567890123456789012345678"
	for name, c := range map[string]struct {
		item Item
		want T
	}{
		"a number":             {Item{"Any": number("-1.5")}, T{Any: -1.5}},
		"15 digits":            {Item{"Any": number("123456789012345")}, T{Any: 123456789012345.0}},
		"more exact digits":    {Item{"Any": number("9007199254740992")}, T{Any: 9007199254740992.0}},
		"19 digits":            {Item{"Any": number("9007199254740993")}, T{Any: attributevalue.Number("9007199254740993")}},
		"38 digits":            {Item{"Any": number(long)}, T{Any: attributevalue.Number(long)}},
		"a great number":       {Item{"Any": number("1E+100")}, T{Any: 1e100}},
		"texts":                {Item{"Any": texts}, T{Any: texts}},
		"numbers":              {Item{"Any": numbers}, T{Any: numbers}},
		"binaries":             {Item{"Any": &types.AttributeValueMemberBS{Value: [][]byte{{1}}}}, T{Any: [][]byte{{1}}}},
		"texts with option":    {Item{"Texts": texts}, T{Texts: texts.Value}},
		"numbers with option":  {Item{"Numbers": numbers}, T{Numbers: []float64{1, 2}}},
		"long ones":            {Item{"Numbers": &types.AttributeValueMemberNS{Value: []string{"1", long}}}, T{Numbers: []attributevalue.Number{"1", attributevalue.Number(long)}}},
		"a number as text":     {Item{"Text": text("1.5")}, T{Text: 1.5}},
		"another spelling":     {Item{"Text": text("01.50")}, T{Text: attributevalue.Number("01.50")}},
		"a text":               {Item{"Text": text("abc")}, T{Text: "abc"}},
		"a number, not a text": {Item{"Text": number("7")}, T{Text: number("7")}},
		"within": {
			Item{"Map": &types.AttributeValueMemberM{Value: Item{"l": &types.AttributeValueMemberL{Value: []AV{texts, number(long), null()}}}}},
			T{Map: map[string]any{"l": []any{texts, attributevalue.Number(long), nil}}},
		},
		"in a list": {Item{"List": &types.AttributeValueMemberL{Value: []AV{numbers}}}, T{List: []any{numbers}}},
	} {
		got, err := decodeOf[T](t, c.item)
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
		item, err := encodeOf(t, got)
		require.NoError(t, err, name)
		for attribute, av := range c.item {
			require.Equal(t, WireOf(av), WireOf(item[attribute]), name)
			if n, ok := av.(*types.AttributeValueMemberN); !ok || n.Value != "1E+100" { // another spelling
				require.Equal(t, av, item[attribute], name)
			}
		}
	}
}

// zPart has the text form of the address that it embeds; zWhole has its own.
type (
	zPart struct {
		netip.Addr
		Port int
	}
	zPartHidden struct {
		netip.Addr `dynamodbav:"-"`
		Port       int
	}
	zPartPtr struct {
		*big.Int
		Unit string
	}
	zPartReader struct {
		*zReader
		Unit string
	}
	zReader struct{ n int }
	zAlone  struct{ netip.Addr }
	zWhole  struct {
		netip.Addr
		Port uint16
	}
	zOpaque  struct{ n int }
	ZMessage interface{ Send() }
)

// Structs that embed a pointer or an interface with methods.
type (
	zPtrAddr    struct{ *netip.Addr }
	zPtrInside  struct{ zPtrAddr }
	zPtrURL     struct{ *url.URL }
	zPtrInt     struct{ *big.Int } // its MarshalText accepts nil
	zEmbedsText struct{ ZText }
	ZText       interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
	zPtrZero struct{ *ZZero }
	ZZero    struct{ n int }
	// zOwnPtr has a text form of its own, and the promoted binary form is not used.
	zOwnPtr struct{ *url.URL }
	// zOwnPanic panics on the texts that it does not read, also if the pointer is set.
	zOwnPanic struct{ *netip.Addr }
)

func (z *ZZero) IsZero() bool                 { return z.n == 0 }
func (zPtrZero) MarshalText() ([]byte, error) { return []byte("z"), nil }
func (zPtrZero) UnmarshalText([]byte) error   { return nil }

func (z zOwnPtr) MarshalText() ([]byte, error) {
	if z.URL == nil {
		return nil, nil
	}
	return []byte(z.String()), nil
}

func (z *zOwnPtr) UnmarshalText(b []byte) (err error) {
	if len(b) > 0 {
		z.URL, err = url.Parse(string(b))
	}
	return err
}

func (z zOwnPanic) MarshalText() ([]byte, error) { return []byte("x"), nil }
func (z *zOwnPanic) UnmarshalText(b []byte) error {
	if string(b) != "x" {
		panic("not x")
	}
	return nil
}

// Fields that are not exported are never stored: they are the place for a lock or a cache.
type (
	zLocked struct {
		sync.Mutex
		N int
	}
	zMarked struct {
		zOpaque
		N int
	}
	zCached struct {
		netip.Addr
		text string
	}
)

// Texts of few values, and structs that embed them. The samples have a currency and no ZStrict.
type (
	zPriced struct {
		ZCurrency
		Cents int
	}
	zMoney struct {
		ZCurrency
		Cents int
	}
	zStrictMoney struct {
		ZStrict
		Cents int
	}
	zStrictPriced struct {
		ZStrict
		Cents int
	}
	zStrictDeep struct {
		zStrictAlone
		Cents int
	}
	zStrictAlone     struct{ ZStrict }
	zStrictOf[T any] struct {
		ZStrict
		More T
	}
	ZCurrency string
	ZStrict   string
	zP        *zP
	zSelf     struct {
		netip.Addr
		X zP
	}
)

var errText = errors.New("not a text of the type")

func (z ZCurrency) MarshalText() ([]byte, error) {
	if len(z) != 3 {
		return nil, errText
	}
	return []byte(z), nil
}

func (z *ZCurrency) UnmarshalText(b []byte) error {
	if len(b) != 3 {
		return errText
	}
	*z = ZCurrency(b)
	return nil
}

func (z ZStrict) MarshalText() ([]byte, error) {
	if !strings.HasPrefix(string(z), "x-") {
		return nil, errText
	}
	return []byte(z), nil
}

func (z *ZStrict) UnmarshalText(b []byte) error {
	*z = ZStrict(b)
	_, err := z.MarshalText()
	return err
}

// Other forms of few values, and structs that embed them.
type (
	zStrictBytes struct {
		ZBytes
		Cents int
	}
	zStrictAttribute struct {
		ZAttribute
		Cents int
	}
	zStrictReader struct {
		ZStrictReader
		Cents int
	}
	ZBytes        string
	ZAttribute    string
	ZStrictReader struct{ Of ZStrict }
)

func (z ZBytes) MarshalBinary() ([]byte, error)  { return ZStrict(z).MarshalText() }
func (z *ZBytes) UnmarshalBinary(b []byte) error { return (*ZStrict)(z).UnmarshalText(b) }
func (z ZAttribute) MarshalDynamoDBAttributeValue() (AV, error) {
	b, err := ZStrict(z).MarshalText()
	return text(string(b)), err
}

func (z *ZAttribute) UnmarshalDynamoDBAttributeValue(av AV) error {
	s, _ := av.(*types.AttributeValueMemberS)
	if s == nil {
		return errText
	}
	return (*ZStrict)(z).UnmarshalText([]byte(s.Value))
}

func (z *ZStrictReader) UnmarshalDynamoDBAttributeValue(av AV) error {
	m, _ := av.(*types.AttributeValueMemberM)
	if m == nil {
		return errText
	}
	return (*ZAttribute)(&z.Of).UnmarshalDynamoDBAttributeValue(m.Value["Of"])
}

func (z zMoney) MarshalText() ([]byte, error)  { return withCents(z.ZCurrency, z.Cents) }
func (z *zMoney) UnmarshalText(b []byte) error { return readCents(b, &z.ZCurrency, &z.Cents) }

func (z zStrictMoney) MarshalText() ([]byte, error)  { return withCents(z.ZStrict, z.Cents) }
func (z *zStrictMoney) UnmarshalText(b []byte) error { return readCents(b, &z.ZStrict, &z.Cents) }

func withCents(of encoding.TextMarshaler, cents int) ([]byte, error) {
	text, err := of.MarshalText()
	return fmt.Appendf(text, " %d", cents), err
}

func readCents(b []byte, of encoding.TextUnmarshaler, cents *int) error {
	text, n, _ := strings.Cut(string(b), " ")
	if err := of.UnmarshalText([]byte(text)); err != nil {
		return err
	}
	_, err := fmt.Sscan(n, cents)
	return err
}

func (z *zReader) UnmarshalDynamoDBAttributeValue(AV) error { z.n++; return nil }

// The text of zWhole is empty if its address is.
func (z zWhole) MarshalText() ([]byte, error) {
	return netip.AddrPortFrom(z.Addr, z.Port).MarshalText()
}
func (z *zWhole) UnmarshalText(b []byte) error {
	var both netip.AddrPort
	err := both.UnmarshalText(b)
	z.Addr, z.Port = both.Addr(), both.Port()
	return err
}

// A type whose values would lose a part, or whose methods are called on nil, is an issue, also as
// an element. It is an error as a value in an interface if that part would not be stored.
func TestTypesThatLoseValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value      any // of the type
		issue, any bool
	}{
		"a func":                             {func() {}, true, true},
		"a channel":                          {make(chan int), true, true},
		"a complex number":                   {1i, true, true},
		"uintptr":                            {uintptr(1), true, true},
		"only unexported fields":             {zOpaque{1}, true, true},
		"no field":                           {struct{}{}, false, false},
		"the text form of an embedded type":  {zPart{netip.MustParseAddr("192.0.2.1"), 80}, true, true},
		"that of an embedded type without -": {zPartHidden{netip.MustParseAddr("192.0.2.1"), 80}, true, true},
		"that of an embedded pointer":        {zPartPtr{big.NewInt(1), "kg"}, true, true},
		"the reader of an embedded type":     {struct{ V zPartReader }{}, true, false},
		"nothing but the embedded type":      {zAlone{netip.MustParseAddr("192.0.2.1")}, false, false},
		"a text form of its own":             {zWhole{netip.MustParseAddr("192.0.2.1"), 80}, false, false},
		"an embedded pointer":                {zPtrAddr{}, true, true},
		"one in an embedded struct":          {zPtrInside{}, true, true},
		"one with another form":              {zPtrURL{}, true, true},
		"an embedded pointer to a time":      {zLater{}, true, true},
		"an embedded interface":              {zEmbedsText{}, true, true},
		"only its reader panics":             {zPtrInt{big.NewInt(1)}, true, false},
		"only its IsZero panics":             {zPtrZero{}, true, false},
		"methods of its own for a pointer":   {zOwnPtr{}, false, false},
		"its own methods panic":              {zOwnPanic{}, false, false},
		"a promoted text of few values":      {zPriced{"EUR", 1}, true, true},
		"its own text of few values":         {zMoney{"EUR", 1}, false, false},
		"its own text of unknown values":     {zStrictMoney{"x-y", 1}, false, false},
		"a promoted text of unknown values": {struct {
			ZStrict
			Cents int
		}{"x-y", 1}, true, true},
		"a promoted text of unknown values, of a named type":   {zStrictPriced{"x-y", 1}, true, true},
		"a promoted text of unknown values, of a generic type": {zStrictOf[int]{"x-y", 1}, true, true},
		"a promoted binary form of unknown values":             {zStrictBytes{ZBytes("x-y"), 1}, true, true},
		"a promoted attribute of unknown values":               {zStrictAttribute{ZAttribute("x-y"), 1}, true, true},
		"a promoted reader of unknown values":                  {zStrictReader{ZStrictReader{"x-y"}, 1}, true, false},
		"one that is promoted twice":                           {zStrictDeep{zStrictAlone{"x-y"}, 1}, true, true},
		"an embedded lock":                                     {zLocked{N: 1}, false, false},
		"an embedded struct of unexported fields":              {zMarked{zOpaque{1}, 1}, false, false},
		"an unexported field beside a promoted text":           {zCached{netip.MustParseAddr("192.0.2.1"), "x"}, false, false},
		"a pointer to itself":                                  {zSelf{Addr: netip.MustParseAddr("192.0.2.1")}, true, true},
		"an address without a name": {struct {
			Name string
			netip.Addr
		}{}, true, false}, // its text form is promoted, see below
		"a struct of a func":   {struct{ F func() }{}, true, true},
		"a number in a struct": {struct{ N int }{}, false, false},
	} {
		typ := reflect.TypeOf(c.value)
		for _, typ := range []reflect.Type{typ, reflect.PointerTo(typ), reflect.SliceOf(typ), reflect.MapOf(reflect.TypeFor[string](), typ)} {
			_, issues := Compile(reflect.StructOf([]reflect.StructField{{Name: "F", Type: typ}}))
			require.Equal(t, c.issue, len(issues) > 0, "%s: %v", name, typ)
			for _, issue := range issues {
				require.NotEmpty(t, issue.Hint, name)
			}
		}
		if name == "an address without a name" {
			continue
		}
		_, err := EncodeAny(c.value)
		require.Equal(t, c.any, err != nil, "%s: %v", name, err)
		_, err = EncodeAny(map[string]any{"k": []any{c.value}})
		require.Equal(t, c.any, err != nil, "%s: %v", name, err)
	}
	type Sends struct{ M ZMessage }
	_, issues := Compile(reflect.TypeFor[Sends]())
	require.Len(t, issues, 1)
	_, issues = Compile(reflect.TypeFor[struct{ E []map[string]*error }]())
	require.Len(t, issues, 1)
	_, issues = Compile(reflect.TypeFor[struct {
		Name string
		netip.Addr
	}]())
	require.Len(t, issues, 1, "the entity itself has no form, but its address would not be stored")
}

// Methods with a pointer receiver encode values in maps and in interfaces, and keys, too. The SDK
// does not call them there, and loses the values of big.Int.
func TestPointerReceivers(t *testing.T) {
	t.Parallel()
	type T struct {
		Map  map[string]big.Int
		Own  map[string]zPtrMarshaler
		Keys map[zPtrText]int
		Any  any
	}
	v := T{
		Map: map[string]big.Int{"k": *big.NewInt(7)}, Own: map[string]zPtrMarshaler{"k": 7}, Keys: map[zPtrText]int{7: 1}, Any: *big.NewInt(7),
	}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	m := func(name string, av AV) AV { return &types.AttributeValueMemberM{Value: Item{name: av}} }
	require.Equal(t, Item{"Map": m("k", text("7")), "Own": m("k", number("1007")), "Keys": m("t7", number("1")), "Any": text("7")}, item)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	v.Any = "7"
	require.Equal(t, v, back)

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.Equal(t, m("k", &types.AttributeValueMemberM{Value: Item{}}), theirs["Map"])
	var lost T
	require.NoError(t, oracleDecode(Item{"Own": theirs["Own"]}, &lost))
	require.NotEqual(t, v.Own, lost.Own)
}
