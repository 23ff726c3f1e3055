package partiql

import (
	"bytes"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/page"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Limits of a SELECT that reads several partitions: their number, and the items of a page.
const (
	maxPartitions = 50
	maxItems      = 10
)

// compileRead checks the expressions of a SELECT, and returns its projection, or nil for all
// attributes. It needs no table.
func (p *prepared) compileRead() (*expression.Projection, error) {
	s := p.selection()
	if _, err := p.condition(s.Where); err != nil || s.Paths == nil {
		return nil, err
	}
	return expression.BuildProjection(s.Paths)
}

// planRead plans a SELECT of a table, or of an index with that key. It reads only the partitions
// that the condition allows. If it does not restrict them by equalities or IN, that is a scan.
func (p *prepared) planRead(t *store.Table, key store.KeySchema) (plan page.Plan, err error) {
	if err := checkKeyAttributes(key); err != nil {
		return plan, err
	}
	s := p.selection()
	for _, schema := range []store.KeySchema{key, t.Key} {
		if err := p.checkOperands(s.Where, schema); err != nil {
			return plan, err
		}
	}
	rest := conjuncts(s.Where)
	partitions, rest, err := p.partitions(key, rest)
	if err != nil {
		return plan, err
	}
	plan.Scan = partitions == nil
	if err := checkOrder(s, key, plan.Scan); err != nil {
		return plan, err
	}
	plan.Backward = descends(s, key.Sort)
	if !plan.Scan {
		var sort []expression.KeyComparison
		sort, rest = p.sortConditions(key, rest)
		plan.Partitions = keyConditions(partitions, sort, key, descends(s, key.Partition))
		if len(partitions) > 1 {
			plan.MaxItems = maxItems
		}
	}
	plan.AnyFilter = !p.restricts(key, s.Where)
	plan.Filter, err = p.condition(conjunction(rest))
	return plan, err
}

// checkKeyAttributes rejects the key of a global index that has several partition key attributes or
// several sort key attributes.
func checkKeyAttributes(key store.KeySchema) error {
	if len(key.Partition) > 1 || len(key.Sort) > 1 {
		return awserr.Validation("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")
	}
	return nil
}

// restricts reports whether a condition restricts the partition key other than by an OR.
func (p *prepared) restricts(key store.KeySchema, condition Node) bool {
	direct := slices.DeleteFunc(conjuncts(condition), func(n Node) bool {
		o, ok := n.(*Operation)
		return ok && o.Symbol == symbolOr
	})
	partitions, _, err := p.partitions(key, direct)
	return err == nil && partitions != nil
}

// partitions returns the partition keys that the conditions allow, and the conditions that remain.
// It is nil if there may be others.
func (p *prepared) partitions(key store.KeySchema, conditions []Node) (partitions []value.Map, rest []Node, err error) {
	partitions, rest = []value.Map{{}}, conditions
	for _, a := range key.Partition {
		var values []value.Value
		var left []Node
		some := false
		for _, n := range rest {
			among, known, exact := p.among(n, a.Name)
			switch {
			case known && some:
				values = common(values, among)
			case known:
				values, some = among, true
			}
			if !known || !exact {
				left = append(left, n)
			}
		}
		if !some {
			return nil, conditions, nil
		}
		if partitions, err = product(partitions, a.Name, values); err != nil {
			return nil, nil, err
		}
		rest = left
	}
	return partitions, rest, nil
}

// product adds each of the values to each of the partition keys.
func product(partitions []value.Map, name string, values []value.Value) ([]value.Map, error) {
	distinct := map[string]bool{}
	all := []value.Map{}
	for _, v := range values {
		id := string(value.AppendKey(nil, v))
		if distinct[id] {
			continue
		}
		distinct[id] = true
		for _, m := range partitions {
			all = append(all, m.With(name, v))
		}
	}
	if len(all) > maxPartitions {
		return nil, awserr.Validation("The IN operator is provided with too many operands; number of operands: %d", len(all))
	}
	return all, nil
}

// sortConditions returns the key conditions on the sort key, and the conditions that remain. Only
// the last attribute of the key has another condition than an equality.
func (p *prepared) sortConditions(key store.KeySchema, conditions []Node) (sort []expression.KeyComparison, rest []Node) {
	rest = slices.Clone(conditions)
	for _, a := range key.Sort {
		i := slices.IndexFunc(rest, func(n Node) bool {
			c, ok := p.keyComparison(n)
			return ok && c.Attribute == a.Name
		})
		if i < 0 {
			return sort, rest
		}
		c, _ := p.keyComparison(rest[i])
		sort, rest = append(sort, c), slices.Delete(rest, i, i+1)
		if c.Op != expression.Equal {
			return sort, rest
		}
	}
	return sort, rest
}

// keyConditions returns the key condition of each partition, in the order of the partition keys.
func keyConditions(partitions []value.Map, sort []expression.KeyComparison, key store.KeySchema, descending bool) []*expression.KeyCondition {
	slices.SortFunc(partitions, func(a, b value.Map) int {
		order := bytes.Compare(orderOf(a, key), orderOf(b, key))
		if descending {
			return -order
		}
		return order
	})
	conditions := make([]*expression.KeyCondition, len(partitions))
	for i, partition := range partitions {
		c := &expression.KeyCondition{}
		for _, a := range partition {
			c.Comparisons = append(c.Comparisons, expression.KeyComparison{Attribute: a.Name, Op: expression.Equal, Operands: []value.Value{a.Value}})
		}
		c.Comparisons = append(c.Comparisons, sort...)
		conditions[i] = c
	}
	return conditions
}

// orderOf encodes a partition key in the order of its values.
func orderOf(partition value.Map, key store.KeySchema) (encoded []byte) {
	for _, a := range key.Partition {
		encoded = value.AppendKey(encoded, partition.Get(a.Name))
	}
	return encoded
}

// checkOrder rejects an ORDER BY of what is no key, or of a scan.
func checkOrder(s *Select, key store.KeySchema, scan bool) error {
	switch {
	case len(s.Order) == 0:
		return nil
	case s.Where == nil:
		return awserr.Validation("Must have WHERE clause in the statement when using ORDER BY clause.")
	case scan:
		return awserr.Validation("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	}
	for _, o := range s.Order {
		if !key.Has(o.Key) {
			return awserr.Validation("Variable reference %s in ORDER BY clause must be part of the primary key", o.Key)
		}
	}
	return nil
}

// descends reports whether the first of the attributes in ORDER BY is in descending order.
func descends(s *Select, attributes []store.KeyAttribute) bool {
	for _, o := range s.Order {
		if slices.ContainsFunc(attributes, func(a store.KeyAttribute) bool { return a.Name == o.Key }) {
			return o.Descending
		}
	}
	return false
}
