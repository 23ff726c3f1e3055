package define_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/define"
)

// Order18 is a type of typical size: 18 attributes and 2 indexes.
type Order18 struct {
	_         Key       `type:"order" pk:"CUST#<customer>" sk:"ORDER#<placed_at:s>#<id>"`
	_         Index     `name:"by-status" on:"GSI1" pk:"STATUS#<status>" sk:"ORDER#<placed_at:s>#<id>"`
	_         Index     `name:"by-shop" on:"GSI2" pk:"SHOP#<shop>" sk:"ORDER#<total:08>#<id>"`
	ID        string    `dynamodbav:"id"`
	Customer  string    `dynamodbav:"customer"`
	Shop      string    `dynamodbav:"shop"`
	Status    string    `dynamodbav:"status"`
	PlacedAt  time.Time `dynamodbav:"placed_at"`
	Total     int64     `dynamodbav:"total"`
	Currency  string    `dynamodbav:"currency"`
	Lines     []Line    `dynamodbav:"lines,omitempty"`
	Ship      *Address  `dynamodbav:"ship,omitempty"`
	Bill      *Address  `dynamodbav:"bill,omitempty"`
	Coupons   []string  `dynamodbav:"coupons,omitempty,stringset"`
	Notes     string    `dynamodbav:"notes,omitempty"`
	Gift      bool      `dynamodbav:"gift"`
	Weight    float64   `dynamodbav:"weight"`
	Retries   int       `dynamodbav:"retries"`
	Version   int64     `dynamodbav:"version" entity:"version"`
	CreatedAt time.Time `dynamodbav:"created_at" entity:"created"`
	UpdatedAt time.Time `dynamodbav:"updated_at" entity:"updated"`
}

type Line struct {
	SKU   string `dynamodbav:"sku"`
	Count int    `dynamodbav:"count"`
}

var twoIndexes = trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}}

func BenchmarkCompile(b *testing.B) {
	s, _ := define.Schema(twoIndexes)
	t := reflect.TypeFor[Order18]()
	b.ReportAllocs()
	for b.Loop() {
		if _, issues := define.Compile(s, t, markers, nil); len(issues) > 0 {
			b.Fatal(define.Err(issues))
		}
	}
}

// BenchmarkCompile_codec measures the codec's part of BenchmarkCompile.
func BenchmarkCompile_codec(b *testing.B) {
	t := reflect.TypeFor[Order18]()
	b.ReportAllocs()
	for b.Loop() {
		if _, issues := codec.Compile(t); len(issues) > 0 {
			b.Fatal(issues)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, name := range []string{"one partition", "own partitions"} {
		b.Run(name, func(b *testing.B) {
			s, _ := define.Schema(twoIndexes)
			for i := range 40 {
				pk := "CUST#<customer>"
				if name == "own partitions" {
					pk = fmt.Sprintf("T%02d#<customer>", i)
				}
				spec := &trestle.Spec{
					Type: fmt.Sprintf("type%d", i),
					Key:  trestle.KeySpec{PK: pk, SK: fmt.Sprintf("T%02d#<placed_at:s>#<id>", i)},
					Indexes: []trestle.IndexSpec{
						{Name: "by-status", On: "GSI1", PK: "STATUS#<status>", SK: fmt.Sprintf("T%02d#<placed_at:s>#<id>", i)},
					},
				}
				plan, _ := define.Compile(s, reflect.TypeFor[Plain18](), markers, spec)
				s.Add(plan)
			}
			b.ReportAllocs()
			for b.Loop() {
				if issues := define.Validate(s); len(issues) > 0 {
					b.Fatal(define.Err(issues))
				}
			}
		})
	}
}

// Plain18 has the fields of Order18 without its markers.
type Plain18 struct {
	ID       string    `dynamodbav:"id"`
	Customer string    `dynamodbav:"customer"`
	Status   string    `dynamodbav:"status"`
	PlacedAt time.Time `dynamodbav:"placed_at"`
}
