package expression_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// typical is a condition, an update and other expressions of a typical size.
var typical = struct {
	names                              map[string]string
	values                             map[string]value.Value
	condition, key, projection, update string
	item                               value.Map
}{
	names:      map[string]string{"#status": "status", "#v": "version"},
	values:     map[string]value.Value{":s": value.String("active"), ":v": number("7"), ":one": number("1")},
	condition:  "attribute_exists(pk) AND #status = :s AND #v >= :v AND NOT contains(labels, :s)",
	key:        "pk = :s AND begins_with(sk, :s)",
	projection: "pk, #status, address.city, labels[0]",
	update:     "SET #status = :s, #v = #v + :one, visits = if_not_exists(visits, :one) REMOVE address.street",
	item: value.MapOf(
		attribute("pk", value.String("customer#1")),
		attribute("sk", value.String("profile")),
		attribute("status", value.String("active")),
		attribute("version", number("7")),
		attribute("labels", value.List{value.String("new"), value.String("large")}),
		attribute("address", value.MapOf(attribute("city", value.String("Oslo")), attribute("street", value.String("Storgata")))),
		attribute("name", value.String("Kari")),
	),
}

// typicalPlaceholders returns the placeholders of typical that the expression uses.
func typicalPlaceholders(text string) (map[string]string, map[string]value.Value) {
	return placeholdersIn(text, typical.names, typical.values)
}

func BenchmarkParse(b *testing.B) {
	parse := map[string]struct {
		text string
		f    func(text string, p *expression.Placeholders) error
	}{
		"condition": {typical.condition, func(text string, p *expression.Placeholders) error {
			_, err := expression.ParseCondition("ConditionExpression", text, p)
			return err
		}},
		"key": {typical.key, func(text string, p *expression.Placeholders) error {
			_, err := expression.ParseKeyCondition(text, p)
			return err
		}},
		"projection": {typical.projection, func(text string, p *expression.Placeholders) error {
			_, err := expression.ParseProjection(text, p)
			return err
		}},
		"update": {typical.update, func(text string, p *expression.Placeholders) error {
			_, err := expression.ParseUpdate(text, p)
			return err
		}},
	}
	for name, c := range parse {
		b.Run(name, func(b *testing.B) {
			names, values := typicalPlaceholders(c.text)
			b.ReportAllocs()
			for b.Loop() {
				p, err := expression.NewPlaceholders(names, values)
				if err == nil {
					err = c.f(c.text, p)
				}
				if err == nil {
					err = p.Unused()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEval(b *testing.B) {
	names, values := typicalPlaceholders(typical.condition)
	c := mustCondition(b, typical.condition, names, values)
	b.ReportAllocs()
	for b.Loop() {
		if !c.Eval(typical.item) {
			b.Fatal("the condition does not hold")
		}
	}
}

func BenchmarkProject(b *testing.B) {
	names, values := typicalPlaceholders(typical.projection)
	p, err := expression.NewPlaceholders(names, values)
	require.NoError(b, err)
	projection, err := expression.ParseProjection(typical.projection, p)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if len(projection.Apply(typical.item)) != 4 {
			b.Fatal("the projection is not what it should be")
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	names, values := typicalPlaceholders(typical.update)
	u := mustUpdate(b, typical.update, names, values)
	b.ReportAllocs()
	for b.Loop() {
		item, err := u.Apply(typical.item)
		if err != nil || len(item) != 8 {
			b.Fatal(item, err)
		}
	}
}
