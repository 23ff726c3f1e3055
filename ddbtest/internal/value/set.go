package value

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

type (
	// StringSet is a sorted, non-empty set of strings. It must not be changed.
	StringSet []string
	// NumberSet is a sorted, non-empty set of numbers. It must not be changed.
	NumberSet []decimal.Decimal
	// BinarySet is a non-empty set of binary values, sorted as unsigned bytes. It must not be
	// changed.
	BinarySet []string
)

// NewStringSet makes a set of members in any order. It returns false if there are none, or if one
// appears twice.
func NewStringSet(members []string) (StringSet, bool) {
	return newSet(members, strings.Compare)
}

// NewNumberSet makes a set of members in any order. It returns false if there are none, or if two
// are equal.
func NewNumberSet(members []decimal.Decimal) (NumberSet, bool) {
	return newSet(members, decimal.Decimal.Cmp)
}

// NewBinarySet makes a set of members in any order. It returns false if there are none, or if one
// appears twice.
func NewBinarySet(members []string) (BinarySet, bool) {
	return newSet(members, strings.Compare)
}

// Contains reports whether a string is a member.
func (s StringSet) Contains(member string) bool { return contains(s, member, strings.Compare) }

// Contains reports whether a number is a member.
func (s NumberSet) Contains(member decimal.Decimal) bool {
	return contains(s, member, decimal.Decimal.Cmp)
}

// Contains reports whether a binary value is a member.
func (s BinarySet) Contains(member string) bool { return contains(s, member, strings.Compare) }

// Union returns the set of the members of s and of o.
func (s StringSet) Union(o StringSet) StringSet { return union(s, o, strings.Compare) }

// Union returns the set of the members of s and of o.
func (s NumberSet) Union(o NumberSet) NumberSet { return union(s, o, decimal.Decimal.Cmp) }

// Union returns the set of the members of s and of o.
func (s BinarySet) Union(o BinarySet) BinarySet { return union(s, o, strings.Compare) }

// Difference returns the members of s that are not in o. It is nil if none is left, because a set
// is never empty.
func (s StringSet) Difference(o StringSet) StringSet { return difference(s, o, strings.Compare) }

// Difference returns the members of s that are not in o. It is nil if none is left, because a set
// is never empty.
func (s NumberSet) Difference(o NumberSet) NumberSet { return difference(s, o, decimal.Decimal.Cmp) }

// Difference returns the members of s that are not in o. It is nil if none is left, because a set
// is never empty.
func (s BinarySet) Difference(o BinarySet) BinarySet { return difference(s, o, strings.Compare) }

// The functions below implement a set as a sorted slice without duplicates.

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
