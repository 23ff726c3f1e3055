package service

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// pageAccess is what a Query or a Scan reads.
type pageAccess struct {
	table, sel, capacity          string
	index                         *string
	condition, filter, projection *string
	api.Expressions
	attributesToGet             []string
	keyConditions, legacyFilter map[string]api.Condition
}

// addPage adds a Query or a Scan, whose resource is the index if it reads one.
func (b *accessBuilder) addPage(p pageAccess) {
	k := keys{
		policy.Select:                 {selectOf(p.sel, p.index != nil, p.projection != nil || p.attributesToGet != nil)},
		policy.ReturnConsumedCapacity: {orNone(p.capacity)},
	}
	x := b.addNames(k, expressions{
		key: p.condition, filter: p.filter, kind: "FilterExpression", projection: p.projection, Expressions: p.Expressions,
		keyConditions: p.keyConditions, attributes: slices.AppendSeq(slices.Clone(p.attributesToGet), maps.Keys(p.legacyFilter)),
	})
	if x != nil {
		addLeadingKeys(k, b.partition(p.table, p.index), []value.Map{equalities(x)})
	}
	b.add(b.operation, p.table, k)
	if p.index != nil {
		b.list[len(b.list)-1].Resource += "/index/" + *p.index
	}
}

// selectOf returns the value of Select, or what DynamoDB does if it is absent.
func selectOf(sel string, index, projection bool) string {
	switch {
	case sel != "":
		return sel
	case projection:
		return "SPECIFIC_ATTRIBUTES"
	case index:
		return "ALL_PROJECTED_ATTRIBUTES"
	default:
		return "ALL_ATTRIBUTES"
	}
}

// equalities returns the attributes that a key condition compares for equality.
func equalities(k *expression.KeyCondition) value.Map {
	var equal value.Map
	for _, c := range k.Comparisons {
		if c.Op == expression.Equal && len(c.Operands) == 1 {
			equal = equal.With(c.Attribute, c.Operands[0])
		}
	}
	return equal
}

// partition returns the partition key of a table or of its index. It is empty if there is none, and
// then the request fails.
func (b *accessBuilder) partition(table string, index *string) []store.KeyAttribute {
	t := b.state.Tables[api.TableName(table)]
	switch {
	case t == nil:
		return nil
	case index == nil:
		return t.Key.Partition
	}
	if ix := t.Index(*index); ix != nil {
		return ix.Key.Partition
	}
	return nil
}

// keysOf returns the leading keys of items of a table, and the names of their attributes.
func (b *accessBuilder) keysOf(table string, items []value.Map) keys {
	k := keys{}
	addLeadingKeys(k, b.partition(table, nil), items)
	for _, i := range items {
		for _, a := range i {
			addTo(k, policy.Attributes, a.Name)
		}
	}
	return k
}

// partitionKeys are the condition keys of the attributes of a partition key, in order.
var partitionKeys = [...]string{policy.FirstPartition, policy.SecondPartition, policy.ThirdPartition, policy.FourthPartition}

func addLeadingKeys(k keys, partition []store.KeyAttribute, items []value.Map) {
	for i, a := range partition {
		for _, item := range items {
			text, ok := keyText(item.Get(a.Name))
			if !ok || i >= len(partitionKeys) {
				continue
			}
			addTo(k, partitionKeys[i], text)
			if i == 0 {
				addTo(k, policy.LeadingKeys, text)
			}
		}
	}
}

// expressions are the expressions and the legacy parameters of one request.
type expressions struct {
	key, filter, projection, update *string
	kind                            string // of the filter
	api.Expressions

	keyConditions map[string]api.Condition
	attributes    []string // of the other legacy parameters
}

// addNames adds the attributes that the expressions name. It returns the key condition, if any.
func (b *accessBuilder) addNames(k keys, x expressions) *expression.KeyCondition {
	names, condition, err := x.parse()
	if err != nil && b.err == nil {
		b.err = err
	}
	for _, name := range names {
		addTo(k, policy.Attributes, name)
	}
	return condition
}
