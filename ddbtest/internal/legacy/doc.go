// Package legacy converts the legacy parameters, the predecessors of expressions, to the plans of
// package expression: AttributesToGet, KeyConditions, QueryFilter, ScanFilter, Expected,
// ConditionalOperator and AttributeUpdates. There is no other evaluator.
//
// Names of attributes are plain names: "a.b" is one name. Parameters are validated in the order of
// their attributes' names, so that the error does not depend on the order of a Go map. The service
// does not specify its order.
package legacy

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

const maxName = 65535 // bytes of an attribute name

func checkName(name string) error {
	switch {
	case name == "":
		return awserr.Validation("Empty attribute name")
	case len(name) > maxName:
		return awserr.Validation("Attribute name is too large, must be less than 65536 bytes")
	}
	return nil
}

// each calls f for the entries of a parameter, in the order of the names.
func each[V any](entries map[string]V, f func(name string, v V) error) error {
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if err := checkName(name); err != nil {
			return err
		}
		if err := f(name, entries[name]); err != nil {
			return err
		}
	}
	return nil
}

func invalid(format string, args ...any) error {
	return awserr.Validation("One or more parameter values were invalid: "+format, args...)
}
