package keys_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// judge reports whether the sort templates of two entities in one item collection clash.
type judge func(a, b *keys.Template) (keys.Clash, bool)

func inOnePartition(t testing.TB) judge {
	partition := compile(t, "P#<a>", keys.Options{Partition: true})
	return func(a, b *keys.Template) (keys.Clash, bool) {
		return keys.Overlap(keys.Pair{Partition: partition, Sort: a}, keys.Pair{Partition: partition, Sort: b})
	}
}

// clashing are formats with similar texts, and values that make them clash.
var clashing = func() []formatCase {
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

func clashingShape(r *rand.Rand) shapeOf {
	s := shapeOf{raw: r.IntN(3) == 0, text: pick(r, "", "", "A#", "A#", "A#", "A#B#", "A", "1#", "2024-")}
	for i := range r.IntN(3) {
		c := pick(r, clashing...)
		if r.IntN(2) == 0 {
			c = pick(r, clashing[:5]...)
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
func contradiction(r *rand.Rand, clash bool, a, b *keys.Template, shapeA, shapeB shapeOf) error {
	if clash {
		return nil
	}
	keysOf := map[*keys.Template][]string{}
	ranges := map[*keys.Template][]keys.Range{}
	for template, s := range map[*keys.Template]shapeOf{a: shapeA, b: shapeB} {
		for range 6 {
			var tuple []keys.Value
			for _, c := range s.cases {
				tuple = append(tuple, c.value(r))
			}
			if key, err := template.Render(tuple...); err == nil {
				keysOf[template] = append(keysOf[template], key)
			}
			fixed := tuple[:r.IntN(len(tuple)+1)]
			if got, err := template.All(fixed...); err == nil {
				ranges[template] = append(ranges[template], got)
			}
			if len(fixed) < len(tuple) {
				operands := []keys.Value{tuple[len(fixed)]}
				op := pick(r, keys.Eq, keys.Lt, keys.Le, keys.Gt, keys.Ge, keys.During)
				if op == keys.During {
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

// verifyClash checks the example keys of a clash.
func verifyClash(t *testing.T, c keys.Clash, a, b *keys.Template) {
	_, err := a.Parse(c.KeyA)
	require.NoError(t, err, "%s, %s: %q", a, b, c.KeyA)
	_, err = b.Parse(c.KeyB)
	require.NoError(t, err, "%s, %s: %q", a, b, c.KeyB)
	switch {
	case c.Reason == keys.SameKey:
		require.Equal(t, c.KeyA, c.KeyB)
	case c.InnerA:
		require.True(t, c.Query.Contains(c.KeyA))
	default:
		require.True(t, c.Query.Contains(c.KeyB))
	}
}

// TestOverlap checks random templates. If there is no clash, random keys of one are neither keys of
// the other nor in its ranges. If there is a clash, its example proves it.
func TestOverlap(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	clash := inOnePartition(t)
	met := map[string]int{}
	rounds := testsize.Pick(2000, 20_000, 100_000)
	if raced {
		rounds /= 4
	}
	for range rounds {
		shapeA, shapeB := clashingShape(r), clashingShape(r)
		shapeB.raw = shapeA.raw
		a, errA := keys.Compile(shapeA.text, shapeA.options(t))
		b, errB := keys.Compile(shapeB.text, shapeB.options(t))
		if errA != nil || errB != nil {
			met["refused"]++
			continue
		}
		c, ok := clash(a, b)
		require.NoError(t, contradiction(r, ok, a, b, shapeA, shapeB), "%s, %s", a, b)
		if !ok {
			met["none"]++
			continue
		}
		met[[]string{"", "same key", "in range"}[c.Reason]]++
		verifyClash(t, c, a, b)
		_, again := clash(b, a)
		require.True(t, again, "%s, %s", a, b)
	}
	t.Log(met)
	for _, outcome := range []string{"none", "same key", "in range"} {
		require.Greater(t, met[outcome], rounds/100, outcome)
	}
}

// TestOverlapControl checks that comparing the texts before the first placeholder, a common
// approach, misses clashes.
func TestOverlapControl(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	heads := func(a, b *keys.Template) bool {
		x, _, _ := strings.Cut(a.String(), "<")
		y, _, _ := strings.Cut(b.String(), "<")
		return x == y
	}
	missed := 0
	for range 3000 {
		shapeA, shapeB := clashingShape(r), clashingShape(r)
		shapeB.raw = shapeA.raw
		a, errA := keys.Compile(shapeA.text, shapeA.options(t))
		b, errB := keys.Compile(shapeB.text, shapeB.options(t))
		if errA == nil && errB == nil && contradiction(r, heads(a, b), a, b, shapeA, shapeB) != nil {
			missed++
		}
	}
	require.Greater(t, missed, 20)
}
