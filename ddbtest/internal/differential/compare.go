package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// difference is one thing that two engines answered differently.
type difference struct {
	what                 string // the name of a fact
	reference, candidate string
}

func (d difference) String() string {
	return fmt.Sprintf("%s\n    reference: %s\n    candidate: %s", d.what, d.reference, d.candidate)
}

// The names of the facts that every outcome has, or that explanations speak of.
const (
	factError    = "error"
	factCapacity = "capacity of "
)

// absent stands for a fact that one side did not state.
const absent = "absent"

// compare names what two outcomes of one operation differ in, pages aside. Errors are compared by their codes, never by their texts.
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

// compareCapacity takes units that are absent for none.
func compareCapacity(reference, candidate map[string]float64) []difference {
	if reference == nil || candidate == nil { // it is not known
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

// compareLists compares what has an order.
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
