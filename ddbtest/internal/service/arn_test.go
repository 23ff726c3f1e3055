package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestTablesByARN creates and uses a table by its ARN, and checks that the replies use the same
// name as the requests.
func TestTablesByARN(t *testing.T) {
	t.Parallel()
	f := newFixture()
	require.Contains(t, f.mustSend(t, "CreateTable", createThing, arn, ""), `"TableName":"things"`)
	for _, name := range []string{"things", arn} {
		for _, request := range []struct{ operation, body string }{
			{"PutItem", `{"TableName":%q,"Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`},
			{"UpdateItem", `{"TableName":%q,"Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE x","ReturnConsumedCapacity":"INDEXES"}`},
			{"GetItem", `{"TableName":%q,"Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`},
			{"Query", `{"TableName":%q,"KeyConditionExpression":"pk=:p","ExpressionAttributeValues":{":p":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`},
			{"Scan", `{"TableName":%q,"ReturnConsumedCapacity":"TOTAL"}`},
			{"DeleteItem", `{"TableName":%q,"Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`},
			{"BatchWriteItem", `{"RequestItems":{%q:[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]},"ReturnConsumedCapacity":"TOTAL"}`},
			{"BatchGetItem", `{"RequestItems":{%q:{"Keys":[{"pk":{"S":"a"}}]}},"ReturnConsumedCapacity":"TOTAL"}`},
			{"TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":%q,"Key":{"pk":{"S":"a"}}}}],"ReturnConsumedCapacity":"TOTAL","ClientRequestToken":"a"}`},
			{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":%q,"Key":{"pk":{"S":"a"}}}}],"ReturnConsumedCapacity":"TOTAL"}`},
		} {
			if request.operation == "TransactWriteItems" && name == arn {
				require.Equal(t, "IdempotentParameterMismatchException", f.mustFail(t, request.operation, request.body, name).Code, "the two are not the same request")
				continue
			}
			require.Contains(t, f.mustSend(t, request.operation, request.body, name), `"TableName":"`+name+`"`, request.operation)
		}
	}
}

// TestTablesOfOtherAccountsAreRejected creates tables by ARNs of another Region or account, or of
// an index.
func TestTablesOfOtherAccountsAreRejected(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for elsewhere, code := range map[string]string{
		"arn:aws:dynamodb:eu-west-1:123456789012:table/things": "AccessDeniedException",
		"arn:aws:dynamodb:us-east-1:210987654321:table/things": "AccessDeniedException",
		arn + "/index/all": awserr.CodeValidation,
	} {
		require.Equal(t, code, f.mustFail(t, "CreateTable", createThing, elsewhere, "").Code)
	}
	require.JSONEq(t, `{"TableNames":[]}`, f.mustSend(t, "ListTables", `{}`))
}

// TestItemByTableNameAndARN names the same item by its table's name and by its table's ARN.
func TestItemByTableNameAndARN(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.mustSend(t, "CreateTable", createThing, "things", "")
	for operation, body := range map[string]string{
		"BatchGetItem":       `{"RequestItems":{"things":{"Keys":[{"pk":{"S":"a"}}]},%q:{"Keys":[{"pk":{"S":%q}}]}}}`,
		"BatchWriteItem":     `{"RequestItems":{"things":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}],%q:[{"DeleteRequest":{"Key":{"pk":{"S":%q}}}}]}}`,
		"TransactGetItems":   `{"TransactItems":[{"Get":{"TableName":"things","Key":{"pk":{"S":"a"}}}},{"Get":{"TableName":%q,"Key":{"pk":{"S":%q}}}}]}`,
		"TransactWriteItems": `{"TransactItems":[{"Delete":{"TableName":"things","Key":{"pk":{"S":"a"}}}},{"Delete":{"TableName":%q,"Key":{"pk":{"S":%q}}}}]}`,
	} {
		require.Equal(t, awserr.CodeValidation, f.mustFail(t, operation, body, arn, "a").Code, operation)
		f.mustSend(t, operation, body, arn, "b")
	}
}
