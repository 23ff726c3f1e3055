package codec

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"

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
	query       = smithy.NewOperationSchema(schemas.Query, schemas.QueryInput, schemas.QueryOutput)
	putItem     = smithy.NewOperationSchema(schemas.PutItem, schemas.PutItemInput, schemas.PutItemOutput)
)

// sdkDecode decodes the JSON of an item with the SDK.
func sdkDecode(body []byte) (Item, error) {
	var out dynamodb.GetItemOutput
	err := sdkRespond(getItem, &out, `{"Item":`, body)
	return out.Item, err
}

// sdkRespond decodes a response whose JSON is start, body and a brace.
func sdkRespond(operation *smithy.OperationSchema, out smithy.Deserializable, start string, body []byte) error {
	full := io.MultiReader(strings.NewReader(start), bytes.NewReader(body), strings.NewReader("}"))
	response := &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(full)}}
	return sdkProtocol.DeserializeResponse(context.Background(), operation, nil, response, out)
}

// TestBenchJSON checks what the benchmarks below do.
func TestBenchJSON(t *testing.T) {
	t.Parallel()
	in := newBenchItem()
	want := benchMap(t, &in)
	s, _ := Compile(reflect.TypeFor[benchItem]())
	body, err := s.AppendJSON([]byte("{"), PtrTo(&in), nil)
	require.NoError(t, err)
	for _, body := range [][]byte{append(body, '}'), in.appendJSON(nil)} {
		item, err := sdkDecode(body)
		require.NoError(t, err)
		require.Equal(t, want, item)
		scanned, _, err := itemjson.Scan(body, 0, nil)
		require.NoError(t, err)
		var out benchItem
		require.NoError(t, s.DecodeJSON(scanned, PtrTo(&out), nil, NewArena(len(body))))
		require.Equal(t, in, out)
	}
}

// TestAllocationsJSON checks the number of allocations. It is not parallel, because they are
// counted for the process.
func TestAllocationsJSON(t *testing.T) {
	in := newBenchItem()
	s, _ := Compile(reflect.TypeFor[benchItem]())
	var body []byte
	require.Zero(t, testing.AllocsPerRun(100, func() { body, _ = s.AppendJSON(append(body[:0], '{'), PtrTo(&in), nil) }))

	page := benchPage(in, 1000)
	var items itemjson.Items
	require.Zero(t, testing.AllocsPerRun(5, func() { _, _ = items.Scan(page, 0) }))
	out := make([]benchItem, items.Len())
	allocs := testing.AllocsPerRun(5, func() { require.NoError(t, decodePage(s, &items, page, out)) })
	require.Less(t, allocs, 4000.0, "at most 4 for each item")
	t.Logf("%.2f allocations for each item", allocs/1000)
	for i := range out {
		require.Equal(t, in, out[i])
	}
}

// benchPage returns a list of items in JSON, whose attributes are in random order.
func benchPage(in benchItem, length int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	one, _, _ := itemjson.Scan(in.appendJSON(nil), 0, nil)
	page := []byte{'['}
	for range length {
		var members []string
		for i := range one.Members() {
			member, _ := itemjson.AppendMember([]byte("{"), string(one.Name(i)), one.Attribute(i))
			members = append(members, string(member[1:]))
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		page = fmt.Appendf(page, "{%s},", strings.Join(members, ","))
	}
	return append(page[:len(page)-1], ']')
}

// decodePage decodes scanned items.
func decodePage(s *Struct, items *itemjson.Items, page []byte, out []benchItem) error {
	a := NewArena(len(page))
	for i := range out {
		out[i] = benchItem{}
		if err := s.DecodeJSON(items.At(i), PtrTo(&out[i]), nil, a); err != nil {
			return err
		}
	}
	return nil
}

func BenchmarkDecodePageJSON(b *testing.B) {
	page := benchPage(newBenchItem(), 1000)
	b.Run("trestle", func(b *testing.B) {
		s, _ := Compile(reflect.TypeFor[benchItem]())
		b.ReportAllocs()
		var items itemjson.Items
		for b.Loop() {
			if _, err := items.Scan(page, 0); err != nil {
				b.Fatal(err)
			}
			if err := decodePage(s, &items, page, make([]benchItem, items.Len())); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var response dynamodb.QueryOutput
			if err := sdkRespond(query, &response, `{"Items":`, page); err != nil {
				b.Fatal(err)
			}
			out := make([]benchItem, len(response.Items))
			if err := attributevalue.UnmarshalListOfMapsWithOptions(response.Items, &out, useDecoding); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeJSON(b *testing.B) {
	in := newBenchItem()
	body, err := itemjson.Append(nil, benchMap(b, &in))
	require.NoError(b, err)
	s, _ := Compile(reflect.TypeFor[benchItem]())
	b.Run("trestle", func(b *testing.B) {
		b.ReportAllocs()
		var records []itemjson.Value
		a := NewArena(math.MaxInt)
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
