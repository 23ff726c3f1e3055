package differential

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// generateLegacy returns the n-th history of a seed whose requests have legacy parameters.
func generateLegacy(seed uint64, n, length int) history {
	return generateWith(legacyWeights, true, seed, n, length)
}

// legacyWeights holds the weights of the kinds of operations with legacy parameters, and of those
// that store items for them.
var legacyWeights = []weighted[func(*generator) []operation]{
	{20, (*generator).put},
	{5, (*generator).batchWrite},
	{14, (*generator).legacyPut},
	{22, (*generator).legacyUpdate},
	{10, (*generator).legacyDelete},
	{5, (*generator).legacyGet},
	{4, (*generator).legacyBatchGet},
	{26, (*generator).legacyQuery},
	{22, (*generator).resume},
	{14, (*generator).legacyScan},
	{12, (*generator).invalidLegacy},
}

// legacy collects what a request with legacy parameters uses.
type legacy struct {
	g     *generator
	parts []string // for the coverage
}

func (g *generator) legacy() *legacy { return &legacy{g: g} }

func (l *legacy) use(part string) { l.parts = append(l.parts, part) }

// comparisonOperators are all operators. Those that are rarely true have more weight.
var comparisonOperators = []types.ComparisonOperator{
	"EQ", "EQ", "NE", "NE", "LE", "LT", "LT", "GE", "GT", "GT", "IN", "IN", "BETWEEN", "BETWEEN", "NOT_NULL", "NULL", "CONTAINS", "CONTAINS",
	"NOT_CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "BEGINS_WITH",
}

// containedKinds are the types of the values that an attribute of a type may contain.
var containedKinds = map[string]string{"SS": "S", "NS": "N", "BS": "B", "L": "N", "B": "B", "S": "S"}

// condition returns an attribute and a condition on it. The types of its operands suit the
// operator, and usually the attribute.
func (g *generator) legacyCondition(from []attribute) (name string, c types.Condition) {
	c.ComparisonOperator = pick(g, comparisonOperators)
	var suited []attribute
	for _, a := range from {
		if g.suits(c.ComparisonOperator, a) {
			suited = append(suited, a)
		}
	}
	a := pick(g, from)
	if len(suited) > 0 && g.chance(0.9) {
		a = pick(g, suited)
	}
	kind := a.kind
	switch c.ComparisonOperator {
	case "NULL", "NOT_NULL":
		return a.name, c
	case "EQ", "NE":
	case "CONTAINS", "NOT_CONTAINS":
		if kind = containedKinds[a.kind]; kind == "" {
			kind = "N"
		}
		if a.kind == "L" {
			kind = pick(g, []string{"N", "N", "S", "BOOL"})
		}
	case "BEGINS_WITH":
		if kind != "B" {
			kind = "S"
		}
	default:
		if !ordered(kind) {
			kind = "N"
		}
	}
	operands := 1
	switch c.ComparisonOperator {
	case "IN":
		operands = 1 + g.IntN(5)
	case "BETWEEN":
		operands = 2
	}
	for range operands {
		c.AttributeValueList = append(c.AttributeValueList, g.value(kind))
	}
	if operands == 2 && less(c.AttributeValueList[1], c.AttributeValueList[0]) && c.ComparisonOperator == "BETWEEN" {
		slices.Reverse(c.AttributeValueList)
	}
	return a.name, c
}

// suits reports whether a condition with the operator on the attribute may be true and false.
func (g *generator) suits(operator types.ComparisonOperator, a attribute) bool {
	switch operator {
	case "CONTAINS", "NOT_CONTAINS":
		return containedKinds[a.kind] != ""
	case "BEGINS_WITH":
		return a.kind == "S" || a.kind == "B"
	case "EQ", "NE":
		return a.kind == "BOOL" || a.kind == "NULL" || g.chance(0.3)
	case "NULL", "NOT_NULL":
		return true
	default:
		return ordered(a.kind)
	}
}

