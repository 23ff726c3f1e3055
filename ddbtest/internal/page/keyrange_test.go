package page

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// holds reports whether a value fulfills a comparison.
func holds(v value.Value, c expression.KeyComparison) bool {
	order := func(i int) int {
		o, _ := value.Compare(v, c.Operands[i])
		return o
	}
	switch c.Op {
	case expression.Less:
		return order(0) < 0
	case expression.LessOrEqual:
		return order(0) <= 0
	case expression.Greater:
		return order(0) > 0
	case expression.GreaterOrEqual:
		return order(0) >= 0
	case expression.Between:
		return order(0) >= 0 && order(1) <= 0
	case expression.BeginsWith:
		return strings.HasPrefix(raw(v), raw(c.Operands[0]))
	default:
		return order(0) == 0
	}
}

func raw(v value.Value) string {
	switch v := v.(type) {
	case value.String:
		return string(v)
	case value.Binary:
		return string(v)
	default:
		return ""
	}
}

// naiveRange uses the text of the values, without a terminator.
func naiveRange(place []byte, c expression.KeyComparison) keyRange {
	text := func(i int) string { return string(place) + fmt.Sprint(c.Operands[i]) }
	all := prefixRange(place)
	switch c.Op {
	case expression.Less:
		return keyRange{all.lo, text(0)}
	case expression.LessOrEqual:
		return keyRange{all.lo, text(0) + "\x00"}
	case expression.Greater:
		return keyRange{text(0) + "\x00", all.hi}
	case expression.GreaterOrEqual:
		return keyRange{text(0), all.hi}
	case expression.Between:
		return keyRange{text(0), text(1) + "\x00"}
	default:
		return prefixRange([]byte(text(0)))
	}
}

// TestCompareRange checks every operator and random values of each type, with any
// key components after them.
func TestCompareRange(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	naiveFails := map[value.Kind]int{}
	for range testsize.Pick(20_000, 50_000, 500_000) {
		kind := []value.Kind{value.KindString, value.KindNumber, value.KindBinary}[r.IntN(3)]
		v, c := randomValue(r, kind), randomComparison(r, kind)
		place := []byte("place")
		behind := value.AppendKey(value.AppendKey(slices.Clone(place), v), randomValue(r, value.KindString))
		require.Equal(t, holds(v, c), compareRange(place, c).contains(string(behind)), "%v %v %v", v, c.Op, c.Operands)
		if holds(v, c) != naiveRange(place, c).contains(string(place)+fmt.Sprint(v)+"\x00") {
			naiveFails[kind]++
		}
	}
	require.Len(t, naiveFails, 3, "texts without an end do not do it for any type")
}

func randomComparison(r *rand.Rand, kind value.Kind) expression.KeyComparison {
	operators := []expression.KeyOperator{
		expression.Equal, expression.Less, expression.LessOrEqual, expression.Greater, expression.GreaterOrEqual, expression.Between, expression.BeginsWith,
	}
	if kind == value.KindNumber {
		operators = operators[:6]
	}
	c := expression.KeyComparison{Op: operators[r.IntN(len(operators))], Operands: []value.Value{randomValue(r, kind)}}
	if c.Op == expression.Between {
		c.Operands = append(c.Operands, randomValue(r, kind))
		if order, _ := value.Compare(c.Operands[0], c.Operands[1]); order > 0 {
			slices.Reverse(c.Operands)
		}
	}
	return c
}

// clause formats a comparison as an expression.
func clause(attribute string, c expression.KeyComparison, values map[string]value.Value) string {
	name := func(i int) string {
		placeholder := fmt.Sprint(":v", len(values))
		values[placeholder] = c.Operands[i]
		return placeholder
	}
	switch c.Op {
	case expression.Between:
		return fmt.Sprintf("%s BETWEEN %s AND %s", attribute, name(0), name(1))
	case expression.BeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", attribute, name(0))
	default:
		sign := map[expression.KeyOperator]string{
			expression.Equal: "=", expression.Less: "<", expression.LessOrEqual: "<=", expression.Greater: ">", expression.GreaterOrEqual: ">=",
		}[c.Op]
		return attribute + " " + sign + " " + name(0)
	}
}

