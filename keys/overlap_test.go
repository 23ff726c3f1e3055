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

// overlapFunc reports whether the sort templates of two entities in one item collection overlap.
type overlapFunc func(a, b *keys.Template) (keyspace.Overlap, bool)

func inOnePartition(t testing.TB) overlapFunc {
	partition := compile(t, "P#<a>", keys.Options{Partition: true})
	return func(a, b *keys.Template) (keyspace.Overlap, bool) {
		return keyspace.FindOverlap(keyspace.CompositeKey{Partition: partition.Space(), Sort: a.Space()}, keyspace.CompositeKey{Partition: partition.Space(), Sort: b.Space()})
	}
}

// overlapCases are formats with similar texts, and values that make them overlap.
var overlapCases = func() []formatCase {
	cases := []formatCase{
		{keys.KindText, "", true, nil, nil}, {keys.KindText, "lower", true, nil, nil}, {keys.KindText, "upper", true, nil, nil},
	}
	for i := range cases {
		cases[i].value = func(r *rand.Rand) keys.Value {
			return keys.Text(pick(r, "B", "b", "1", "01", "1#", "2024-02-29", "END", "000001", "$", "2024", "00", "٣"))
		}
	}
	integers := func(r *rand.Rand) keys.Value { return keys.Int(pick[int64](r, 0, 1, 2024, 10, 99)) }
	for _, format := range []string{"raw", "04", "06", "ord", "02", "04,desc"} {
		c := formatCase{keys.KindInt, format, format != "raw", integers, nil}
		if format == "02" {
			c.value = func(r *rand.Rand) keys.Value { return keys.Int(pick[int64](r, 0, 1, 10, 99)) }
		}
		cases = append(cases, c)
	}
	for _, c := range formatCases {
		if _, layout := testLayouts[strings.TrimSuffix(c.format, ",desc")]; layout {
			// Layouts are compared conservatively: the example may be a day that no month has.
			continue
		}
		if c.kind == keys.KindTime || c.kind == keys.KindBool || c.kind == keys.KindBytes || c.kind == keys.KindFloat {
			cases = append(cases, c)
		}
	}
	return cases
}()

func overlappingTemplate(r *rand.Rand) testTemplate {
	s := testTemplate{raw: r.IntN(3) == 0, text: pick(r, "", "", "A#", "A#", "A#", "A#B#", "A", "1#", "2024-")}
	for i := range r.IntN(3) {
		c := pick(r, overlapCases...)
		if r.IntN(2) == 0 {
			c = pick(r, overlapCases[:5]...)
		}
		if i > 0 {
			s.text += pick(r, "#", "#B#", "#0")
		}
		s.text += placeholder(i, c)
		s.cases = append(s.cases, c)
	}
	switch {
	case len(s.cases) == 0:
		s.text = pick(r, "A#B", "A", "A#1", "2024", "2024-02-29", "2023-02-29", "A#END", "A#b", "1#00", "A#")
	case r.IntN(4) == 0:
		s.text += pick(r, "#", "#END", "#B")
	}
	return s
}

// contradiction searches for keys and ranges that contradict the result of a comparison.
func contradiction(r *rand.Rand, overlap bool, a, b *keys.Template, templateA, templateB testTemplate) error {
	if overlap {
		return nil
	}
	keysOf := map[*keys.Template][]string{}
	ranges := map[*keys.Template][]keyspace.Range{}
	for template, s := range map[*keys.Template]testTemplate{a: templateA, b: templateB} {
		for range 6 {
			var tuple []keys.Value
			for _, c := range s.cases {
				tuple = append(tuple, c.value(r))
			}
			if key, err := template.Render(tuple...); err == nil {
				keysOf[template] = append(keysOf[template], key)
			}
			fixed := tuple[:r.IntN(len(tuple)+1)]
			if got, err := template.Range(fixed, keyspace.All); err == nil {
				ranges[template] = append(ranges[template], got)
			}
			if len(fixed) < len(tuple) {
				operands := []keys.Value{tuple[len(fixed)]}
				op := pick(r, keyspace.Eq, keyspace.Lt, keyspace.Le, keyspace.Gt, keyspace.Ge, keyspace.During)
				if op == keyspace.During {
					operands = append(operands, s.cases[len(fixed)].value(r))
				}
				if got, err := template.Range(fixed, op, operands...); err == nil {
					ranges[template] = append(ranges[template], got)
				}
			}
		}
	}
	for _, x := range keysOf[a] {
		for _, y := range keysOf[b] {
			if x == y {
				return fmt.Errorf("%w: both render %q", errWrong, x)
			}
		}
	}
	reached := func(of, into *keys.Template) error {
		for _, key := range keysOf[of] {
			for _, query := range ranges[into] {
				if query.Contains(key) {
					return fmt.Errorf("%w: %q is within %v", errWrong, key, query)
				}
			}
		}
		return nil
	}
	return errors.Join(reached(a, b), reached(b, a))
}

// verifyOverlap checks the example keys of an overlap.
func verifyOverlap(t *testing.T, o keyspace.Overlap, a, b *keys.Template) {
	_, err := a.Parse(o.KeyA)
	require.NoError(t, err, "%s, %s: %q", a, b, o.KeyA)
	_, err = b.Parse(o.KeyB)
	require.NoError(t, err, "%s, %s: %q", a, b, o.KeyB)
	switch {
	case o.Kind == keyspace.SameKey:
		require.Equal(t, o.KeyA, o.KeyB)
	case o.QueryOfB:
		require.True(t, o.Query.Contains(o.KeyA))
	default:
		require.True(t, o.Query.Contains(o.KeyB))
	}
}

// TestOverlap checks random templates. If there is no overlap, random keys of one are neither keys
// of the other nor in its ranges. If there is an overlap, its example proves it.
func TestOverlap(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	find := inOnePartition(t)
	counts := map[string]int{}
	rounds := testsize.Pick(2000, 5_000, 100_000)
	for range rounds {
		templateA, templateB := overlappingTemplate(r), overlappingTemplate(r)
		templateB.raw = templateA.raw
		a, errA := keys.Compile(templateA.text, templateA.options(t))
		b, errB := keys.Compile(templateB.text, templateB.options(t))
		if errA != nil || errB != nil {
			counts["invalid"]++
			continue
		}
		o, ok := find(a, b)
		require.NoError(t, contradiction(r, ok, a, b, templateA, templateB), "%s, %s", a, b)
		if !ok {
			counts["none"]++
			continue
		}
		counts[[]string{"", "same key", "in range"}[o.Kind]]++
		verifyOverlap(t, o, a, b)
		_, again := find(b, a)
		require.True(t, again, "%s, %s", a, b)
	}
	t.Log(counts)
	for _, outcome := range []string{"none", "same key", "in range"} {
		require.Greater(t, counts[outcome], rounds/100, outcome)
	}
}

// TestOverlapControl checks that comparing the texts before the first placeholder, a common
// approach, misses overlaps.
func TestOverlapControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	heads := func(a, b *keys.Template) bool {
		x, _, _ := strings.Cut(a.String(), "<")
		y, _, _ := strings.Cut(b.String(), "<")
		return x == y
	}
	missed := 0
	for range 3000 {
		templateA, templateB := overlappingTemplate(r), overlappingTemplate(r)
		templateB.raw = templateA.raw
		a, errA := keys.Compile(templateA.text, templateA.options(t))
		b, errB := keys.Compile(templateB.text, templateB.options(t))
		if errA == nil && errB == nil && contradiction(r, heads(a, b), a, b, templateA, templateB) != nil {
			missed++
		}
	}
	require.Greater(t, missed, 20)
}
