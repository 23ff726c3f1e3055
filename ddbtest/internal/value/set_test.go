package value_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestNewSets(t *testing.T) {
	t.Parallel()
	given := []string{"b", "", "\xff", "a"}
	s, ok := value.NewStringSet(given)
	require.True(t, ok)
	require.Equal(t, value.StringSet{"", "a", "b", "\xff"}, s)
	require.Equal(t, "b", given[0], "what was given stays as it is")

	b, ok := value.NewBinarySet([]string{"\xff", "\x00", "\x80"})
	require.True(t, ok)
	require.Equal(t, value.BinarySet{"\x00", "\x80", "\xff"}, b)

	numbers := func(texts ...string) []decimal.Decimal {
		var all []decimal.Decimal
		for _, text := range texts {
			all = append(all, number(t, text))
		}
		return all
	}
	n, ok := value.NewNumberSet(numbers("10", "9", "-1", "0.5"))
	require.True(t, ok)
	require.Equal(t, value.NumberSet(numbers("-1", "0.5", "9", "10")), n)

	for _, bad := range [][]string{nil, {}, {"a", "b", "a"}, {"", ""}} {
		_, ok = value.NewStringSet(bad)
		require.False(t, ok)
		_, ok = value.NewBinarySet(bad)
		require.False(t, ok)
	}
	for _, bad := range [][]decimal.Decimal{nil, numbers("1", "2", "1.0"), numbers("0", "-0"), numbers("100", "1e2")} {
		_, ok = value.NewNumberSet(bad)
		require.False(t, ok)
	}
}

// algebra is the operations of one set type.
type algebra[S ~[]E, E comparable] struct {
	make              func([]E) (S, bool)
	union, difference func(a, b S) S
	contains          func(s S, member E) bool
	member            func(*rand.Rand) E
	compare           func(a, b E) int
}

var (
	stringSets = algebra[value.StringSet, string]{
		value.NewStringSet, value.StringSet.Union, value.StringSet.Difference, value.StringSet.Contains, text, strings.Compare,
	}
	numberSets = algebra[value.NumberSet, decimal.Decimal]{
		value.NewNumberSet, value.NumberSet.Union, value.NumberSet.Difference, value.NumberSet.Contains, decimalOf, decimal.Decimal.Cmp,
	}
	binarySets = algebra[value.BinarySet, string]{
		value.NewBinarySet, value.BinarySet.Union, value.BinarySet.Difference, value.BinarySet.Contains, text, strings.Compare,
	}
)

func TestSetAlgebra(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	inPlace, joined := stringSets, numberSets
	inPlace.difference = func(a, b value.StringSet) value.StringSet {
		left := slices.DeleteFunc(a, b.Contains)
		if len(left) == 0 {
			return nil
		}
		return left
	}
	joined.union = func(a, b value.NumberSet) value.NumberSet { return append(slices.Clone(a), b...) }
	refuted := map[string]int{}
	for range testsize.Pick(2_000, 20_000, 100_000) {
		require.NoError(t, stringSets.check(r))
		require.NoError(t, numberSets.check(r))
		require.NoError(t, binarySets.check(r))
		if inPlace.check(r) != nil {
			refuted["in place"]++
		}
		if joined.check(r) != nil {
			refuted["joined"]++
		}
	}
	require.NotZero(t, refuted["in place"], "the negative control: a difference made in place")
	require.NotZero(t, refuted["joined"], "the negative control: a union with duplicates")
	require.Nil(t, value.StringSet(nil).Difference(nil))
}

// check compares two random sets with sets made of Go maps.
func (s algebra[S, E]) check(r *rand.Rand) error {
	a, b := map[E]bool{}, map[E]bool{}
	for range 1 + r.IntN(4) {
		a[s.member(r)] = true
		b[s.member(r)] = true
	}
	both, left := map[E]bool{}, map[E]bool{}
	for m := range a {
		both[m], left[m] = true, !b[m]
	}
	for m := range b {
		both[m] = true
	}
	x, madeX := s.make(shuffled(r, s.sorted(a)))
	y, madeY := s.make(shuffled(r, s.sorted(b)))
	union, difference := s.union(x, y), s.difference(x, y)
	switch {
	case !madeX || !madeY:
		return errors.New("not made")
	case !slices.Equal(union, s.sorted(both)):
		return fmt.Errorf("the union of %v and %v is %v", x, y, union)
	case !slices.Equal(difference, s.sorted(left)) || difference != nil && len(difference) == 0:
		return fmt.Errorf("the difference of %v and %v is %v", x, y, difference)
	case !slices.Equal(x, s.sorted(a)) || !slices.Equal(y, s.sorted(b)):
		return errors.New("an operand has changed")
	}
	for m := range both {
		if s.contains(x, m) != a[m] {
			return fmt.Errorf("%v: membership of %v", x, m)
		}
	}
	return nil
}

// sorted returns the set of the members that are true in the model.
func (s algebra[S, E]) sorted(model map[E]bool) S {
	var members S
	for m, in := range model {
		if in {
			members = append(members, m)
		}
	}
	slices.SortFunc(members, s.compare)
	return members
}
