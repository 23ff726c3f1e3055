package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

const getRequest = `{"TableName":"orders","Key":{"pk":{"S":"customer#4711"},"sk":{"S":"order#2026-11-21"}},"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"}`

func number(text string) value.Number {
	n, err := decimal.Parse(text)
	if err != nil {
		panic(err)
	}
	return value.Number{Decimal: n}
}

// tenAttributes returns a typical item of about 300 bytes.
func tenAttributes() value.Map {
	return value.MapOf(
		value.Attribute{Name: "pk", Value: value.String("customer#4711")},
		value.Attribute{Name: "sk", Value: value.String("order#2026-11-21T09:30:00Z")},
		value.Attribute{Name: "name", Value: value.String("Zoë Müller-Lüdenscheidt")},
		value.Attribute{Name: "email", Value: value.String("zoe@example.com")},
		value.Attribute{Name: "total", Value: number("1249.95")},
		value.Attribute{Name: "version", Value: number("17")},
		value.Attribute{Name: "paid", Value: value.Bool(true)},
		value.Attribute{Name: "note", Value: value.Null{}},
		value.Attribute{Name: "tags", Value: value.StringSet{"express", "gift"}},
		value.Attribute{Name: "lines", Value: value.List{value.String("a"), number("2")}},
	)
}

func putRequest() []byte {
	return fmt.Appendf(nil, `{"TableName":"orders","Item":%s,"ConditionExpression":"attribute_not_exists(#pk)","ExpressionAttributeNames":{"#pk":"pk"}}`,
		itemJSON(tenAttributes()))
}

// itemJSON returns the JSON of an item.
func itemJSON(m value.Map) []byte {
	reply := wire.Encode(&api.GetItemOutput{Item: m})
	return reply[len(`{"Item":`) : len(reply)-1]
}

func BenchmarkDecodeGetItem(b *testing.B) {
	benchmarkDecode[api.GetItemInput](b, []byte(getRequest))
}

func BenchmarkDecodePutItem(b *testing.B) {
	benchmarkDecode[api.PutItemInput](b, putRequest())
}

func BenchmarkDecodeLargeText(b *testing.B) {
	body := fmt.Appendf(nil, `{"TableName":"orders","Item":{"pk":{"S":"a"},"text":{"S":"%s"}}}`, strings.Repeat("forty characters of text, more or less. ", 10_000))
	benchmarkDecode[api.PutItemInput](b, body)
}

func BenchmarkDecodeBatch(b *testing.B) {
	puts := strings.Repeat(fmt.Sprintf(`,{"PutRequest":{"Item":%s}}`, itemJSON(tenAttributes())), 25)[1:]
	benchmarkDecode[api.BatchWriteItemInput](b, fmt.Appendf(nil, `{"RequestItems":{"orders":[%s]}}`, puts))
}

func benchmarkDecode[Request any](b *testing.B, body []byte) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := wire.Decode(body, new(Request)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeGetItem(b *testing.B) {
	benchmarkEncode(b, &api.GetItemOutput{Item: tenAttributes()})
}

func BenchmarkEncodePage(b *testing.B) {
	page := api.PageOutput{Count: 1000, ScannedCount: 1000}
	for range 1000 {
		page.Items = append(page.Items, tenAttributes().With("body", value.String(strings.Repeat("x", 700))))
	}
	benchmarkEncode(b, &page)
}

func benchmarkEncode(b *testing.B, reply any) {
	buffer := wire.Encode(reply)
	b.SetBytes(int64(len(buffer)))
	b.ReportAllocs()
	for b.Loop() {
		buffer = wire.Append(buffer[:0], reply)
	}
}
