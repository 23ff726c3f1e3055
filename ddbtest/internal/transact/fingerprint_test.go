package transact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func printOf(writes ...item.Write) string { return fingerprint(writes) }

// naive is an ambiguous encoding of a request.
func naive(writes ...item.Write) string {
	var b strings.Builder
	for _, w := range writes {
		fmt.Fprint(&b, w.Kind, w.TableName, w.Item, w.OnFailure)
		for _, text := range []*string{w.Update, w.Condition} {
			if text != nil {
				b.WriteString(*text)
			}
		}
		for _, name := range slices.Sorted(func(yield func(string) bool) {
			for name := range w.Names {
				if !yield(name) {
					return
				}
			}
		}) {
			b.WriteString(name + w.Names[name])
		}
	}
	return b.String()
}

func text(s string) *string { return &s }

func number(s string) value.Number {
	d, err := decimal.Parse(s)
	if err != nil {
		panic(err)
	}
	return value.Number{Decimal: d}
}

// different returns requests that all differ.
func different() [][]item.Write {
	a := value.Map{{Name: "a", Value: value.String("b")}}
	one := func(v value.Value) []item.Write { return []item.Write{{Item: value.Map{{Name: "a", Value: v}}}} }
	nothing := item.Write{Item: a}
	return [][]item.Write{
		{}, {nothing}, {nothing, nothing},
		{{Kind: item.PutKind, Item: a}}, {{Kind: item.DeleteKind, Item: a}},
		{{TableName: "ab", Item: a}}, {{TableName: "a", Item: value.Map{{Name: "ba", Value: value.String("b")}}}},
		one(value.String("1")), one(number("1")), one(value.Binary("1")), one(value.Bool(true)), one(value.Bool(false)), one(value.Null{}),
		one(value.List{}), one(value.Map{}), one(value.List{value.String("1")}), one(value.List{value.String("1"), value.String("")}),
		one(value.List{value.List{}, value.String("1")}), one(value.List{value.List{value.String("1")}}),
		one(value.StringSet{"1"}), one(value.BinarySet{"1"}), one(value.NumberSet{number("1").Decimal}),
		one(value.StringSet{"1", "2"}), one(value.StringSet{"12"}), one(value.StringSet{"1", "2", "3"}),
		{{Item: a, Update: text("x")}}, {{Item: a, Condition: text("x")}}, {{Item: a, Update: text("")}}, {{Item: a, Condition: text("")}},
		{{Item: a, Update: text("x"), Condition: text("y")}}, {{Item: a, Update: text("xy"), Condition: text("")}}, {{Item: a, Update: text("xy")}},
		{{Item: a, OnFailure: "x"}}, {{Item: a, OnFailure: "ALL_OLD"}},
		{{Item: a, Names: map[string]string{"x": "y"}}}, {{Item: a, Names: map[string]string{"xy": ""}}}, {{Item: a, Names: map[string]string{"": "xy"}}},
		{{Item: a, Values: map[string]value.Value{"x": value.String("y")}}}, {{Item: a, Values: map[string]value.Value{"xy": value.String("")}}},
		{{Item: a, Names: map[string]string{"x": "y"}, Values: map[string]value.Value{"x": value.String("y")}}},
		{{Item: a, Names: map[string]string{"a": "b", "c": "d"}}}, {{Item: a, Names: map[string]string{"a": "bcd"}}},
	}
}

func TestDifferentRequestsHaveDifferentFingerprints(t *testing.T) {
	t.Parallel()
	requests := different()
	seen, metNaively := map[string]int{}, map[string]int{}
	collide := false
	for i, writes := range requests {
		p := printOf(writes...)
		other, ok := seen[p]
		require.False(t, ok, "%d and %d", i, other)
		seen[p] = i
		_, ok = metNaively[naive(writes...)]
		collide = collide || ok
		metNaively[naive(writes...)] = i
	}
	require.True(t, collide, "a text without lengths would have done")
}

// A request always has the same fingerprint, whatever the order of its maps and the spelling of its
// numbers.
func TestEqualRequestsHaveEqualFingerprints(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for range testsize.Pick(500, 5_000, 20_000) {
		names, values, attributes := map[string]string{}, map[string]value.Value{}, []value.Attribute{}
		for i := range r.IntN(10) {
			names[fmt.Sprint("#", i)] = fmt.Sprint(r.Uint64())
			values[fmt.Sprint(":", i)] = number(fmt.Sprint(r.Int64()))
			attributes = append(attributes, value.Attribute{Name: fmt.Sprint(i), Value: number(fmt.Sprint(i))})
		}
		w := item.Write{Kind: item.PutKind, Item: value.MapOf(slices.Clone(attributes)...), Names: names, Values: values, Condition: text("x")}
		again := w
		again.Names, again.Values = map[string]string{}, map[string]value.Value{}
		for name := range names {
			again.Names[name] = names[name]
		}
		for name := range values {
			again.Values[name] = number(values[name].(value.Number).String() + "e0")
		}
		r.Shuffle(len(attributes), func(i, j int) { attributes[i], attributes[j] = attributes[j], attributes[i] })
		for i := range attributes {
			attributes[i].Value = number("0" + attributes[i].Value.(value.Number).String() + ".0")
		}
		again.Item = value.MapOf(attributes...)
		require.Equal(t, printOf(w), printOf(again))
	}
}
