package value_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// number parses a number.
func number(tb testing.TB, text string) decimal.Decimal {
	tb.Helper()
	d, err := decimal.Parse(text)
	require.NoError(tb, err)
	return d
}

// Random strings, names and numbers come from small sets, so that they collide. They contain many
// bytes that end or escape a key component.

func text(r *rand.Rand) string {
	made := make([]byte, r.IntN(5))
	for i := range made {
		made[i] = "\x00\x01\x02a\xfe\xff"[r.IntN(6)]
	}
	return string(made)
}

func name(r *rand.Rand) string { return []string{"a", "b", "c", "ä"}[r.IntN(4)] }

func decimalOf(r *rand.Rand) decimal.Decimal {
	texts := []string{"0", "1", "2", "10", "-1", "-2", "-10", "0.5", "12", "1.2", "100", "1e-130", "-9e125", "12.01"}
	d, _ := decimal.Parse(texts[r.IntN(len(texts))])
	return d
}

func several[T any](r *rand.Rand, one func(*rand.Rand) T) []T {
	made := make([]T, 1+r.IntN(3))
	for i := range made {
		made[i] = one(r)
	}
	return made
}

// anyValue returns a random value of at most that many levels.
func anyValue(r *rand.Rand, levels int) value.Value {
	kinds := 10
	if levels == 1 {
		kinds = 8
	}
	switch value.Kind(r.IntN(kinds)) {
	case 0:
		return value.String(text(r))
	case 1:
		return value.Number{Decimal: decimalOf(r)}
	case 2:
		return value.Binary(text(r))
	case 3:
		return value.Bool(r.IntN(2) == 0)
	case 4:
		return value.Null{}
	case 5:
		if s, ok := value.NewStringSet(several(r, text)); ok {
			return s
		}
	case 6:
		if s, ok := value.NewNumberSet(several(r, decimalOf)); ok {
			return s
		}
	case 7:
		if s, ok := value.NewBinarySet(several(r, text)); ok {
			return s
		}
	case 8:
		list := make(value.List, r.IntN(3))
		for i := range list {
			list[i] = anyValue(r, levels-1)
		}
		return list
	}
	if levels == 1 {
		return value.Null{}
	}
	return anyMap(r, levels)
}

func anyMap(r *rand.Rand, levels int) value.Map {
	var attributes []value.Attribute
	for range r.IntN(4) {
		attributes = append(attributes, value.Attribute{Name: name(r), Value: anyValue(r, levels-1)})
	}
	return value.MapOf(attributes...)
}

// spell formats a value so that two values are equal exactly if their texts are. It is the oracle
// of Equal.
func spell(v value.Value) string {
	if v == nil {
		return "none"
	}
	kind := v.Kind().String()
	switch v := v.(type) {
	case value.List:
		return kind + "[" + spellAll(v, spell) + "]"
	case value.Map:
		return kind + "{" + spellAll(v, func(a value.Attribute) string { return fmt.Sprintf("%q:%s", a.Name, spell(a.Value)) }) + "}"
	case value.StringSet:
		return kind + "(" + spellAll(v, quote) + ")"
	case value.BinarySet:
		return kind + "(" + spellAll(v, quote) + ")"
	case value.NumberSet:
		return kind + "(" + spellAll(v, decimal.Decimal.String) + ")"
	case value.Number:
		return kind + v.String()
	}
	return kind + fmt.Sprintf("%q", fmt.Sprint(v))
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

func spellAll[T any](elements []T, one func(T) string) string {
	var spelled []string
	for _, e := range elements {
		spelled = append(spelled, one(e))
	}
	return strings.Join(spelled, ",")
}

// shuffled returns a copy in random order.
func shuffled[T any](r *rand.Rand, s []T) []T {
	c := slices.Clone(s)
	r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	return c
}
