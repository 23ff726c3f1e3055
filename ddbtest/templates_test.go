package ddbtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// template returns a CloudFormation template with a table.
func template(sections, properties string) string {
	return `{` + sections + `"Resources":{"Orders":{"Type":"AWS::DynamoDB::Table","Properties":{` +
		properties + `,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}}}}`
}

// TestConditionsOfTemplates checks Fn::If, and which resources a template leaves out.
func TestConditionsOfTemplates(t *testing.T) {
	t.Parallel()
	const conditions = `"Parameters":{"Stage":{"Default":"dev"},"Required":{}},"Conditions":{
		"Dev":{"Fn::Equals":[{"Ref":"Stage"},"dev"]},
		"Prod":{"Fn::Not":[{"Condition":"Dev"}]},
		"Both":{"Fn::And":[{"Condition":"Dev"},{"Condition":"Prod"}]},
		"Any":{"Fn::Or":[{"Condition":"Prod"},{"Condition":"Dev"}]},
		"All":{"Fn::And":[{"Condition":"Dev"},{"Condition":"Any"}]},
		"Neither":{"Fn::Or":[{"Condition":"Prod"},{"Condition":"Both"}]},
		"Open":{"Fn::Equals":[{"Ref":"Required"},"x"]}},`
	for condition, want := range map[string]string{
		"Dev": "yes", "Prod": "never", "Both": "never", "Any": "yes", "All": "yes", "Neither": "never",
		"Open": "Orders", "Missing": "Orders", // as for every name that is not in the template
	} {
		db := ddbtest.Start(t)
		names := db.CreateTables(t, writeFile(t, "template.json", template(conditions, `"TableName":{"Fn::If":["`+condition+`","yes","never"]}`)))
		require.Equal(t, []string{want}, names, condition)
	}

	db := ddbtest.Start(t)
	names := db.CreateTables(t, writeFile(t, "template.json", `{`+conditions+`"Resources":{
		"A":{"Type":"AWS::DynamoDB::Table","Condition":"Prod","Properties":{}},
		"Photos":{"Type":"AWS::DynamoDB::Table","Condition":"Dev","Properties":{"TableName":{"Fn::If":["Prod","x",{"Ref":"AWS::NoValue"}]},
			"BillingMode":{"Fn::If":["Prod","PROVISIONED",{"Fn::If":["Dev","PAY_PER_REQUEST","x"]}]},
			"ProvisionedThroughput":{"Fn::If":["Prod",{"ReadCapacityUnits":5,"WriteCapacityUnits":5},{"Ref":"AWS::NoValue"}]},
			"PointInTimeRecoverySpecification":{"Fn::If":["Open",1,2]},
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"Fn::If":["Dev",{"AttributeName":"color","AttributeType":"S"},{"Ref":"AWS::NoValue"}]}],
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"Fn::If":["Prod",{"AttributeName":"sk","KeyType":"RANGE"},{"Ref":"AWS::NoValue"}]}],
			"GlobalSecondaryIndexes":{"Fn::If":["Dev",[{"IndexName":"byColor","KeySchema":[{"AttributeName":"color","KeyType":"HASH"}],
				"Projection":{"ProjectionType":"ALL"}}],{"Ref":"AWS::NoValue"}]}}}}}`))
	require.Equal(t, []string{"Photos"}, names)
	described, err := db.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Photos")})
	require.NoError(t, err)
	require.Len(t, described.Table.KeySchema, 1)
	require.Len(t, described.Table.GlobalSecondaryIndexes, 1)
}

// TestEndlessTemplates checks templates whose functions use themselves, or make texts without end.
func TestEndlessTemplates(t *testing.T) {
	t.Parallel()
	nested := `{"Fn::Sub":["${a}${a}",{"a":""}]}`
	long := `{"Fn::Sub":["${a}${a}",{"a":"` + strings.Repeat("x", 1000) + `"}]}`
	joined := `"` + strings.Repeat("x", 1000) + `"`
	for range 40 {
		nested = `{"Fn::Sub":["${a}${a}",{"a":` + nested + `}]}`
	}
	for range 8 {
		long = `{"Fn::Sub":["${a}${a}",{"a":` + long + `}]}`
		joined = fmt.Sprintf(`{"Fn::Join":["",[%s,%s]]}`, joined, joined)
	}
	for name, c := range map[string]struct{ sections, name string }{
		"a parameter":         {`"Parameters":{"P":{"Default":{"Ref":"P"}}},`, `{"Ref":"P"}`},
		"a mapping":           {`"Mappings":{"M":{"a":{"b":{"Fn::FindInMap":["M","a","b"]}}}},`, `{"Fn::FindInMap":["M","a","b"]}`},
		"a condition":         {`"Conditions":{"C":{"Fn::Not":[{"Condition":"C"}]}},`, `{"Fn::If":["C","a","b"]}`},
		"conditions":          {`"Conditions":{"C":{"Condition":"D"},"D":{"Condition":"C"}},`, `{"Fn::If":["C","a","b"]}`},
		"no text, many times": {"", nested},
		"long texts":          {"", long},
		"long lists":          {"", joined},
	} {
		test := new(fakeTest)
		names := ddbtest.Start(test).CreateTables(test, writeFile(t, "template.json", template(c.sections, `"TableName":`+c.name)))
		require.Empty(t, test.failures, name)
		require.Equal(t, []string{"Orders"}, names, name)
		require.Len(t, test.logs, 1, name)
	}
}
