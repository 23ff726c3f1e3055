package page

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// keyBounds converts a key condition into the encoded partition key and the range of encoded keys.
// The condition must be an equality for every attribute of the partition key. For the sort key, it
// must cover the attributes from the first one without a gap, and only the last one may have
// another operator.
func keyBounds(schema store.KeySchema, condition *expression.KeyCondition) (partition string, within keyRange, err error) {
	given := make(map[string]expression.KeyComparison, len(condition.Comparisons))
	for _, c := range condition.Comparisons {
		given[c.Attribute] = c
	}
	if err := checkCount(schema, condition, len(given)); err != nil {
		return "", keyRange{}, err
	}
	if err := checkOperands(schema, given); err != nil {
		return "", keyRange{}, err
	}
	if err := checkEqualities(schema, given); err != nil {
		return "", keyRange{}, err
	}
	equal := value.Map{}
	for _, a := range schema.Partition {
		equal = equal.With(a.Name, given[a.Name].Operands[0])
		delete(given, a.Name)
	}
	partition = schema.PartitionPlace(equal)
	place := []byte(partition)
	for i, a := range schema.Sort {
		c, ok := given[a.Name]
		if !ok {
			return partition, prefixRange(place), errUnusedCondition(schema, i, given)
		}
		delete(given, a.Name)
		if c.Op != expression.Equal {
			return partition, compareRange(place, c), errUnusedCondition(schema, i+1, given)
		}
		place = value.AppendKey(place, c.Operands[0])
	}
	return partition, prefixRange(place), errUnusedCondition(schema, len(schema.Sort), given)
}

// checkCount rejects more conditions than a key can have.
func checkCount(schema store.KeySchema, condition *expression.KeyCondition, conditions int) error {
	switch attributes := len(schema.Partition) + len(schema.Sort); {
	case condition.Legacy && isSimple(schema) && conditions > 2:
		return awserr.Validation("Conditions can be of length 1 or 2 only")
	case !condition.Legacy && conditions > attributes:
		return awserr.Validation("The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)", conditions, attributes)
	}
	return nil
}

// checkOperands rejects operators and operands that are not valid for their key attributes.
func checkOperands(schema store.KeySchema, given map[string]expression.KeyComparison) error {
	for _, a := range schema.All() {
		c, ok := given[a.Name]
		if !ok {
			continue
		}
		if c.Op == expression.NotIndexable {
			return awserr.Validation("Attempted conditional constraint is not an indexable operation")
		}
		for _, operand := range c.Operands {
			if operand.Kind() != a.Kind {
				return awserr.Validation("One or more parameter values were invalid: Condition parameter type does not match schema type")
			}
			if err := check.KeyOperand(schema, a, operand); err != nil {
				return err
			}
		}
	}
	return nil
}

// errUnusedCondition rejects conditions on attributes that are not in the key. Gap is the position
// of the first attribute of the sort key without a condition.
func errUnusedCondition(schema store.KeySchema, gap int, given map[string]expression.KeyComparison) error {
	switch {
	case len(given) == 0:
		return nil
	case gap < len(schema.Sort):
		return errMissed(schema.Sort[gap].Name)
	}
	return awserr.Validation("Query key condition not supported")
}

func errMissed(name string) error {
	return awserr.Validation("Query condition missed key schema element: %s", name)
}

// prefixRange returns the range of all keys with that prefix.
func prefixRange(place []byte) keyRange { return keyRange{string(place), store.PrefixEnd(place)} }

// compareRange returns the range of the keys with the prefix whose next component fulfills the
// comparison.
func compareRange(place []byte, c expression.KeyComparison) keyRange {
	all := prefixRange(place)
	at := func(i int) keyRange {
		return prefixRange(value.AppendKey(place[:len(place):len(place)], c.Operands[i]))
	}
	switch c.Op {
	case expression.Less:
		return keyRange{all.lo, at(0).lo}
	case expression.LessOrEqual:
		return keyRange{all.lo, at(0).hi}
	case expression.Greater:
		return keyRange{at(0).hi, all.hi}
	case expression.GreaterOrEqual:
		return keyRange{at(0).lo, all.hi}
	case expression.Between:
		return keyRange{at(0).lo, at(1).hi}
	case expression.BeginsWith:
		return prefixRange(value.AppendKeyPrefix(place[:len(place):len(place)], c.Operands[0]))
	default:
		return at(0)
	}
}
