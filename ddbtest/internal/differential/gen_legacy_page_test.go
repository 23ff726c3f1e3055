package differential

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// filterAttributes returns the attributes for a filter: those of the source, without its key
// attributes if byKey is true.
func (s source) filterAttributes(byKey bool) []attribute {
	return slices.DeleteFunc(slices.Concat(attributes, s.table.keyAttributes()), func(a attribute) bool {
		return byKey && slices.Contains(s.key.attributes(), a) || s.index != nil && !s.table.projects(*s.index, a.name)
	})
}

// keyConditions returns KeyConditions for a table or an index: a partition, and usually a range.
// The outcome of the last one is that of the request.
func (l *legacy) keyConditions(k key) map[string]types.Condition {
	all := map[string]types.Condition{}
	for _, a := range k.hash {
		all[a.name] = types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []value{l.g.indexPartition(a)}}
	}
	part := "KeyConditions EQ"
	for i, a := range k.sort {
		if !l.g.chance(0.7) {
			break
		}
		last := i == len(k.sort)-1 || l.g.chance(0.5)
		all[a.name] = l.sortCondition(a, last)
		part = "KeyConditions " + string(all[a.name].ComparisonOperator)
		if last {
			break
		}
	}
	l.use(part)
	return all
}

func (l *legacy) sortCondition(a attribute, last bool) types.Condition {
	c := types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []value{l.g.indexValue(a)}}
	if !last {
		return c
	}
	c.ComparisonOperator = pick(l.g, []types.ComparisonOperator{"EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH"})
	switch {
	case c.ComparisonOperator == types.ComparisonOperatorBetween:
		c.AttributeValueList = append(c.AttributeValueList, l.g.keyValue(a.kind))
		if less(c.AttributeValueList[1], c.AttributeValueList[0]) {
			slices.Reverse(c.AttributeValueList)
		}
	case c.ComparisonOperator == types.ComparisonOperatorBeginsWith && a.kind == "N": // numbers have no prefixes
		c.ComparisonOperator = types.ComparisonOperatorGe
	}
	return c
}

// legacyQuery reads all or a part of a partition. KeyConditions may be with a filter or a
// projection that are expressions.
func (g *generator) legacyQuery() []operation {
	s, l, e := g.source(), g.legacy(), g.expression()
	if g.chance(0.4) { // the partitions of the table have the most items
		s = source{table: s.table, key: s.table.key}
	}
	in := &dynamodb.QueryInput{
		TableName: aws.String(s.table.name), IndexName: s.indexName(), KeyConditions: l.keyConditions(s.key), ConsistentRead: g.strong(s),
		ScanIndexForward: g.maybeTrue(), ReturnConsumedCapacity: capacity,
	}
	if g.chance(0.15) {
		if paths := s.filterOperands(true); len(paths) > 0 && g.chance(0.7) {
			in.FilterExpression = aws.String(e.condition(paths))
			e.mark("KeyConditions with FilterExpression")
		} else {
			in.ProjectionExpression = aws.String(e.projection(s.table, s.index != nil))
			e.mark("KeyConditions with ProjectionExpression")
		}
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	} else {
		if from := s.filterAttributes(true); len(from) > 0 && g.chance(0.7) {
			in.QueryFilter, in.ConditionalOperator = l.conditions("QueryFilter", from)
		}
		in.AttributesToGet, in.Select = l.shape(s, "Query", s.index != nil)
	}
	op := operation{input: in, marks: e.marks, legacy: l.parts}
	if g.chance(0.4) {
		in.Limit = aws.Int32(pick(g, []int32{1, 2, 3, 5}))
		op = g.open(op)
	}
	return one(op)
}

// shape chooses AttributesToGet and Select. A global index must have the attributes.
func (l *legacy) shape(s source, operation string, keys bool) ([]string, types.Select) {
	switch l.g.IntN(6) {
	case 0, 1:
		names := l.names(s.table, keys)
		if s.global() {
			names = slices.DeleteFunc(names, func(name string) bool { return !s.table.projects(*s.index, name) })
		}
		if len(names) == 0 {
			return nil, ""
		}
		l.use("AttributesToGet " + operation)
		return names, pick(l.g, []types.Select{"", types.SelectSpecificAttributes})
	case 2:
		return nil, types.SelectCount
	default:
		return nil, ""
	}
}

// legacyScan reads a whole table or index: at once, page by page, or in segments.
func (g *generator) legacyScan() []operation {
	s, l := g.source(), g.legacy()
	limited := g.chance(0.3)
	in := &dynamodb.ScanInput{TableName: aws.String(s.table.name), IndexName: s.indexName(), ConsistentRead: g.strong(s), ReturnConsumedCapacity: capacity}
	if from := s.filterAttributes(false); g.chance(0.85) {
		in.ScanFilter, in.ConditionalOperator = l.conditions("ScanFilter", from)
	}
	in.AttributesToGet, in.Select = l.shape(s, "Scan", limited)
	return one(g.inParts(operation{input: in, legacy: l.parts}, in, limited))
}
