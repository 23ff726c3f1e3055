package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/policy"
)

const things = "arn:aws:dynamodb:us-east-1:123456789012:table/things"

// document returns a document of one statement that allows everything under a condition.
func document(condition string) string {
	return fmt.Sprintf(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":{%s}}}`, condition)
}

var variables = map[string]string{"aws:PrincipalTag/tenant": "7"}

func parse(t testing.TB, text string) *policy.Document {
	t.Helper()
	d, err := policy.Parse([]byte(text), variables)
	require.NoError(t, err)
	return d
}

func TestConditions(t *testing.T) {
	t.Parallel()
	const leading, sel = policy.LeadingKeys, policy.Select
	for _, c := range []struct {
		name, condition, key string
		values               string // separated by spaces
		want                 bool
	}{
		{"all values equal", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["a","b"]}`, leading, "a b a", true},
		{"one value differs", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["a","b"]}`, leading, "a c", false},
		{"no value for all", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"a"}`, leading, "", true},
		{"no value and Null", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"a"},"Null":{"dynamodb:LeadingKeys":"false"}`, leading, "", false},
		{"a value and Null", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"a"},"Null":{"dynamodb:LeadingKeys":false}`, leading, "a", true},
		{"Null is true", `"Null":{"dynamodb:LeadingKeys":"true"}`, leading, "", true},
		{"any value equal", `"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":"a"}`, leading, "c a", true},
		{"no value equal", `"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":"a"}`, leading, "c", false},
		{"no value for any", `"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":"a"}`, leading, "", false},
		{"no value for any, if it exists", `"ForAnyValue:StringEqualsIfExists":{"dynamodb:LeadingKeys":"a"}`, leading, "", true},
		{"all values differ", `"ForAllValues:StringNotEquals":{"dynamodb:LeadingKeys":["a","b"]}`, leading, "c d", true},
		{"one value does not differ", `"ForAllValues:StringNotEquals":{"dynamodb:LeadingKeys":["a","b"]}`, leading, "c b", false},
		{"any value differs", `"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":"a"}`, leading, "a c", true},
		{"like", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"T#?#*"}`, leading, "T#1#x", true},
		{"not like", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"T#?#*"}`, leading, "T#10#x", false},
		{"wildcards of equals are literal", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"T#*"}`, leading, "T#1", false},
		{"escaped wildcard", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"a${*}b"}`, leading, "axb", false},
		{"escaped wildcard itself", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"a${*}${?}${$}b"}`, leading, "a*?$b", true},
		{"variable", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"T#${aws:PrincipalTag/tenant}#*"}`, leading, "T#7#x", true},
		{"another tenant", `"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"T#${aws:PrincipalTag/tenant}#*"}`, leading, "T#70#x", false},
		{"default of a variable", `"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:username, 'x'}"}`, leading, "x", true},
		{"variable as key", `"StringEquals":{"aws:PrincipalTag/tenant":"7"}`, leading, "", true},
		{"variable as key differs", `"StringEquals":{"aws:PrincipalTag/tenant":"8"}`, leading, "", false},
		{"single", `"StringEquals":{"dynamodb:Select":["COUNT","SPECIFIC_ATTRIBUTES"]}`, sel, "COUNT", true},
		{"single absent", `"StringEquals":{"dynamodb:Select":"COUNT"}`, sel, "", false},
		{"single absent, if it exists", `"StringEqualsIfExists":{"dynamodb:Select":"COUNT"}`, sel, "", true},
		{"negated absent", `"StringNotEquals":{"dynamodb:Select":"COUNT"}`, sel, "", true},
		{"negated", `"StringNotLike":{"dynamodb:Select":"C*"}`, sel, "COUNT", false},
		{"case of the key", `"StringEquals":{"DynamoDB:select":"COUNT"}`, sel, "COUNT", true},
		{"case of the value", `"StringEquals":{"dynamodb:Select":"count"}`, sel, "COUNT", false},
		{"case ignored", `"StringEqualsIgnoreCase":{"dynamodb:Select":"count"}`, sel, "COUNT", true},
		{"bool", `"Bool":{"dynamodb:FullTableScan":"True"}`, policy.FullTableScan, "true", true},
		{"bool absent", `"Bool":{"dynamodb:FullTableScan":"false"}`, policy.FullTableScan, "", false},
		{"two keys of one operator", `"StringEquals":{"dynamodb:Select":"COUNT","dynamodb:ReturnValues":"NONE"}`, sel, "COUNT", false},
	} {
		a := &policy.Access{Action: "dynamodb:Query", Resource: things, Keys: map[string][]string{c.key: strings.Fields(c.values)}}
		want := policy.NotAllowed
		if c.want {
			want = policy.Allowed
		}
		require.Equal(t, want, parse(t, document(c.condition)).Decide(a), c.name)
	}
}

func TestActionsAndResources(t *testing.T) {
	t.Parallel()
	const index = things + "/index/byColor"
	for _, c := range []struct {
		statements, action, resource string
		want                         policy.Decision
	}{
		{`{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"` + things + `"}`, "GetItem", things, policy.Allowed},
		{`{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"` + things + `"}`, "Query", things, policy.NotAllowed},
		{`{"Effect":"Allow","Action":"DynamoDB:get*","Resource":"` + things + `"}`, "GetItem", things, policy.Allowed},
		{`{"Effect":"Allow","Action":"*","Resource":"` + things + `"}`, "Query", index, policy.NotAllowed},
		{`{"Effect":"Allow","Action":"*","Resource":"` + things + `/index/*"}`, "Query", index, policy.Allowed},
		{`{"Effect":"Allow","Action":"*","Resource":"` + things + `/index/*"}`, "Query", things, policy.NotAllowed},
		{`{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:123456789012:table/th?ngs"}`, "Query", things, policy.Allowed},
		{`{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:123456789012:table/t${?}ings"}`, "Query", things, policy.NotAllowed},
		{`{"Effect":"Allow","NotAction":"dynamodb:Scan","Resource":"*"}`, "Scan", things, policy.NotAllowed},
		{`{"Effect":"Allow","NotAction":"dynamodb:Scan","Resource":"*"}`, "Query", things, policy.Allowed},
		{`{"Effect":"Allow","Action":"*","NotResource":"` + things + `"}`, "Query", things, policy.NotAllowed},
		{`{"Effect":"Allow","Action":"*","NotResource":"` + things + `"}`, "Query", index, policy.Allowed},
		{`[{"Effect":"Allow","Action":"*","Resource":"*"},{"Effect":"Deny","Action":["dynamodb:Scan","sts:*"],"Resource":"*"}]`, "Scan", things, policy.Denied},
		{`[{"Effect":"Deny","Action":"dynamodb:Scan","Resource":"*"},{"Effect":"Allow","Action":"*","Resource":"*"}]`, "Scan", things, policy.Denied},
		{`[{"Effect":"Deny","Action":"dynamodb:Scan","Resource":"*"},{"Effect":"Allow","Action":"*","Resource":"*"}]`, "Query", things, policy.Allowed},
	} {
		d := parse(t, `{"Version":"2012-10-17","Id":"x","Statement":`+c.statements+`}`)
		require.Equal(t, c.want, d.Decide(&policy.Access{Action: "dynamodb:" + c.action, Resource: c.resource}), "%s: %s", c.statements, c.action)
	}
}
