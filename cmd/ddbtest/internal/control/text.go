package control

import (
	"maps"
	"slices"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

// untilSettled is the lag that ends only when the database is settled.
const untilSettled = "untilSettled"

// ParseLag parses a lag: a duration, or "untilSettled".
func ParseLag(text string) (d time.Duration, ok bool) {
	if text == untilSettled {
		return ddbtest.UntilSettled, true
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

func formatLag(d time.Duration) string {
	if d == ddbtest.UntilSettled {
		return untilSettled
	}
	return d.String()
}

const durationCure = `write a duration such as "300ms", "2s" or "192h"`

// duration parses the duration of a member.
func duration(field, text string) (time.Duration, []strict.Problem) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, []strict.Problem{{Field: field, Message: "is not a duration", Cure: durationCure}}
	}
	return d, nil
}

// required returns the problem of a required member that is absent.
func required(field string, present bool) []strict.Problem {
	if present {
		return nil
	}
	return []strict.Problem{{Field: field, Message: "is required"}}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// orEmpty returns an empty list for nil, so that the JSON is never null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
