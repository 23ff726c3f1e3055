package differential

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// invalidValues are keys and items that the service rejects.
var invalidValues = []invalidRequest{
	{"key attribute missing", 2, func(g *generator, t *table) any {
		return &dynamodb.GetItemInput{TableName: name(t), Key: item{"other": text("a")}}
	}},
	{"key of another type", 2, func(g *generator, t *table) any {
		return &dynamodb.GetItemInput{TableName: name(t), Key: with(g.key(t), t.hash[0].name, otherKind(t.hash[0].kind))}
	}},
	{"key with a further attribute", 2, func(g *generator, t *table) any {
		return &dynamodb.DeleteItemInput{TableName: name(t), Key: with(g.key(t), "other", text("a"))}
	}},
	{"empty text as key", 2, func(g *generator, t *table) any {
		return &dynamodb.PutItemInput{TableName: name(t), Item: with(g.item(t), t.hash[0].name, text(""))}
	}},
	{"index key of another type", 2, func(g *generator, t *table) any {
		it := g.item(t)
		for _, a := range t.globalAttributes() {
			it[a.name] = otherKind(a.kind)
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: it, ReturnConsumedCapacity: capacity}
	}},
	{"index key of another type, in an update", 2, func(g *generator, t *table) any {
		e := g.expression()
		in := &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), ReturnConsumedCapacity: capacity}
		expression := "SET " + e.path("s1") + " = " + e.value(text("a"))
		for _, a := range t.globalAttributes() {
			expression += ", " + e.path(a.name) + " = " + e.value(otherKind(a.kind))
		}
		in.UpdateExpression = &expression
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
		return in
	}},
	{"index key that is empty", 2, func(g *generator, t *table) any {
		it := g.item(t)
		for _, a := range t.globalAttributes() {
			if a.kind == "S" {
				it[a.name] = text("")
			}
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: it, ReturnConsumedCapacity: capacity}
	}},
	invalidValue("number of 39 digits", func(g *generator) value { return number("1" + strings.Repeat("2", 38)) }),
	invalidValue("number too large", func(g *generator) value { return number(pick(g, []string{"1E126", "-1e126", "1E999999999999"})) }),
	invalidValue("number too near to zero", func(g *generator) value { return number(pick(g, []string{"1E-131", "-1E-131"})) }),
	invalidValue("no number", func(g *generator) value { return number(pick(g, []string{"one", "", "1 2", "NaN", "0x1", "1e"})) }),
	invalidValue("empty set", func(g *generator) value { return pick(g, []value{textSet(), numberSet(), binarySet()}) }),
	invalidValue("set with an element twice", func(g *generator) value {
		return pick(g, []value{textSet("a", "a"), numberSet("1", "1.0"), binarySet([]byte("a"), []byte("a"))})
	}),
	invalidValue("NULL that is false", func(*generator) value { return &types.AttributeValueMemberNULL{} }),
	invalidValue("nested too deep", func(g *generator) value { return deep(33) }),
	{"item too large", 2, func(g *generator, t *table) any {
		return &dynamodb.PutItemInput{TableName: name(t), Item: with(g.key(t), padName, pad(410_000))}
	}},
	{"sort key too long", 2, func(g *generator, t *table) any {
		k := g.key(t)
		for _, a := range t.attributes() {
			if a.kind == "S" {
				k[a.name] = pad(3000)
			}
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: k}
	}},
}

// invalidValue puts an item with an invalid value, at the top level or nested.
func invalidValue(what string, bad func(*generator) value) invalidRequest {
	return invalidRequest{what, 2, func(g *generator, t *table) any {
		v := bad(g)
		if g.chance(0.3) {
			v = list(text("a"), v)
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: with(g.item(t), "bad", v)}
	}}
}

// deep returns nested lists with that many levels.
func deep(levels int) value {
	v := text("a")
	for range levels {
		v = list(v)
	}
	return v
}
