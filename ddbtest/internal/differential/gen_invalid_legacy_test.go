package differential

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// invalidLegacy generates an invalid request with legacy parameters.
func (g *generator) invalidLegacy() []operation {
	var ways []weighted[invalidRequest]
	for _, f := range invalidLegacy {
		ways = append(ways, weighted[invalidRequest]{f.weight, f})
	}
	f := choose(g, ways)
	return one(operation{input: f.make(g, g.anyTable()), invalid: f.name})
}

// wrongCondition returns a query, a scan or a write with an invalid condition.
func wrongCondition(g *generator, t *table, operator types.ComparisonOperator, operands ...value) any {
	c := types.Condition{ComparisonOperator: operator, AttributeValueList: operands}
	expected := map[string]types.ExpectedAttributeValue{"s1": {ComparisonOperator: operator, AttributeValueList: operands}}
	if operands == nil && operator != "NULL" && operator != "NOT_NULL" {
		expected["s1"] = types.ExpectedAttributeValue{ComparisonOperator: operator, AttributeValueList: []value{}}
	}
	switch g.IntN(5) {
	case 0:
		return &dynamodb.ScanInput{TableName: name(t), ScanFilter: map[string]types.Condition{"s1": c}}
	case 1:
		return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), QueryFilter: map[string]types.Condition{"s1": c}}
	case 2:
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), Expected: expected}
	case 3:
		return &dynamodb.DeleteItemInput{TableName: name(t), Key: g.key(t), Expected: expected}
	default:
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), Expected: expected}
	}
}

// partitionOf returns KeyConditions of a partition.
func (g *generator) partitionOf(t *table) map[string]types.Condition {
	a := t.hash[0]
	return map[string]types.Condition{a.name: {ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []value{g.hashValue(a.kind)}}}
}

// expecting returns a write with an invalid entry of Expected.
func expecting(entry func(g *generator) types.ExpectedAttributeValue) func(*generator, *table) any {
	return func(g *generator, t *table) any {
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), Expected: map[string]types.ExpectedAttributeValue{"n1": entry(g)}}
	}
}

// updatingTo returns an update with an invalid entry of AttributeUpdates.
func updatingTo(entry func(g *generator) types.AttributeValueUpdate) func(*generator, *table) any {
	return func(g *generator, t *table) any {
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), AttributeUpdates: map[string]types.AttributeValueUpdate{"n1": entry(g)}}
	}
}

