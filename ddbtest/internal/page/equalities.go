package page

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// checkEqualities rejects key conditions without an equality for each attribute of the partition
// key, or for the attributes of the sort key before the last one with a condition. The messages for
// keys of several attributes name all attributes without an equality.
func checkEqualities(schema store.KeySchema, given map[string]expression.KeyComparison) error {
	if isSimple(schema) {
		return checkSimple(schema.Partition[0].Name, given)
	}
	if names := withoutEquality(schema.Partition, given); len(names) > 0 {
		return awserr.Validation("HASH key attributes %s must have equality conditions specified in the query", strings.Join(names, ", "))
	}
	return checkSort(schema.Sort, given)
}

func isSimple(schema store.KeySchema) bool {
	return len(schema.Partition) == 1 && len(schema.Sort) <= 1
}

func checkSimple(name string, given map[string]expression.KeyComparison) error {
	switch c, ok := given[name]; {
	case !ok:
		return errMissed(name)
	case c.Op != expression.Equal:
		return awserr.Validation("Query key condition not supported")
	}
	return nil
}

// checkSort rejects a gap, and a condition other than an equality before the last one.
func checkSort(sort []store.KeyAttribute, given map[string]expression.KeyComparison) error {
	var missing []string
	last := 0
	for i, a := range sort {
		if _, ok := given[a.Name]; !ok {
			missing = append(missing, a.Name)
			continue
		}
		if len(missing) > 0 {
			return errNotEqual(missing, a.Name)
		}
		last = i
	}
	if names := withoutEquality(sort[:last], given); len(names) > 0 {
		return errNotEqual(names, sort[last].Name)
	}
	return nil
}

func withoutEquality(attributes []store.KeyAttribute, given map[string]expression.KeyComparison) []string {
	var names []string
	for _, a := range attributes {
		if c, ok := given[a.Name]; !ok || c.Op != expression.Equal {
			names = append(names, a.Name)
		}
	}
	return names
}

func errNotEqual(names []string, last string) error {
	return awserr.Validation("RANGE key attributes %s must have equality conditions specified in the query because a condition is present on key attribute %s",
		strings.Join(names, ", "), last)
}
