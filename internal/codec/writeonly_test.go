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

// A type that encodes itself must decode the result, by a method or by its kind. The SDK's decoder
// fails for exactly those types that are an issue.
func TestWriteOnlyTypesAreIssues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value any
		issue bool
	}{
		"an integer": {struct{ V zTextInt }{7}, true},
		"an integer with the option string": {struct {
			V zTextInt `dynamodbav:",string"`
		}{7}, false},
		"a pointer":                       {struct{ V *zTextInt }{new(zTextInt)}, true},
		"a list":                          {struct{ V zTextList }{zTextList{"a"}}, true},
		"a struct":                        {struct{ V zTextBody }{}, true},
		"a pointer receiver":              {struct{ V zPtrBody }{}, true},
		"a pointer receiver, not called":  {struct{ V map[string]zPtrBody }{map[string]zPtrBody{"a": {}}}, false},
		"elements":                        {struct{ V []zTextBody }{make([]zTextBody, 1)}, true},
		"elements of a map of lists":      {struct{ V map[string][]zTextInt }{map[string][]zTextInt{"a": {7}}}, true},
		"binary":                          {struct{ V zBinaryInt }{}, true},
		"binary, bytes":                   {struct{ V zBinaryRaw }{zBinaryRaw{1}}, false},
		"a text":                          {struct{ V zWriteOnly }{"a"}, false},
		"keys of a map":                   {struct{ V map[zTextKey]int }{map[zTextKey]int{1: 1}}, true},
		"keys of a map, texts":            {struct{ V map[zWriteOnly]int }{map[zWriteOnly]int{"a": 1}}, false},
		"decodes an attribute value":      {struct{ V zAttribute }{}, false},
		"decodes a text":                  {struct{ V zDecodesText }{}, false},
		"an unnamed struct":               {struct{ V struct{ time.Time } }{}, true},
		"a named struct with its methods": {struct{ V ZStamp }{}, false},
		"both methods":                    {struct{ V zColor }{"red"}, false},
		"nested":                          {struct{ V struct{ W zTextInt } }{}, true},
	} {
		typ := reflect.TypeOf(c.value)
		_, issues := Compile(typ)
		require.Equal(t, c.issue, len(issues) == 1, "%s: %v", name, issues)

		value := reflect.New(typ)
		value.Elem().Set(reflect.ValueOf(c.value))
		item, err := oracleEncode(value.Interface())
		require.NoError(t, err, name)
		err = oracleDecode(item, reflect.New(typ).Interface())
		require.Equal(t, c.issue, err != nil, "%s: %v", name, err)
	}
}