// conditions returns one or several conditions, with a ConditionalOperator if there are several.
// The outcome of the only one is that of the request, which the coverage counts.
func (l *legacy) conditions(parameter string, from []attribute) (map[string]types.Condition, types.ConditionalOperator) {
	all := map[string]types.Condition{}
	if l.g.chance(0.7) {
		name, c := l.g.legacyCondition(from)
		all[name] = c
		l.use(parameter + " " + string(c.ComparisonOperator))
		return all, ""
	}
	for range 2 + l.g.IntN(2) {
		name, c := l.g.legacyCondition(from)
		all[name] = c
	}
	if len(all) == 1 {
		return all, ""
	}
	operator := pick(l.g, []types.ConditionalOperator{"", types.ConditionalOperatorAnd, types.ConditionalOperatorOr, types.ConditionalOperatorOr})
	if operator == types.ConditionalOperatorOr {
		l.use(parameter + " OR")
	} else {
		l.use(parameter + " AND")
	}
	return all, operator
}

// expected returns the condition of a write, in each of its forms.
func (l *legacy) expected(t *table) (map[string]types.ExpectedAttributeValue, types.ConditionalOperator) {
	from := slices.Concat(attributes, t.attributes(), t.indexAttributes())
	switch l.g.IntN(10) {
	case 0:
		l.use("Expected Exists")
		return map[string]types.ExpectedAttributeValue{pick(l.g, from).name: {Exists: aws.Bool(false)}}, ""
	case 1:
		l.use("Expected Value")
		a := pick(l.g, []attribute{{"t", "BOOL"}, {"u", "NULL"}, {"s1", "S"}, {"n1", "N"}})
		return map[string]types.ExpectedAttributeValue{a.name: {Value: l.g.value(a.kind), Exists: pick(l.g, []*bool{nil, aws.Bool(true)})}}, ""
	}
	conditions, operator := l.conditions("Expected", from)
	all := map[string]types.ExpectedAttributeValue{}
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		c := conditions[name]
		e := types.ExpectedAttributeValue{ComparisonOperator: c.ComparisonOperator, AttributeValueList: c.AttributeValueList}
		if len(c.AttributeValueList) == 1 && l.g.chance(0.2) {
			e.Value, e.AttributeValueList = c.AttributeValueList[0], nil
		}
		all[name] = e
	}
	return all, operator
}

// guard returns the condition of a write with probability p.
func (l *legacy) guard(t *table, p float64) (map[string]types.ExpectedAttributeValue, types.ConditionalOperator) {
	if !l.g.chance(p) {
		return pick(l.g, []map[string]types.ExpectedAttributeValue{nil, {}}), ""
	}
	return l.expected(t)
}