// invalidLegacy are requests with legacy parameters that the service rejects. DynamoDB Local
// accepts parameters without entries together with expressions, an empty AttributesToGet, and a key
// of an index with another type. It has an internal error for a wrong ConditionalOperator and for
// NE on a sort key.
var invalidLegacy = []invalidRequest{
	{"legacy: number of operands", 6, func(g *generator, t *table) any {
		operator := pick(g, types.ComparisonOperator("").Values())
		switch operator {
		case "NULL", "NOT_NULL":
			return wrongCondition(g, t, operator, g.value("S"))
		case "BETWEEN":
			return wrongCondition(g, t, operator, g.value("N"))
		case "IN":
			return wrongCondition(g, t, operator)
		}
		if g.chance(0.5) {
			return wrongCondition(g, t, operator)
		}
		return wrongCondition(g, t, operator, g.value("S"), g.value("S"))
	}},
	{"legacy: types of operands", 6, func(g *generator, t *table) any {
		wrong := g.value(pick(g, []string{"SS", "NS", "BS", "M", "L"}))
		operator := pick(g, []types.ComparisonOperator{"LE", "LT", "GE", "GT", "IN", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "BETWEEN"})
		switch operator {
		case "BETWEEN":
			return wrongCondition(g, t, operator, wrong, wrong)
		case "BEGINS_WITH":
			wrong = g.value(pick(g, []string{"N", "BOOL", "NULL", "L"}))
		}
		return wrongCondition(g, t, operator, wrong)
	}},
	{"legacy: operands of two types", 3, func(g *generator, t *table) any {
		return wrongCondition(g, t, pick(g, []types.ComparisonOperator{"IN", "BETWEEN"}), g.value("N"), g.value("S"))
	}},
	{"legacy: reversed bounds", 3, func(g *generator, t *table) any {
		return wrongCondition(g, t, "BETWEEN", number("2"), number("1.5"))
	}},
	{"legacy: unknown operator", 2, func(g *generator, t *table) any { return wrongCondition(g, t, "LIKE", g.value("S")) }},
	{"legacy: ConditionalOperator of one", 3, func(g *generator, t *table) any {
		none := map[string]types.Condition{"s1": {ComparisonOperator: types.ComparisonOperatorNull}}
		if g.chance(0.5) {
			none = nil
		}
		return &dynamodb.ScanInput{TableName: name(t), ScanFilter: none, ConditionalOperator: types.ConditionalOperatorOr}
	}},
	{"legacy: nothing expected", 3, expecting(func(g *generator) types.ExpectedAttributeValue {
		return types.ExpectedAttributeValue{Exists: pick(g, []*bool{nil, aws.Bool(true)})}
	})},
	{"legacy: a value that must not exist", 3, expecting(func(g *generator) types.ExpectedAttributeValue {
		return types.ExpectedAttributeValue{Exists: aws.Bool(false), Value: g.value("N")}
	})},
	{"legacy: two forms of a value", 3, expecting(func(g *generator) types.ExpectedAttributeValue {
		return types.ExpectedAttributeValue{Value: g.value("N"), AttributeValueList: []value{g.value("N")}, ComparisonOperator: pick(g, []types.ComparisonOperator{"", "EQ"})}
	})},
	{"legacy: values without an operator", 3, expecting(func(g *generator) types.ExpectedAttributeValue {
		return types.ExpectedAttributeValue{AttributeValueList: []value{g.value("N")}}
	})},
	{"legacy: an operator and Exists", 3, expecting(func(g *generator) types.ExpectedAttributeValue {
		return types.ExpectedAttributeValue{ComparisonOperator: types.ComparisonOperatorEq, Exists: aws.Bool(g.chance(0.5)), Value: g.value("N")}
	})},
	{"legacy: PUT or ADD of nothing", 3, updatingTo(func(g *generator) types.AttributeValueUpdate {
		return types.AttributeValueUpdate{Action: pick(g, []types.AttributeAction{"", types.AttributeActionPut, types.AttributeActionAdd})}
	})},
	{"legacy: ADD of another type", 3, updatingTo(func(g *generator) types.AttributeValueUpdate {
		return types.AttributeValueUpdate{Action: types.AttributeActionAdd, Value: g.value(pick(g, []string{"S", "B", "BOOL", "NULL", "M"}))}
	})},
	{"legacy: DELETE of another type", 3, updatingTo(func(g *generator) types.AttributeValueUpdate {
		return types.AttributeValueUpdate{Action: types.AttributeActionDelete, Value: g.value(pick(g, []string{"S", "N", "B", "BOOL", "NULL", "M", "L"}))}
	})},
	{"legacy: unknown action", 2, updatingTo(func(g *generator) types.AttributeValueUpdate {
		return types.AttributeValueUpdate{Action: "SET", Value: g.value("N")}
	})},
	{"legacy: update of the key", 3, func(g *generator, t *table) any {
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), AttributeUpdates: map[string]types.AttributeValueUpdate{
			t.hash[0].name: {Value: g.hashValue(t.hash[0].kind)}, "n1": {Value: g.value("N")},
		}}
	}},
	{"legacy: an empty name", 3, func(g *generator, t *table) any {
		switch g.IntN(3) {
		case 0:
			return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), AttributesToGet: []string{"s1", ""}}
		case 1:
			return &dynamodb.ScanInput{TableName: name(t), ScanFilter: map[string]types.Condition{"": {ComparisonOperator: types.ComparisonOperatorNull}}}
		default:
			return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), AttributeUpdates: map[string]types.AttributeValueUpdate{"": {Value: g.value("S")}}}
		}
	}},
	{"legacy: a name twice", 3, func(g *generator, t *table) any {
		twice := []string{"s1", "n1", "s1"}
		switch g.IntN(4) {
		case 0:
			return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), AttributesToGet: twice}
		case 1:
			return &dynamodb.ScanInput{TableName: name(t), AttributesToGet: twice}
		case 2:
			return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), AttributesToGet: twice}
		default:
			return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{t.name: {Keys: []item{g.key(t)}, AttributesToGet: twice}}}
		}
	}},
	{"legacy: with an expression", 6, func(g *generator, t *table) any {
		condition := map[string]types.Condition{"s1": {ComparisonOperator: types.ComparisonOperatorNotNull}}
		expected := map[string]types.ExpectedAttributeValue{"s1": {Exists: aws.Bool(false)}}
		exists := aws.String("attribute_exists(s1)")
		switch g.IntN(8) {
		case 0:
			return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), QueryFilter: condition, FilterExpression: exists}
		case 1:
			return &dynamodb.QueryInput{
				TableName: name(t), KeyConditionExpression: aws.String("pk = :p"), ExpressionAttributeValues: item{":p": g.hashValue(t.hash[0].kind)},
				KeyConditions: g.partitionOf(t),
			}
		case 2:
			return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), AttributesToGet: []string{"s1"}, FilterExpression: exists}
		case 3:
			return &dynamodb.ScanInput{TableName: name(t), ScanFilter: condition, ProjectionExpression: aws.String("s1")}
		case 4:
			return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), Expected: expected, UpdateExpression: aws.String("REMOVE s1")}
		case 5:
			return &dynamodb.UpdateItemInput{
				TableName: name(t), Key: g.key(t), ConditionExpression: exists, AttributeUpdates: map[string]types.AttributeValueUpdate{"s1": {Value: g.value("S")}},
			}
		case 6:
			return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), Expected: expected, ConditionExpression: exists}
		default:
			return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), AttributesToGet: []string{"s1"}, ProjectionExpression: aws.String("s1")}
		}
	}},
	{"legacy: placeholders without an expression", 3, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), ExpressionAttributeValues: item{":p": g.value("S")}}
		}
		return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), AttributesToGet: []string{"s1"}, ExpressionAttributeNames: map[string]string{"#s": "s1"}}
	}},
	{"legacy: key conditions", 6, func(g *generator, t *table) any {
		conditions := g.partitionOf(t)
		hash := t.hash[0]
		switch g.IntN(6) {
		case 0:
			conditions = map[string]types.Condition{}
		case 1:
			conditions = map[string]types.Condition{"s1": conditions[hash.name]}
		case 2:
			conditions["s1"] = types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []value{g.value("S")}}
		case 3:
			conditions[hash.name] = types.Condition{
				ComparisonOperator: pick(g, []types.ComparisonOperator{"LT", "GT", "NE", "IN"}), AttributeValueList: []value{g.hashValue(hash.kind)},
			}
		case 4:
			conditions[hash.name] = types.Condition{ComparisonOperator: pick(g, []types.ComparisonOperator{"NULL", "NOT_NULL"})}
		default:
			conditions[hash.name] = types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []value{otherKind(hash.kind)}}
		}
		return &dynamodb.QueryInput{TableName: name(t), KeyConditions: conditions}
	}},
	{"legacy: filter of the key", 3, func(g *generator, t *table) any {
		return &dynamodb.QueryInput{TableName: name(t), KeyConditions: g.partitionOf(t), QueryFilter: map[string]types.Condition{
			t.hash[0].name: {ComparisonOperator: types.ComparisonOperatorNotNull},
		}}
	}},
	{"legacy: all of some attributes", 3, func(g *generator, t *table) any {
		return &dynamodb.ScanInput{TableName: name(t), AttributesToGet: []string{"s1"}, Select: pick(g, []types.Select{"ALL_ATTRIBUTES", "COUNT", "ALL_PROJECTED_ATTRIBUTES"})}
	}},
}
