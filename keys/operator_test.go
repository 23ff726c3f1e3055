package keys_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// ranger is the subject of the operator tests: a template, or the naive join.
type ranger interface {
	Render(...keys.Value) (string, error)
	Range([]keys.Value, keyspace.Op, ...keys.Value) (keyspace.Range, error)
}

// testTemplate is a random template: its text and the format of each placeholder.
type testTemplate struct {
	text  string
	cases []formatCase
	raw   bool
}

func (s testTemplate) options(t testing.TB) keys.Options {
	return keys.Options{Kind: kinds(s.cases), Raw: s.raw, Formats: testFormats(t)}
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func randomTemplate(r *rand.Rand, raw bool) testTemplate {
	s := testTemplate{text: pick(r, "", "A#", "EMP#", "team-", "#M#"), raw: raw}
	for i := range 1 + r.IntN(3) {
		c := formatCases[r.IntN(len(formatCases))]
		if r.IntN(2) == 0 {
			c = formatCases[0]
		}
		if raw && c.kind == keys.KindText {
			c = formatCase{keys.KindText, "", true, rawText, formatCases[0].kept}
		}
		if i > 0 {
			s.text += pick(r, "#", "#", "#B#", "#-")
		}
		s.text += placeholder(i, c)
		s.cases = append(s.cases, c)
	}
	s.text += pick(r, "", "", "", "#", "#END")
	return s
}

// rawText returns text without the delimiter and the bytes below it, for which raw mode guarantees
// no order.
func rawText(r *rand.Rand) keys.Value {
	return textOf(r, []rune{'$', '%', 'a', 'b', '1', 0x7f, 'é', 0xFFFF, 0x10FFFF})
}

// pool returns a few tuples that share values, so that equal values occur.
func (s testTemplate) pool(r *rand.Rand) [][]keys.Value {
	columns := make([][]keys.Value, len(s.cases))
	for i, c := range s.cases {
		for range 3 {
			columns[i] = append(columns[i], c.value(r))
		}
	}
	tuples := make([][]keys.Value, 12)
	for i := range tuples {
		for _, column := range columns {
			tuples[i] = append(tuples[i], pick(r, column...))
		}
	}
	return tuples
}

func (s testTemplate) kept(tuple []keys.Value) []keys.Value {
	out := make([]keys.Value, len(tuple))
	for i, v := range tuple {
		out[i] = s.cases[i].kept(v)
	}
	return out
}

// comparison is one comparison for a template.
type comparison struct {
	fixed    []keys.Value
	op       keyspace.Op
	operands []keys.Value
}

func (s testTemplate) comparison(r *rand.Rand, pool [][]keys.Value) comparison {
	at := r.IntN(len(s.cases))
	c := s.cases[at]
	q := comparison{op: keyspace.Eq + keyspace.Op(r.IntN(int(keyspace.During-keyspace.Eq)+1))}
	q.fixed = s.kept(pick(r, pool...))[:at]
	operand := func() keys.Value {
		if r.IntN(5) == 0 {
			return c.kept(c.value(r))
		}
		return c.kept(pick(r, pool...)[at])
	}
	q.operands = []keys.Value{operand()}
	switch {
	case q.op == keyspace.BeginsWith && c.kind == keys.KindText:
		text := []rune(q.operands[0].Text())
		q.operands[0] = keys.Text(string(text[:1+r.IntN(len(text))]))
	case q.op == keyspace.BeginsWith && c.kind == keys.KindBytes:
	case q.op == keyspace.BeginsWith || q.op > keyspace.Eq && !c.ordered:
		q.op = keyspace.Eq
	case q.op == keyspace.Between || q.op == keyspace.During:
		q.operands = append(q.operands, operand())
		if compareValues(q.operands[0], q.operands[1]) > 0 {
			q.operands[0], q.operands[1] = q.operands[1], q.operands[0]
		}
	}
	return q
}

// matches reports whether the kept values match the comparison.
func (q comparison) matches(kept []keys.Value) bool {
	for i, v := range q.fixed {
		if !v.Equal(kept[i]) {
			return false
		}
	}
	v := kept[len(q.fixed)]
	if q.op == keyspace.BeginsWith {
		return strings.HasPrefix(v.Text()+string(v.Bytes()), q.operands[0].Text()+string(q.operands[0].Bytes()))
	}
	order := compareValues(v, q.operands[0])
	switch q.op {
	case keyspace.Eq:
		return order == 0
	case keyspace.Lt:
		return order < 0
	case keyspace.Le:
		return order <= 0
	case keyspace.Gt:
		return order > 0
	case keyspace.Ge:
		return order >= 0
	}
	end := compareValues(v, q.operands[1])
	return order >= 0 && (end < 0 || end == 0 && q.op == keyspace.Between)
}

// check returns the range of a comparison, and an error if the range does not match the pool.
func (s testTemplate) check(t ranger, pool [][]keys.Value, q comparison) (keyspace.Range, error) {
	got, err := t.Range(q.fixed, q.op, q.operands...)
	if err != nil {
		return got, err
	}
	for _, tuple := range pool {
		key, err := t.Render(tuple...)
		if err != nil {
			return got, err
		}
		if want := q.matches(s.kept(tuple)); got.Contains(key) != want {
			return got, fmt.Errorf("%w: %q of %q, after %d fixed: range %v, wanted %t of %q", errWrong, q.op, s.text, len(q.fixed), got, want, key)
		}
	}
	return got, nil
}

var errWrong = errors.New("wrong answer")

// TestOperators checks that a range contains exactly the keys whose kept values match the
// comparison.
func TestOperators(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, raw := range []bool{false, true} {
		t.Run(fmt.Sprintf("raw=%t", raw), func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			counts, results := map[keyspace.Op]int{}, map[keyspace.Op]int{}
			rounds := testsize.Pick(3000, 5_000, 100_000)
			for range rounds {
				s := randomTemplate(r, raw)
				template := compile(t, s.text, s.options(t))
				pool := s.pool(r)
				for range 8 {
					q := s.comparison(r, pool)
					got, err := s.check(template, pool, q)
					require.NoError(t, err)
					require.LessOrEqual(t, max(len(got.Lo), len(got.Hi)), 1024)
					counts[q.op]++
					results[got.Op]++
				}
			}
			t.Log(counts, results)
			for op := keyspace.Eq; op <= keyspace.During; op++ {
				require.Greater(t, counts[op], rounds/20, op)
			}
			for _, op := range []keyspace.Op{keyspace.None, keyspace.Eq, keyspace.BeginsWith, keyspace.Between, keyspace.Lt, keyspace.Le, keyspace.Gt, keyspace.Ge} {
				require.Positive(t, results[op], op)
			}
		})
	}
}

