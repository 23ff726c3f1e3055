package expression_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

// asText are the expressions of comparisons. %s is the attribute.
var asText = map[expression.Comparison]string{
	expression.IsEqual: "%s = :0", expression.IsNotEqual: "%s <> :0", expression.IsLess: "%s < :0", expression.IsLessOrEqual: "%s <= :0",
	expression.IsGreater: "%s > :0", expression.IsGreaterOrEqual: "%s >= :0", expression.IsIn: "%s IN (:0, :1)", expression.IsBetween: "%s BETWEEN :0 AND :1",
	expression.Exists: "attribute_exists(%s)", expression.NotExists: "attribute_not_exists(%s)", expression.HasPrefix: "begins_with(%s, :0)",
	expression.Contains: "contains(%s, :0)", expression.ContainsNot: "(attribute_exists(%[1]s) AND NOT contains(%[1]s, :0))",
}

// built are values of all types, in order where there is one.
var built = []value.Value{
	value.String("a"), value.String("ab"), value.String("b"), number("1"), number("2"), number("10"), value.Binary("a"), value.Binary("b"), value.Bool(true), value.Null{},
	list(number("1"), value.String("a"), value.Bool(true)), value.MapOf(attribute("a", number("1"))), value.StringSet{"a", "b"}, numberSet("1", "2"), value.BinarySet{"a"},
}

// operandsOf returns the operands of a comparison. They are valid for the expression.
func operandsOf(r *rand.Rand, c expression.Comparison) []value.Value {
	switch c {
	case expression.Exists, expression.NotExists:
		return nil
	case expression.IsIn:
		return []value.Value{built[r.IntN(len(built))], built[r.IntN(len(built))]}
	case expression.IsBetween:
		bounds := [][]value.Value{{built[0], built[1]}, {built[3], built[4]}, {built[6], built[7]}, {built[4], built[4]}}
		return bounds[r.IntN(len(bounds))]
	case expression.IsLess, expression.IsLessOrEqual, expression.IsGreater, expression.IsGreaterOrEqual:
		return []value.Value{built[r.IntN(8)]}
	case expression.HasPrefix:
		return []value.Value{built[[]int{0, 1, 2, 6, 7}[r.IntN(5)]]}
	default:
		return []value.Value{built[r.IntN(len(built))]}
	}
}

// TestBuiltConditions compares conditions without a text with the same expressions on random items.
func TestBuiltConditions(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	names := []string{"a", "b", "c"}
	results := map[string]int{}
	for range 4000 {
		tests := make([]expression.Test, 1+r.IntN(3))
		values, clauses := map[string]value.Value{}, make([]string, len(tests))
		for i := range tests {
			tests[i] = expression.Test{Attribute: names[i], Comparison: expression.Comparison(1 + r.IntN(len(asText)))}
			tests[i].Operands = operandsOf(r, tests[i].Comparison)
			text := fmt.Sprintf(asText[tests[i].Comparison], names[i])
			for j, v := range tests[i].Operands {
				text = strings.ReplaceAll(text, fmt.Sprintf(":%d", j), fmt.Sprintf(":v%d_%d", i, j))
				values[fmt.Sprintf(":v%d_%d", i, j)] = v
			}
			clauses[i] = text
		}
		anyOf := r.IntN(2) == 0
		text := strings.Join(clauses, map[bool]string{true: " OR ", false: " AND "}[anyOf])
		if len(values) == 0 {
			values = nil
		}
		parsed, made := mustCondition(t, text, nil, values), expression.NewCondition(tests, anyOf)
		require.Equal(t, parsed.TopLevelNames(), made.TopLevelNames())
		require.LessOrEqual(t, made.Size(), parsed.Size()+len("abc")*3)
		for range 10 {
			item := value.Map{}
			for _, name := range names {
				if r.IntN(4) > 0 {
					item = item.With(name, built[r.IntN(len(built))])
				}
			}
			require.Equal(t, parsed.Eval(item), made.Eval(item), "%s on %v", text, item)
			for _, test := range tests {
				results[fmt.Sprint(test.Comparison, expression.NewCondition([]expression.Test{test}, anyOf).Eval(item))]++
			}
		}
	}
	require.Len(t, results, 2*len(asText), "every comparison was true and false: %v", results)
}

// TestBuiltUpdates compares updates without a text with the same expressions. ADD of a list and the
// error of a wrong type have no expression.
func TestBuiltUpdates(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	mismatch := awserr.Validation("mismatch")
	texts := map[expression.Action]string{expression.Set: "SET a = :v", expression.Add: "ADD a :v", expression.Delete: "DELETE a :v", expression.Remove: "REMOVE a"}
	applied, refused := 0, 0
	for range 4000 {
		change := expression.Change{Attribute: "a", Action: expression.Action(1 + r.IntN(4))}
		var values map[string]value.Value
		switch change.Action {
		case expression.Set:
			change.Value = built[r.IntN(len(built))]
		case expression.Add:
			change.Value = built[[]int{3, 4, 12, 13, 14}[r.IntN(5)]]
		case expression.Delete:
			change.Value = built[12+r.IntN(3)]
		}
		text := texts[change.Action]
		if change.Value != nil {
			values = map[string]value.Value{":v": change.Value}
		}
		item := value.MapOf(attribute("k", number("1")))
		if r.IntN(4) > 0 {
			item = item.With("a", built[r.IntN(len(built))])
		}
		parsed, made := mustUpdate(t, text, nil, values), expression.NewUpdate([]expression.Change{change}, mismatch)
		want, wantErr := parsed.Apply(item)
		got, err := made.Apply(item)
		require.Equal(t, want, got, text)
		require.Equal(t, parsed.Creates(), made.Creates())
		require.Equal(t, parsed.Charge(), made.Charge())
		require.Equal(t, parsed.Paths(), made.Paths())
		require.Equal(t, parsed.Updated(item), made.Updated(item))
		if wantErr == nil {
			require.NoError(t, err)
			applied++
			continue
		}
		require.ErrorIs(t, err, mismatch)
		refused++
	}
	require.Positive(t, applied)
	require.Positive(t, refused)

	appended := expression.NewUpdate([]expression.Change{{Attribute: "a", Action: expression.Add, Value: list(number("2"))}}, mismatch)
	for _, c := range []struct{ before, after value.Value }{
		{nil, list(number("2"))}, {list(number("1")), list(number("1"), number("2"))}, {numberSet("1"), nil},
	} {
		item := value.Map{}
		if c.before != nil {
			item = item.With("a", c.before)
		}
		got, err := appended.Apply(item)
		if c.after == nil {
			require.ErrorIs(t, err, mismatch)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.after, got.Get("a"))
	}
	overflow := expression.NewUpdate([]expression.Change{{Attribute: "a", Action: expression.Add, Value: number("9.9E125")}}, mismatch)
	_, err := overflow.Apply(value.MapOf(attribute("a", number("9.9E125"))))
	require.Equal(t, overflows, message(t, err), "other errors stay")
}

// TestBuiltProjections keeps the order of the names for error messages, whatever it is.
func TestBuiltProjections(t *testing.T) {
	t.Parallel()
	item := value.MapOf(attribute("a", number("1")), attribute("a.b", number("2")), attribute("b", value.MapOf(attribute("c", number("3")))))
	for _, names := range [][]string{{"b", "a"}, {"a.b", "z"}, {"b.c"}, {"z", "y", "x", "b", "a.b", "a"}} {
		p := expression.NewProjection(names)
		require.Equal(t, names, p.TopLevelNames())
		require.Equal(t, item.Pick(names...), p.Apply(item))
	}
}
