package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// difference is one fact on which two engines disagree.
type difference struct {
	what                 string // the name of the fact
	reference, candidate string
}

func (d difference) String() string {
	return fmt.Sprintf("%s\n    reference: %s\n    candidate: %s", d.what, d.reference, d.candidate)
}

// Names of facts that every outcome has, or that explanations check.
const (
	factError    = "error"
	factCapacity = "capacity of "
)

// absent is the value of a fact that one side does not have.
const absent = "absent"

// compare returns the differences between two outcomes of one operation, except those of pages.
// Errors are compared by code, never by message.
func compare(reference, candidate outcome) []difference {
	if reference.code != candidate.code {
		return []difference{{factError, strings.TrimSpace(reference.code + " " + reference.message), strings.TrimSpace(candidate.code + " " + candidate.message)}}
	}
	return append(compareFacts(reference.facts, candidate.facts), compareCapacity(reference.capacity, candidate.capacity)...)
}

func compareFacts(reference, candidate map[string]string) []difference {
	var all []difference
	for _, name := range union(reference, candidate) {
		r, okR := reference[name]
		c, okC := candidate[name]
		if !okR {
			r = absent
		}
		if !okC {
			c = absent
		}
		if r != c {
			all = append(all, difference{name, r, c})
		}
	}
	return all
}

// compareCapacity treats absent units as 0.
func compareCapacity(reference, candidate map[string]float64) []difference {
	if reference == nil || candidate == nil { // unknown
		return nil
	}
	var all []difference
	for _, name := range union(reference, candidate) {
		if r, c := reference[name], candidate[name]; r != c {
			all = append(all, difference{factCapacity + name, fmt.Sprint(r), fmt.Sprint(c)})
		}
	}
	return all
}

func union[V any](a, b map[string]V) []string {
	names := maps.Clone(a)
	maps.Copy(names, b)
	return slices.Sorted(maps.Keys(names))
}

// compareLists compares ordered lists.
func compareLists(what string, reference, candidate []string) []difference {
	if slices.Equal(reference, candidate) {
		return nil
	}
	return []difference{{what, strings.Join(reference, "\n      "), strings.Join(candidate, "\n      ")}}
}

// compareNumbers compares two counts.
func compareNumbers(what string, reference, candidate int) []difference {
	if reference == candidate {
		return nil
	}
	return []difference{{what, fmt.Sprint(reference), fmt.Sprint(candidate)}}
}