// TestOperatorsControl checks that the naive join with prefix bounds gives wrong results for every
// operator.
func TestOperatorsControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	wrong := map[keyspace.Op]int{}
	for range 3000 {
		s := randomTemplate(r, false)
		pool := s.pool(r)
		for range 8 {
			q := s.comparison(r, pool)
			if _, err := s.check(naive{s.text}, pool, q); errors.Is(err, errWrong) {
				wrong[q.op]++
			}
		}
	}
	for op := keyspace.Eq; op <= keyspace.During; op++ {
		require.Positive(t, wrong[op], op)
	}
}

// TestRangeOfAll checks that the range of the operator All contains exactly the keys that start
// with the fixed values.
func TestRangeOfAll(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	for range testsize.Pick(3000, 5_000, 100_000) {
		s := randomTemplate(r, r.IntN(2) == 0)
		template := compile(t, s.text, s.options(t))
		pool := s.pool(r)
		fixed := s.kept(pick(r, pool...))[:r.IntN(len(s.cases)+1)]
		got, err := template.Range(fixed, keyspace.All)
		require.NoError(t, err)
		if len(fixed) == len(s.cases) {
			require.Equal(t, keyspace.Eq, got.Op)
		}
		for _, tuple := range pool {
			want := true
			for i, v := range fixed {
				want = want && v.Equal(s.kept(tuple)[i])
			}
			key, err := template.Render(tuple...)
			require.NoError(t, err)
			require.Equal(t, want, got.Contains(key), "%q: %q", s.text, key)
		}
	}
}

// TestRoundTrip checks that Parse returns the kept values, and the exact values of lossless
// formats.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	for range testsize.Pick(5_000, 15_000, 300_000) {
		s := randomTemplate(r, r.IntN(2) == 0)
		template := compile(t, s.text, s.options(t))
		tuple := s.pool(r)[0]
		key, err := template.Render(tuple...)
		require.NoError(t, err)
		back, err := template.Parse(key)
		require.NoError(t, err, "%q: %q", s.text, key)
		for i, v := range back {
			require.True(t, v.Equal(s.cases[i].kept(tuple[i])), "%q: %q", s.text, key)
			require.True(t, !template.Lossless(i) || v.Equal(tuple[i]), s.cases[i])
		}
		for k := range tuple {
			prefix, err := template.Prefix(tuple[:k]...)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(key, prefix))
		}
	}
}
