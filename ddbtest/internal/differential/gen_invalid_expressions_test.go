package differential

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// operandsOfInvalid are the values for the expressions below.
var operandsOfInvalid = item{
	":a": text("a"), ":b": text("b"), ":n": number("1"), ":m": number("2"), ":set": textSet("a"), ":list": list(), ":map": mapping(nil), ":bool": boolean(true),
}

// invalidExpressions are expressions that the service rejects for every item.
var invalidExpressions = []invalidRequest{
	condition("syntax error", "s1 = ", "s1 = = :a", "s1 :a", "(s1 = :a", "s1 = :a)", "s1 ? :a", "AND s1 = :a", "s1 = :a AND", "NOT", "s1 == :a",
		"foo(s1) = :a", "s1 IN :a", "s1 BETWEEN :a", "s1[a] = :a", "s1[-1] = :a", "s1..s2 = :a", ".s1 = :a", "s1 = a:", "#", ":"),
	condition("redundant parentheses", "((s1 = :a))", "((s1 = :a)) AND n1 = :n"),
	condition("empty expression", "", " "),
	condition("undefined name", "#no = :a", "attribute_exists(m.#no)"),
	condition("undefined value", "s1 = :no", "contains(s1, :no)"),
	condition("reserved word", "name = :a", "attribute_exists(Status)", "m.value = :a"),
	condition("reversed BETWEEN", "s1 BETWEEN :b AND :a", "n1 BETWEEN :m AND :n"),
	condition("bounds of two types", "s1 BETWEEN :a AND :n"),
	condition("order of what has none", "s1 < :set", "s1 >= :list", "s1 > :map", "s1 <= :bool", "s1 BETWEEN :set AND :set"),
	condition("unknown function", "begins(s1, :a)", "exists(s1)", "SIZE(s1) = :n", "attribute_exist(s1)", "if_not_exists(s1, :a) = :a", "list_append(s1, :list) = :a"),
	condition("wrong number of operands", "begins_with(s1)", "attribute_exists(s1, s2)", "contains(s1)", "size(s1, s2) = :n", "attribute_type(s1)"),
	condition("wrong type of operand", "begins_with(s1, :n)", "attribute_type(s1, :n)", "attribute_exists(:a)", "attribute_not_exists(:a)", "begins_with(s1, :set)"),
	condition("unknown type", "attribute_type(s1, :a)"),
	condition("function where there is none", "size(s1)", "attribute_exists(s1) = :bool", "begins_with(size(s1), :a)", "s1 = attribute_exists(s1)"),
	condition("operand compared with itself", "s1 = s1", "n1 < n1", "contains(s1, s1)", "begins_with(s1, s1)"),
	condition("expression too long", "s1 = :a"+strings.Repeat(" ", 4096)),
	condition("too many operands", "s1 IN ("+strings.TrimSuffix(strings.Repeat(":a, ", 101), ", ")+")"),
	update("two clauses of a name", "SET s1 = :a SET s2 = :a", "REMOVE s1 REMOVE s2", "ADD n1 :n ADD n2 :n", "DELETE ss :set DELETE sx :set"),
	update("overlapping paths", "SET m.x = :n, m = :map", "SET s1 = :a REMOVE s1", "SET l[0] = :a REMOVE l", "SET m.d.x = :n REMOVE m.d", "SET s1 = :a, s1 = :b"),
	update("conflicting paths", "SET q.x = :n REMOVE q[0]", "SET q[1] = :a, q.y = :b"),
	update("update that is none", "s1 = :a", "SET", "SET s1", "SET s1 + :n", "REMOVE", "ADD n1", "DELETE ss", "SET s1 = :a,", "UPDATE s1 = :a", "SET s1 = ", "SET :a = s1"),
	update("wrong type to add", "ADD n1 :a", "ADD n1 :list", "ADD n1 :bool", "DELETE ss :n", "DELETE ss :a"),
	update("wrong type to count", "SET n1 = n1 + :a", "SET n1 = :a + :n", "SET l = list_append(l, :a)", "SET n1 = :n - :set"),
	update("function where there is none in an update", "SET n1 = size(s1)", "SET n1 = contains(s1, :a)", "SET s1 = attribute_exists(s1)"),
	update("undefined value in an update", "SET s1 = :no", "ADD n1 :no"),
	update("reserved word in an update", "SET name = :a", "REMOVE Status"),
	{"update of the key", 2, func(g *generator, t *table) any {
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), UpdateExpression: aws.String("SET pk = :v"), ExpressionAttributeValues: item{":v": g.keyValue(t.hash[0].kind)}}
	}},
	{"unused name", 2, func(g *generator, t *table) any {
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), ConditionExpression: aws.String("attribute_exists(s1)"), ExpressionAttributeNames: map[string]string{"#s1": "s1"}}
	}},
	{"unused value", 2, func(g *generator, t *table) any {
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), ConditionExpression: aws.String("attribute_exists(s1)"), ExpressionAttributeValues: item{":a": text("a")}}
	}},
	{"placeholders without an expression", 2, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), ExpressionAttributeNames: map[string]string{"#s1": "s1"}}
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), ExpressionAttributeValues: item{":a": text("a")}}
	}},
	{"placeholder of a wrong form", 2, func(g *generator, t *table) any {
		bad := pick(g, []string{"s1", "#", "#a-b", "##a", "# a"})
		return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), ProjectionExpression: aws.String("s1"), ExpressionAttributeNames: map[string]string{bad: "s1"}}
	}},
	{"projection of a wrong form", 2, func(g *generator, t *table) any {
		bad := pick(g, []string{"s1,", ",", "s1 s2", "s1, s1", "m, m.x", "l[0], l", "m.", "name", "#no", "s1[", "size(s1)", ":a", ""})
		return &dynamodb.GetItemInput{TableName: name(t), Key: g.key(t), ProjectionExpression: aws.String(bad)}
	}},
}

// condition is an invalid condition, or of the filter of a scan.
func condition(what string, texts ...string) invalidRequest {
	return invalidRequest{what, 2, func(g *generator, t *table) any {
		chosen := pick(g, texts)
		if g.chance(0.3) {
			return &dynamodb.ScanInput{TableName: name(t), FilterExpression: aws.String(chosen), ExpressionAttributeValues: usedIn(chosen)}
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), ConditionExpression: aws.String(chosen), ExpressionAttributeValues: usedIn(chosen)}
	}}
}

// update is an invalid update expression.
func update(what string, texts ...string) invalidRequest {
	return invalidRequest{what, 2, func(g *generator, t *table) any {
		chosen := pick(g, texts)
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), UpdateExpression: aws.String(chosen), ExpressionAttributeValues: usedIn(chosen)}
	}}
}

// usedIn returns the values that an expression uses, so that none is unused.
func usedIn(expression string) item {
	used := item{}
	for placeholder, v := range operandsOfInvalid {
		if tokens(expression)[placeholder] {
			used[placeholder] = v
		}
	}
	if len(used) == 0 {
		return nil
	}
	return used
}

// tokens returns the placeholders in an expression.
func tokens(expression string) map[string]bool {
	found := map[string]bool{}
	for _, token := range placeholder.FindAllString(expression, -1) {
		found[token] = true
	}
	return found
}
