package codec

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/schemas"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/awsjson"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/itemjson"
)

// The SDK's own codec for requests and responses, and the operations that the benchmarks use.
var (
	sdkProtocol = awsjson.New10(schemas.DynamoDB_20120810)
	getItem     = smithy.NewOperationSchema(schemas.GetItem, schemas.GetItemInput, schemas.GetItemOutput)
	putItem     = smithy.NewOperationSchema(schemas.PutItem, schemas.PutItemInput, schemas.PutItemOutput)
)

// sdkDecode decodes the JSON of an item with the SDK.
func sdkDecode(body []byte) (Item, error) {
	response := &smithyhttp.Response{Response: &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(io.MultiReader(bytes.NewReader([]byte(`{"Item":`)), bytes.NewReader(body), bytes.NewReader([]byte(`}`)))),
	}}
	var out dynamodb.GetItemOutput
	err := sdkProtocol.DeserializeResponse(context.Background(), getItem, nil, response, &out)
	return out.Item, err
}

func BenchmarkDecodeJSON(b *testing.B) {
	in := newBenchItem()
	body, err := itemjson.Append(nil, benchMap(b, &in))
	require.NoError(b, err)
	s, _ := Compile(reflect.TypeFor[benchItem]())
	b.Run("trestle", func(b *testing.B) {
		b.ReportAllocs()
		var records []itemjson.Value
		a := NewArena(1 << 40)
		for b.Loop() {
			item, _, err := itemjson.Scan(body, 0, records)
			if err != nil {
				b.Fatal(err)
			}
			records = item.Values
			var out benchItem
			if err := s.DecodeJSON(item, PtrTo(&out), nil, a); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("scan", func(b *testing.B) {
		b.ReportAllocs()
		var records []itemjson.Value
		for b.Loop() {
			item, _, err := itemjson.Scan(body, 0, records)
			if err != nil {
				b.Fatal(err)
			}
			records = item.Values
		}
	})
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			item, err := sdkDecode(body)
			if err != nil {
				b.Fatal(err)
			}
			var out benchItem
			if err := attributevalue.UnmarshalMapWithOptions(item, &out, useDecoding); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeJSON(b *testing.B) {
	in := newBenchItem()
	s, _ := Compile(reflect.TypeFor[benchItem]())
	b.Run("trestle", func(b *testing.B) {
		b.ReportAllocs()
		var body []byte
		for b.Loop() {
			var err error
			if body, err = s.AppendJSON(append(body[:0], '{'), PtrTo(&in), nil); err != nil {
				b.Fatal(err)
			}
			body = append(body, '}')
		}
	})
	b.Run("hand", func(b *testing.B) {
		b.ReportAllocs()
		var body []byte
		for b.Loop() {
			body = in.appendJSON(body[:0])
		}
	})
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			item, err := attributevalue.MarshalMapWithOptions(&in, useEncoding)
			if err != nil {
				b.Fatal(err)
			}
			request := smithyhttp.NewStackRequest().(*smithyhttp.Request)
			if err := sdkProtocol.SerializeRequest(context.Background(), putItem, &dynamodb.PutItemInput{Item: item}, request); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// appendJSON encodes the item as code written by hand for its type would.
func (x *benchItem) appendJSON(b []byte) []byte {
	text := func(name, s string) {
		b = append(append(b, name...), `{"S":`...)
		b = append(itemjson.AppendText(b, s), '}')
	}
	text(`{"PK":`, x.PK)
	text(`,"SK":`, x.SK)
	text(`,"company_id":`, x.CompanyID)
	text(`,"id":`, x.ID)
	text(`,"name":`, x.Name)
	text(`,"email":`, x.Email)
	text(`,"status":`, x.Status)
	text(`,"bio":`, x.Bio)
	b = append(b, `,"hired_at":{"S":"`...)
	b = x.HiredAt.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `"},"updated_at":{"S":"`...)
	b = x.UpdatedAt.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `"},"logins":{"N":"`...)
	b = strconv.AppendInt(b, x.Logins, 10)
	b = append(b, `"},"version":{"N":"`...)
	b = strconv.AppendInt(b, x.Version, 10)
	b = append(b, `"},"salary":{"N":"`...)
	b = strconv.AppendFloat(b, x.Salary, 'f', -1, 64)
	b = append(b, `"},"active":{"BOOL":`...)
	b = append(strconv.AppendBool(b, x.Active), '}')
	if len(x.Skills) > 0 {
		b = append(b, `,"skills":{"L":[`...)
		for i, s := range x.Skills {
			if i > 0 {
				b = append(b, ',')
			}
			text("", s)
		}
		b = append(b, `]}`...)
	}
	if len(x.Tags) > 0 {
		b = append(b, `,"tags":{"SS":[`...)
		for i, s := range x.Tags {
			if i > 0 {
				b = append(b, ',')
			}
			b = itemjson.AppendText(b, s)
		}
		b = append(b, `]}`...)
	}
	if x.Work != nil {
		text(`,"work":{"M":{"street":`, x.Work.Street)
		text(`,"city":`, x.Work.City)
		text(`,"zip":`, x.Work.Zip)
		b = append(b, `}}`...)
	}
	if len(x.Labels) > 0 {
		b = append(b, `,"labels":{"M":{`...)
		first := true
		for name, s := range x.Labels {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = itemjson.AppendText(b, name)
			text(":", s)
		}
		b = append(b, `}}`...)
	}
	return append(b, '}')
}
