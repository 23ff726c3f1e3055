package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
	"github.com/trestledb/trestle/internal/testsize"
)

var seeds = []string{
	`{}`, `{`, `[]`, `nul`, `{"TableName":"abc","Key":{"pk":{"S":"a"}}}`, getRequest,
	`{"TableName":"abc","Item":{"a":{"M":{"b":{"L":[{"N":"1"},{"NULL":true},{"BS":["YQ=="]}]}}}},"Expected":{"a":{"Exists":false},"b":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"}]}},"ConditionalOperator":"OR"}`,
	`{"TableName":"abc","Key":{},"AttributeUpdates":{"a":{"Action":"ADD","Value":{"NS":["1"]}},"b":{"Action":"DELETE","Value":null}}}`,
	`{"TableName":"abc","KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"B":"YQ=="},{"M":{}}]}},"AttributesToGet":["a"],"QueryFilter":{}}`,
	`{"TableName":"abc","ExpressionAttributeNames":{"#a":"b"},"ExpressionAttributeValues":{":v":{"NS":["1","2"]}},"Limit":1e2}`,
	`{"RequestItems":{"abc":{"Keys":[{"a":{"S":"\ud83d\ude00"}}]},"abd":[{"PutRequest":{"Item":{}}}]}}`,
	`{"TransactItems":[{"Put":{"TableName":"abc","Item":{}}},{"Get":{}},null]}`,
	`{"TableName":"ab","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"ProvisionedThroughput":{"ReadCapacityUnits":0.5}}`,
	`{"Key":{"a":` + nested(40, `{"S":"a"}`) + `}}`,
}

// Decode never panics, and every error is one of the service's.
func FuzzDecode(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		for _, operation := range operations {
			err := wire.Decode(body, reflect.New(reflect.TypeOf(operation.request)).Interface())
			var serviceErr *awserr.Error
			if err != nil && !errors.As(err, &serviceErr) {
				t.Fatalf("%s: %v", operation.name, err)
			}
		}
		if string(body) != before {
			t.Fatal("the body was changed")
		}
	})
}

// A decoded item, encoded and decoded again, is the same, and its encoding is stable.
func FuzzItem(f *testing.F) {
	f.Add(string(itemJSON(tenAttributes())))
	f.Add(`{"a":` + nested(31, `{"N":"-0.50"}`) + `}`)
	f.Fuzz(func(t *testing.T, text string) {
		item, err := readItem([]byte(text))
		if err != nil {
			return
		}
		written := itemJSON(item)
		again, err := readItem(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if !value.Equal(item, again) || !bytes.Equal(itemJSON(again), written) {
			t.Fatalf("%s became %s", text, itemJSON(again))
		}
	})
}

// Hostile bodies are handled in time and space linear in their size.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	const n = 200_000
	bodies := map[string]string{
		"arrays":              strings.Repeat(`[`, n),
		"members":             strings.Repeat(`{"a":`, n),
		"values":              `{"TableName":"abc","Item":{"a":` + strings.Repeat(`{"L":[`, n) + strings.Repeat(`]}`, n) + `}}`,
		"unknown arrays":      `{"a":` + strings.Repeat(`[`, n) + strings.Repeat(`]`, n) + `}`,
		"bad elements":        `{"TransactItems":[` + strings.Repeat(`,null`, n)[1:] + `],"KeySchema":[` + strings.Repeat(`,{}`, n)[1:] + `]}`,
		"bad values":          `{"Item":{"a":{"L":[` + strings.Repeat(`,{}`, n)[1:] + `]}}}`,
		"a number":            `{"Item":{"a":{"N":"1` + strings.Repeat(`0`, n) + `"}}}`,
		"a limit":             `{"Limit":1` + strings.Repeat(`0`, n) + `}`,
		"duplicates":          `{"Item":{"a":{"SS":["a"` + strings.Repeat(`,"a"`, n) + `]}}}`,
		"escapes":             `{"Item":{"a":{"S":"` + strings.Repeat(`\u00e9`, n) + `"}}}`,
		"members of a name":   `{"a":1` + strings.Repeat(`,"a":1`, n) + `}`,
		"types":               `{"Item":{"a":{"S":"a"` + strings.Repeat(`,"S":"a"`, n) + `}}}`,
		"legacy members":      `{"Expected":{}` + strings.Repeat(`,"Expected":{}`, n) + `}`,
		"conditions":          `{"Expected":{"a":{"AttributeValueList":[` + strings.Repeat(`{"S":"a"},`, n) + `{"S":"a"}]}},"ScanFilter":{"a":[` + strings.Repeat(`{},`, n) + `{}]}}`,
		"names":               `{"AttributesToGet":["a"` + strings.Repeat(`,"a"`, n) + `]}`,
		"unterminated string": `{"TableName":"` + strings.Repeat(`a`, n),
		"white space":         `{` + strings.Repeat(" \n", n),
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, operation := range operations {
				err := wire.Decode([]byte(body), reflect.New(reflect.TypeOf(operation.request)).Interface())
				if err != nil && len(rejects(t, err).Message) > 64<<10 {
					t.Fatalf("%s: a message of %d bytes", operation.name, len(err.Error()))
				}
			}
		})
	}
}
