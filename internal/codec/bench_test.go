package codec

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/stretchr/testify/require"
)

type benchAddress struct {
	Street string `dynamodbav:"street"`
	City   string `dynamodbav:"city"`
	Zip    string `dynamodbav:"zip"`
}

// benchItem has 18 attributes and about 1 KB.
type benchItem struct {
	PK        string            `dynamodbav:"PK"`
	SK        string            `dynamodbav:"SK"`
	CompanyID string            `dynamodbav:"company_id"`
	ID        string            `dynamodbav:"id"`
	Name      string            `dynamodbav:"name"`
	Email     string            `dynamodbav:"email"`
	Status    string            `dynamodbav:"status"`
	Bio       string            `dynamodbav:"bio"`
	HiredAt   time.Time         `dynamodbav:"hired_at"`
	UpdatedAt time.Time         `dynamodbav:"updated_at"`
	Logins    int64             `dynamodbav:"logins"`
	Version   int64             `dynamodbav:"version"`
	Salary    float64           `dynamodbav:"salary"`
	Active    bool              `dynamodbav:"active"`
	Skills    []string          `dynamodbav:"skills,omitempty"`
	Tags      []string          `dynamodbav:"tags,stringset"`
	Work      *benchAddress     `dynamodbav:"work,omitempty"`
	Labels    map[string]string `dynamodbav:"labels,omitempty"`
}

func newBenchItem() benchItem {
	return benchItem{
		PK: "COM#c001", SK: "EMP#e0007", CompanyID: "c001", ID: "e0007", Name: "Ada Lovelace", Email: "ada@example.com", Status: "active",
		Bio:     strings.Repeat("All work and no play. ", 20),
		HiredAt: time.Date(2026, 8, 1, 9, 30, 0, 123456789, time.UTC), UpdatedAt: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC),
		Logins: 123456, Version: 17, Salary: 12345.67, Active: true,
		Skills: []string{"go", "sql", "dynamodb"}, Tags: []string{"a", "b", "c"},
		Work:   &benchAddress{Street: "Main Street 1", City: "Bergen", Zip: "5003"},
		Labels: map[string]string{"team": "core", "floor": "3"},
	}
}

func useEncoding(o *attributevalue.EncoderOptions) { o.UseEncodingMarshalers = true }
func useDecoding(o *attributevalue.DecoderOptions) { o.UseEncodingUnmarshalers = true }
func benchMap(b testing.TB, in *benchItem) Item {
	item, err := attributevalue.MarshalMapWithOptions(in, useEncoding)
	require.NoError(b, err)
	return item
}

func TestBenchItem(t *testing.T) {
	t.Parallel()
	in := newBenchItem()
	s, issues := Compile(reflect.TypeFor[benchItem]())
	require.Empty(t, issues)
	item := make(Item, 18)
	require.NoError(t, s.Encode(PtrTo(&in), item))
	require.Equal(t, benchMap(t, &in), item)
	require.Len(t, item, 18)
	var out benchItem
	require.NoError(t, s.Decode(item, PtrTo(&out), nil))
	require.Equal(t, in, out)
}

func BenchmarkEncode(b *testing.B) {
	in := newBenchItem()
	b.Run("trestle", func(b *testing.B) {
		s, _ := Compile(reflect.TypeFor[benchItem]())
		b.ReportAllocs()
		for b.Loop() {
			if err := s.Encode(PtrTo(&in), make(Item, 24)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := attributevalue.MarshalMapWithOptions(&in, useEncoding); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	in := newBenchItem()
	item := benchMap(b, &in)
	b.Run("trestle", func(b *testing.B) {
		s, _ := Compile(reflect.TypeFor[benchItem]())
		b.ReportAllocs()
		for b.Loop() {
			var out benchItem
			if err := s.Decode(item, PtrTo(&out), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out benchItem
			if err := attributevalue.UnmarshalMapWithOptions(item, &out, useDecoding); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if s, issues := Compile(reflect.TypeFor[benchItem]()); len(issues) > 0 || len(s.Fields()) != 18 {
			b.Fatal(issues)
		}
	}
}

func BenchmarkItemSize(b *testing.B) {
	in := newBenchItem()
	item := benchMap(b, &in)
	for b.Loop() {
		if ItemSize(item) < 500 {
			b.Fatal("size")
		}
	}
}
