package codec

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// The types below have no method that decodes.
type (
	zTextInt     int
	zTextList    []string
	zTextBody    struct{ N int }
	zPtrBody     struct{ N int }
	zBinaryInt   int
	zBinaryRaw   []byte
	zTextKey     int
	zAttribute   struct{ N int }
	zDecodesText struct{ N int }
)

func (zTextInt) MarshalText() ([]byte, error)                                  { return []byte("7"), nil }
func (zTextList) MarshalText() ([]byte, error)                                 { return []byte("a,b"), nil }
func (zTextBody) MarshalText() ([]byte, error)                                 { return []byte("body"), nil }
func (*zPtrBody) MarshalText() ([]byte, error)                                 { return []byte("body"), nil }
func (zBinaryInt) MarshalBinary() ([]byte, error)                              { return []byte{7}, nil }
func (zBinaryRaw) MarshalBinary() ([]byte, error)                              { return []byte{7}, nil }
func (zTextKey) MarshalText() ([]byte, error)                                  { return []byte("key"), nil }
func (zAttribute) MarshalText() ([]byte, error)                                { return []byte("text"), nil }
func (*zDecodesText) UnmarshalText(_ []byte) error                             { return nil }
func (*zAttribute) UnmarshalDynamoDBAttributeValue(types.AttributeValue) error { return nil }

// A type that encodes itself by a method must decode the result by the opposite one. The SDK
// accepts the types that are an issue, and then fails to decode them, or decodes another value.
func TestWriteOnlyTypesAreIssues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value any
		issue bool
		keeps bool // the SDK decodes this value, by chance or because it does not call the method
	}{
		"an integer": {struct{ V zTextInt }{7}, true, false},
		"an integer with the option string": {struct {
			V zTextInt `dynamodbav:",string"`
		}{7}, true, true},
		"a pointer":                       {struct{ V *zTextInt }{new(zTextInt)}, true, false},
		"a list":                          {struct{ V zTextList }{zTextList{"a"}}, true, false},
		"a struct":                        {struct{ V zTextBody }{}, true, false},
		"a pointer receiver":              {struct{ V zPtrBody }{}, true, false},
		"a pointer receiver in a map":     {struct{ V map[string]zPtrBody }{map[string]zPtrBody{"a": {}}}, true, true},
		"elements":                        {struct{ V []zTextBody }{make([]zTextBody, 1)}, true, false},
		"elements of a map of lists":      {struct{ V map[string][]zTextInt }{map[string][]zTextInt{"a": {7}}}, true, false},
		"binary":                          {struct{ V zBinaryInt }{}, true, false},
		"binary, bytes":                   {struct{ V zBinaryRaw }{zBinaryRaw{1}}, true, false},
		"a text":                          {struct{ V zWriteOnly }{"a"}, true, false},
		"keys of a map":                   {struct{ V map[zTextKey]int }{map[zTextKey]int{1: 1}}, true, false},
		"keys of a map, texts":            {struct{ V map[zWriteOnly]int }{map[zWriteOnly]int{"a": 1}}, true, false},
		"decodes an attribute value":      {struct{ V zAttribute }{}, false, true},
		"decodes a text":                  {struct{ V zDecodesText }{}, false, true},
		"an unnamed struct":               {struct{ V struct{ time.Time } }{}, true, false},
		"a named struct with its methods": {struct{ V ZStamp }{}, false, true},
		"both methods":                    {struct{ V zColor }{"red"}, false, true},
		"nested":                          {struct{ V struct{ W zTextInt } }{}, true, false},
	} {
		typ := reflect.TypeOf(c.value)
		_, issues := Compile(typ)
		require.Equal(t, c.issue, len(issues) == 1, "%s: %v", name, issues)

		value := reflect.New(typ)
		value.Elem().Set(reflect.ValueOf(c.value))
		item, err := oracleEncode(value.Interface())
		require.NoError(t, err, name)
		back := reflect.New(typ)
		err = oracleDecode(item, back.Interface())
		require.Equal(t, c.keeps, err == nil && reflect.DeepEqual(value.Interface(), back.Interface()), "%s: %v", name, err)
	}
}
