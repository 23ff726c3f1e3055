package codec

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// Two pointers are stored as one: nil is nil at either, and what they point to may be empty.
func TestTwoPointers(t *testing.T) {
	t.Parallel()
	type T struct {
		Plain **string
		Omit  **string    `dynamodbav:",omitempty"`
		Null  **int       `dynamodbav:",nullempty"`
		At    **time.Time `dynamodbav:",omitempty"`
	}
	empty, zero, at := "", 0, time.Time{}
	text1, zero1, at1 := &empty, &zero, &at
	v := T{Plain: &text1, Omit: &text1, Null: &zero1, At: &at1}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, Item{"Plain": text(""), "Omit": text(""), "Null": number("0"), "At": text("0001-01-01T00:00:00Z")}, item)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v, back)

	var none *string
	item, err = encodeOf(t, T{Plain: &none, Omit: &none})
	require.NoError(t, err)
	back, err = decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, T{}, back, "a pointer to nil is read as nil")
	for _, av := range item {
		require.True(t, isNull(av))
	}
}

// The zero value "" of a json.Number is not a number. It is stored as nil is.
func TestZeroOfNumberLiterals(t *testing.T) {
	t.Parallel()
	type T struct {
		N    json.Number
		Omit json.Number `dynamodbav:",omitempty"`
		Text json.Number `dynamodbav:",string"`
		Ptr  *json.Number
		List []json.Number
		Set  []json.Number `dynamodbav:",numberset"`
	}
	item, err := encodeOf(t, T{Ptr: new(json.Number), List: []json.Number{"", "1.50"}})
	require.NoError(t, err)
	require.Equal(t, &types.AttributeValueMemberL{Value: []AV{null(), number("1.50")}}, item["List"])
	delete(item, "List")
	require.NotContains(t, item, "Omit")
	for name, av := range item {
		require.True(t, isNull(av), name)
	}
	_, err = encodeOf(t, T{Set: []json.Number{""}})
	require.Error(t, err)
	back, err := decodeOf[T](t, Item{"N": null()})
	require.NoError(t, err)
	require.Equal(t, T{}, back)
}

// zAmount has its own form, and more values that are zero than its Go zero value.
type zAmount struct{ text string }

func (z zAmount) MarshalText() ([]byte, error) { return []byte("=" + z.text), nil }
func (z *zAmount) UnmarshalText(b []byte) error {
	z.text = string(b[1:])
	return nil
}
func (z zAmount) IsZero() bool { return z.text == "" || z.text == "0" }

// zPlainZero has an IsZero, and no form of its own.
type zPlainZero struct{ N int }

func (zPlainZero) IsZero() bool { return true }

// zIDWithZero is an array.
type zIDWithZero [2]byte

func (z zIDWithZero) MarshalText() ([]byte, error)  { return z[:], nil }
func (z *zIDWithZero) UnmarshalText(b []byte) error { copy(z[:], b); return nil }
func (z zIDWithZero) IsZero() bool                  { return z == zIDWithZero{} }

// omitempty omits a value of a type with its own form if its IsZero returns true, unless a reader
// would then get another value. A struct without a form of its own is never empty.
func TestOmitEmptyWithIsZero(t *testing.T) {
	t.Parallel()
	type T struct {
		Amount zAmount     `dynamodbav:",omitempty"`
		ID     zIDWithZero `dynamodbav:",omitempty"`
		Null   zAmount     `dynamodbav:",nullempty"`
		Kept   zAmount
		Ptr    *zAmount  `dynamodbav:",omitempty"`
		List   []zAmount `dynamodbav:",omitemptyelem"`
	}
	item, err := encodeOf(t, T{Ptr: &zAmount{}, List: []zAmount{{}, {"1"}}})
	require.NoError(t, err)
	require.Equal(t, Item{
		"Null": null(), "Kept": text("="), "Ptr": text("="), "List": &types.AttributeValueMemberL{Value: []AV{text("=1")}},
	}, item)
	item, err = encodeOf(t, T{Amount: zAmount{"0"}, ID: zIDWithZero{'a', 'b'}})
	require.NoError(t, err)
	require.Equal(t, text("=0"), item["Amount"], "a reader would get another value")
	require.Equal(t, text("ab"), item["ID"])

	_, issues := Compile(reflect.TypeFor[struct {
		P zPlainZero `dynamodbav:",omitempty"`
	}]())
	require.Len(t, issues, 1)
}

// Keys of maps that have a method String, and none that reads its text, are stored by their kind.
// The SDK stores the text of String, and fails to decode it.
func TestMapKeysWithString(t *testing.T) {
	t.Parallel()
	type T struct{ After map[time.Duration]string }
	v := T{After: map[time.Duration]string{time.Second: "a"}}
	item, err := encodeOf(t, v)
	require.NoError(t, err)
	require.Equal(t, Item{"After": &types.AttributeValueMemberM{Value: Item{"1000000000": text("a")}}}, item)
	back, err := decodeOf[T](t, item)
	require.NoError(t, err)
	require.Equal(t, v, back)

	theirs, err := oracleEncode(&v)
	require.NoError(t, err)
	require.Error(t, oracleDecode(theirs, &T{}))
}
