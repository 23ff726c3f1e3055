package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/policy"
)

// TestInvalidDocuments checks that nothing is ignored, and that the error names what is wrong.
func TestInvalidDocuments(t *testing.T) {
	t.Parallel()
	statement := func(s string) string { return `{"Version":"2012-10-17","Statement":` + s + `}` }
	for text, named := range map[string]string{
		``:                         "",
		`[]`:                       "",
		`{"Version":"2012-10-17"}`: "Statement",
		`{"Version":"2008-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}`: "Version",
		`{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}`:                        "Version",
		statement(`[]`):   "Statement",
		statement(`null`): "Statement",
		statement(`[1]`):  "Statement",
		statement(`{"Effect":"Allow","Action":"*","Resource":"*"}`) + `x`:                       "",
		statement(`{"Effect":"allow","Action":"*","Resource":"*"}`):                             "Effect",
		statement(`{"Action":"*","Resource":"*"}`):                                              "Effect",
		statement(`{"Effect":"Allow","Resource":"*"}`):                                          "NotAction",
		statement(`{"Effect":"Allow","Action":"*","NotAction":"*","Resource":"*"}`):             "NotAction",
		statement(`{"Effect":"Allow","Action":"*"}`):                                            "NotResource",
		statement(`{"Effect":"Allow","Action":"*","Resource":"*","NotResource":"arn:x"}`):       "NotResource",
		statement(`{"Effect":"Allow","Action":"*","Resource":"arn:\u0007"}`):                    "U+0007",
		statement(`{"Effect":"Allow","Action":"*","Resource":"arn:${aws:PrincipalTag/tenant"}`): "closing brace",
		statement(`{"Effect":"Allow","Action":"GetItem","Resource":"*"}`):                       "dynamodb:GetItem",
		statement(`{"Effect":"Allow","Action":[],"Resource":"*"}`):                              "Action",
		statement(`{"Effect":"Allow","Action":1,"Resource":"*"}`):                               "Action",
		statement(`{"Effect":"Allow","Action":"*","action":"*","Resource":"*"}`):                "action",
		statement(`{"Effect":"Allow","Effect":"Deny","Action":"*","Resource":"*"}`):             "Effect",
		statement(`{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}`):             "Principal",
		statement(`{"Effect":"Allow","Action":"*","Resource":"arn:${aws:username}"}`):           "aws:username",
		statement(`{"Effect":"Allow","Action":"*","Resource":"arn:${aws:username"}`):            "aws:username",
		statement(`{"Effect":"Deny","Action":"*","Resource":"orders"}`):                         "orders",
		statement(`{"Effect":"Deny","Action":"*","NotResource":"*/orders"}`):                    "orders",
		statement(`{"Effect":"Deny","Action":"dynamodb:TransactWriteItems","Resource":"*"}`):    "ConditionCheckItem",
		statement(`{"Effect":"Deny","Action":"DynamoDB:transactGetItems","Resource":"*"}`):      "GetItem",
		document(`"Null":{"dynamodb:LeadingKeys":"yes"}`):                                       "true or false",
		document(`"Bool":{"dynamodb:FullTableScan":["true","${*}"]}`):                           "true or false",
		document(`"NumericEquals":{"dynamodb:Select":"1"}`):                                     "NumericEquals",
		document(`"ForAllvalues:StringEquals":{"dynamodb:LeadingKeys":"1"}`):                    "ForAllvalues",
		document(`"NullIfExists":{"dynamodb:LeadingKeys":"true"}`):                              "NullIfExists",
		document(`"StringEquals":{"dynamodb:Selects":"COUNT"}`):                                 "dynamodb:Selects",
		document(`"StringEquals":{"aws:SourceIp":"1"}`):                                         "aws:SourceIp",
		document(`"StringEquals":{"dynamodb:LeadingKeys":"1"}`):                                 "ForAllValues",
		document(`"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"\u0100"}`):               "U+0100",
		document(`"StringEquals":[]`):                                                           "StringEquals",
	} {
		_, err := policy.Parse([]byte(text), variables)
		require.Error(t, err, text)
		require.Contains(t, err.Error(), named, text)
	}
}

// TestInvalidVariables checks the names and the values of variables.
func TestInvalidVariables(t *testing.T) {
	t.Parallel()
	for _, variables := range []map[string]string{
		{"aws:x": "*"}, {"aws:x": "?"}, {"aws:x": "$"}, {"dynamodb:LeadingKeys": "1"}, {"DynamoDB:leadingkeys": "1"},
		{"tenant": "1"}, {"": "1"}, {"aws:x": "1", "AWS:X": "2"},
	} {
		_, err := policy.Parse([]byte(document("")), variables)
		require.Error(t, err, variables)
	}
}

// FuzzParse parses any document. What parses gives a decision, and a document that is allowed has
// an Allow.
func FuzzParse(f *testing.F) {
	f.Add([]byte(document(`"ForAllValues:StringLike":{"dynamodb:LeadingKeys":"T#${aws:PrincipalTag/tenant}#*"}`)))
	f.Add([]byte(document(`"Null":{"dynamodb:LeadingKeys":["false"]},"Bool":{"dynamodb:FullTableScan":true}`)))
	f.Add([]byte(`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","NotAction":"dynamodb:*","NotResource":"${*}"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := policy.Parse(text, variables)
		if err != nil {
			return
		}
		a := &policy.Access{Action: "dynamodb:GetItem", Resource: things, Keys: map[string][]string{policy.LeadingKeys: {"T#7#a"}}}
		if d.Decide(a) == policy.Allowed {
			require.Contains(t, string(text), `"Allow"`)
		}
	})
}