// names returns AttributesToGet. If keys is true, they include the table key, which identifies the
// items.
func (l *legacy) names(t *table, keys bool) []string {
	var names []string
	if keys {
		names = t.names()
	}
	pool := slices.Concat(attributes, t.keyAttributes(), []attribute{{"nothing", "S"}, {"m.x", "N"}})
	for range 1 + l.g.IntN(4) {
		if name := pick(l.g, pool).name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (g *generator) legacyFailure(e map[string]types.ExpectedAttributeValue) types.ReturnValuesOnConditionCheckFailure {
	if len(e) > 0 && g.chance(0.5) {
		return types.ReturnValuesOnConditionCheckFailureAllOld
	}
	return ""
}

func (g *generator) legacyPut() []operation {
	t, l := g.anyTable(), g.legacy()
	in := &dynamodb.PutItemInput{
		TableName: aws.String(t.name), Item: g.item(t), ReturnConsumedCapacity: capacity,
		ReturnValues: pick(g, []types.ReturnValue{"", types.ReturnValueAllOld}),
	}
	in.Expected, in.ConditionalOperator = l.expected(t)
	in.ReturnValuesOnConditionCheckFailure = g.legacyFailure(in.Expected)
	return one(operation{input: in, legacy: l.parts})
}

func (g *generator) legacyDelete() []operation {
	t, l := g.anyTable(), g.legacy()
	in := &dynamodb.DeleteItemInput{
		TableName: aws.String(t.name), Key: g.key(t), ReturnConsumedCapacity: capacity, ReturnValues: pick(g, []types.ReturnValue{"", types.ReturnValueAllOld}),
	}
	in.Expected, in.ConditionalOperator = l.expected(t)
	in.ReturnValuesOnConditionCheckFailure = g.legacyFailure(in.Expected)
	return one(operation{input: in, legacy: l.parts})
}

// legacyUpdate changes some attributes. If it only removes, it has a condition that the item
// exists, because engines differ in how they treat missing items.
func (g *generator) legacyUpdate() []operation {
	t, l := g.anyTable(), g.legacy()
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String(t.name), Key: g.key(t), ReturnConsumedCapacity: capacity, AttributeUpdates: map[string]types.AttributeValueUpdate{},
		ReturnValues: pick(g, types.ReturnValue("").Values()),
	}
	creates := false
	for range pick(g, []int{1, 1, 1, 2, 3}) {
		name, part, u := g.legacyChange(t)
		if _, again := in.AttributeUpdates[name]; again {
			continue
		}
		in.AttributeUpdates[name] = u
		l.use(part)
		creates = creates || u.Action != types.AttributeActionDelete
	}
	if len(l.parts) > 1 { // of several, the outcome of each is not known
		l.parts = []string{"AttributeUpdates several"}
	}
	if !creates {
		in.Expected = map[string]types.ExpectedAttributeValue{t.hash[0].name: {ComparisonOperator: types.ComparisonOperatorNotNull}}
	} else {
		in.Expected, in.ConditionalOperator = l.guard(t, 0.3)
	}
	in.ReturnValuesOnConditionCheckFailure = g.legacyFailure(in.Expected)
	return one(operation{input: in, legacy: l.parts})
}

// legacyChange returns the change of one attribute. Some ADDs and DELETEs have another type than
// the attribute usually has.
func (g *generator) legacyChange(t *table) (name, part string, u types.AttributeValueUpdate) {
	a := pick(g, attributes)
	if keys := t.indexAttributes(); len(keys) > 0 && g.chance(0.25) {
		a = pick(g, keys)
		if g.chance(0.5) {
			return a.name, "AttributeUpdates DELETE", types.AttributeValueUpdate{Action: types.AttributeActionDelete}
		}
		return a.name, "AttributeUpdates PUT", types.AttributeValueUpdate{Action: types.AttributeActionPut, Value: g.keyValue(a.kind)}
	}
	switch g.IntN(7) {
	case 0:
		return a.name, "AttributeUpdates DELETE", types.AttributeValueUpdate{Action: types.AttributeActionDelete}
	case 1, 2:
		a = pick(g, []attribute{{"ss", "SS"}, {"ns", "NS"}, {"bs", "BS"}})
		name = a.name
		if g.chance(0.4) {
			name = pick(g, attributes).name
		}
		if g.chance(0.5) {
			return name, "AttributeUpdates DELETE of members", types.AttributeValueUpdate{Action: types.AttributeActionDelete, Value: g.set(a.kind)}
		}
		return name, "AttributeUpdates ADD to a set", types.AttributeValueUpdate{Action: types.AttributeActionAdd, Value: g.set(a.kind)}
	case 3:
		name = pick(g, []string{"n1", "n2", "a.b", "s1", "s2"})
		return name, "AttributeUpdates ADD to a number", types.AttributeValueUpdate{Action: types.AttributeActionAdd, Value: number(pick(g, summands))}
	case 4, 5:
		name = pick(g, []string{"l", "m"})
		return name, "AttributeUpdates ADD to a list", types.AttributeValueUpdate{Action: types.AttributeActionAdd, Value: g.list()}
	default:
		// DynamoDB Local ignores a change without an action.
		return a.name, "AttributeUpdates PUT", types.AttributeValueUpdate{Action: types.AttributeActionPut, Value: g.value(a.kind)}
	}
}

func (g *generator) legacyGet() []operation {
	t, l := g.anyTable(), g.legacy()
	l.use("AttributesToGet GetItem")
	return one(operation{legacy: l.parts, input: &dynamodb.GetItemInput{
		TableName: aws.String(t.name), Key: g.key(t), ConsistentRead: g.maybeTrue(), ReturnConsumedCapacity: capacity, AttributesToGet: l.names(t, false),
	}})
}

func (g *generator) legacyBatchGet() []operation {
	l := g.legacy()
	l.use("AttributesToGet BatchGetItem")
	in := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{}, ReturnConsumedCapacity: capacity}
	for _, t := range g.someTables() {
		in.RequestItems[t.name] = types.KeysAndAttributes{Keys: g.keys(t, 8), ConsistentRead: g.maybeTrue(), AttributesToGet: l.names(t, false)}
	}
	return one(operation{input: in, legacy: l.parts})
}
