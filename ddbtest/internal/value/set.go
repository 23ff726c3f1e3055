package value

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

type (
	// StringSet is a set of texts: sorted by their bytes, never empty. The holder may not change it.
	StringSet []string
	// NumberSet is a set of numbers: sorted, never empty. The holder may not change it.
	NumberSet []decimal.Decimal
	// BinarySet is a set of byte strings: sorted as unsigned bytes, never empty. The holder may not change it.
	BinarySet []string
)

// NewStringSet makes a set of members in any order; false where there are none, or one appears twice.
func NewStringSet(members []string) (StringSet, bool) {
	return newSet(members, strings.Compare)
}

// NewNumberSet makes a set of members in any order; false where there are none, or one appears twice, in whatever spelling.
func NewNumberSet(members []decimal.Decimal) (NumberSet, bool) {
	return newSet(members, decimal.Decimal.Cmp)
}

// NewBinarySet makes a set of members in any order; false where there are none, or one appears twice.
func NewBinarySet(members []string) (BinarySet, bool) {
	return newSet(members, strings.Compare)
}

// Contains tells whether a text is a member.
func (s StringSet) Contains(member string) bool { return contains(s, member, strings.Compare) }

// Contains tells whether a number is a member.
func (s NumberSet) Contains(member decimal.Decimal) bool {
	return contains(s, member, decimal.Decimal.Cmp)
}

// Contains tells whether a byte string is a member.
func (s BinarySet) Contains(member string) bool { return contains(s, member, strings.Compare) }

// Union is the set of the members of s and of o.
func (s StringSet) Union(o StringSet) StringSet { return union(s, o, strings.Compare) }

// Union is the set of the members of s and of o.
func (s NumberSet) Union(o NumberSet) NumberSet { return union(s, o, decimal.Decimal.Cmp) }

// Union is the set of the members of s and of o.
func (s BinarySet) Union(o BinarySet) BinarySet { return union(s, o, strings.Compare) }

// Difference is the set of the members of s that o has not; nil where none is left, for a set is never empty.
func (s StringSet) Difference(o StringSet) StringSet { return difference(s, o, strings.Compare) }

// Difference is the set of the members of s that o has not; nil where none is left, for a set is never empty.
func (s NumberSet) Difference(o NumberSet) NumberSet { return difference(s, o, decimal.Decimal.Cmp) }

// Difference is the set of the members of s that o has not; nil where none is left, for a set is never empty.
func (s BinarySet) Difference(o BinarySet) BinarySet { return difference(s, o, strings.Compare) }

// The functions below keep a set as a sorted slice without duplicates.

func newSet[E any](members []E, compare func(a, b E) int) ([]E, bool) {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, compare)
	for i := 1; i < len(sorted); i++ {
		if compare(sorted[i-1], sorted[i]) == 0 {
			return nil, false
		}
	}
	return sorted, len(sorted) > 0
}

func contains[E any](s []E, member E, compare func(a, b E) int) bool {
	_, found := slices.BinarySearchFunc(s, member, compare)
	return found
}

func union[E any](a, b []E, compare func(a, b E) int) []E {
	merged := make([]E, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		order := compare(a[0], b[0])
		if order <= 0 {
			merged = append(merged, a[0])
			a = a[1:]
		} else {
			merged = append(merged, b[0])
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

func difference[E any](a, b []E, compare func(a, b E) int) []E {
	var left []E
	for _, member := range a {
		if !contains(b, member, compare) {
			left = append(left, member)
		}
	}
	return left
}