// randomQuery returns a query and its expected rows.
func randomQuery(r *rand.Rand, rows []value.Map) (q testQuery, meant []value.Map) {
	names := []string{"", "local", "byText", "byBytes", "several", "turned"}
	q = testQuery{index: names[r.IntN(len(names))], values: map[string]value.Value{}, backward: r.IntN(2) == 0}
	schema := sources[q.index]
	meant = slices.DeleteFunc(slices.Clone(rows), func(row value.Map) bool { return !schema.Holds(row) })
	like := rows[r.IntN(len(rows))] // so that the query finds a row
	add := func(attribute store.KeyAttribute, c expression.KeyComparison) {
		q.condition += " AND " + clause(attribute.Name, c, q.values)
		meant = slices.DeleteFunc(meant, func(row value.Map) bool { return !holds(row.Get(attribute.Name), c) })
	}
	equal := func(attribute store.KeyAttribute) expression.KeyComparison {
		v := like.Get(attribute.Name)
		if v == nil {
			v = randomValue(r, attribute.Kind)
		}
		return expression.KeyComparison{Op: expression.Equal, Operands: []value.Value{v}}
	}
	for _, attribute := range schema.Partition {
		add(attribute, equal(attribute))
	}
	for _, attribute := range schema.Sort {
		if r.IntN(3) == 0 {
			break
		}
		c := equal(attribute)
		if r.IntN(3) > 0 {
			c = randomComparison(r, attribute.Kind)
		}
		add(attribute, c)
		if c.Op != expression.Equal {
			break
		}
	}
	q.condition = strings.TrimPrefix(q.condition, " AND ")
	inOrder(meant, schema)
	if q.backward {
		slices.Reverse(meant)
	}
	return q, meant
}

// inOrder sorts rows as an index does: by its key, and then by the key of the table.
func inOrder(rows []value.Map, schema store.KeySchema) {
	attributes := append(schema.Attributes(), pk, sk)
	slices.SortFunc(rows, func(x, y value.Map) int {
		for _, attribute := range attributes {
			if order, _ := value.Compare(x.Get(attribute.Name), y.Get(attribute.Name)); order != 0 {
				return order
			}
		}
		return 0
	})
}

// TestQueriesEqualTheirCondition checks the rows and their order, for every source.
func TestQueriesEqualTheirCondition(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	empty := 0
	n := testsize.Pick(40, 120, 1000)
	for range n {
		rows := randomRows(r, 40)
		db := newDB(t, rows...)
		for range 25 {
			q, meant := randomQuery(r, rows)
			out, err := q.run(call(db, engine.Overrides{}), nil)
			require.NoError(t, err, q.condition)
			require.Equal(t, ids(meant), ids(out.Items), "%q %s %v", q.index, q.condition, q.values)
			require.Equal(t, []int{len(meant), len(meant)}, []int{out.Count, out.ScannedCount})
			require.Nil(t, out.LastEvaluatedKey)
			if len(meant) == 0 {
				empty++
			}
		}
	}
	require.Less(t, empty, n*25*2/3, "too many found nothing to mean much")
}

// TestSegmentsCoverAScan checks that each row is in exactly one segment, for any number of
// segments.
func TestSegmentsCoverAScan(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	rows := randomRows(r, 60)
	db := newDB(t, rows...)
	scan := func(in *store.KeySchema, index *string, segment, total int64) (places []string) {
		for start := value.Map(nil); ; {
			out, err := Scan(call(db, engine.Overrides{}), scanInput(index, segment, total, start))
			require.NoError(t, err)
			for _, row := range out.Items {
				places = append(places, in.Place(row)+sources[""].Place(row))
			}
			if start = out.LastEvaluatedKey; start == nil {
				return places
			}
		}
	}
	for name, schema := range sources {
		var index *string
		if name != "" {
			index = &name
		}
		all := scan(&schema, index, 0, 1)
		require.NotEmpty(t, all)
		for _, total := range []int64{2, 3, 7, 64, 1000} {
			var shared []string
			for segment := range total {
				part := scan(&schema, index, segment, total)
				shared = append(shared, part...)
			}
			require.ElementsMatch(t, all, shared, "%d segments of %q", total, name)
		}
	}
	// the bounds of segments of a million
	covered := ""
	for _, segment := range []int64{0, 1, 499_999, 999_998, 999_999} {
		lo, hi := store.SegmentRange(segment, 1_000_000)
		require.True(t, hi == "" || lo < hi)
		require.GreaterOrEqual(t, lo, covered)
		if segment+1 < 1_000_000 {
			next, _ := store.SegmentRange(segment+1, 1_000_000)
			require.Equal(t, hi, next, "no gap and no overlap")
		}
		covered = hi
	}
	require.Empty(t, covered, "the last one has no end")
}

// TestRangeAfterAKey checks that after(place) leaves the keys of the range that follow the place.
func TestRangeAfterAKey(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	place := func() string {
		b := make([]byte, 1+r.IntN(3)) // not empty: an empty upper bound means no bound
		for i := range b {
			b[i] = []byte{0, 1, 0xfe, 0xff}[r.IntN(4)]
		}
		return string(b)
	}
	for range testsize.Pick(20_000, 50_000, 200_000) {
		all := keyRange{place(), place()}
		if r.IntN(3) == 0 {
			all.hi = ""
		}
		at, other := place(), place()
		if !all.contains(at) {
			continue
		}
		require.Equal(t, all.contains(other) && other > at, all.after(at, true).contains(other))
		require.Equal(t, all.contains(other) && other < at, all.after(at, false).contains(other))
		require.Equal(t, bytes.HasPrefix([]byte(other), []byte(at)), prefixRange([]byte(at)).contains(other))
	}
}
