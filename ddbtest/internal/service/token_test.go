package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestTokensOfDeletedTables repeats a transaction after its table was deleted, and again after the
// table was created anew.
func TestTokensOfDeletedTables(t *testing.T) {
	t.Parallel()
	const put = `{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"things","Item":{"pk":{"S":"a"}}}}]}`
	f := newFixture()
	f.mustSend(t, "CreateTable", createThing, "things", "")
	f.mustSend(t, "TransactWriteItems", put)
	f.mustSend(t, "DeleteTable", `{"TableName":"things"}`)
	require.Equal(t, awserr.CodeResourceNotFound, f.mustFail(t, "TransactWriteItems", put).Code)

	f.mustSend(t, "CreateTable", `{"TableName":"things","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	require.Equal(t, awserr.CodeValidation, f.mustFail(t, "TransactWriteItems", put).Code)
	f.mustSend(t, "DeleteTable", `{"TableName":"things"}`)

	f.mustSend(t, "CreateTable", createThing, "things", "")
	f.mustSend(t, "TransactWriteItems", put)
	require.JSONEq(t, `{"Count":0,"ScannedCount":0,"Items":[]}`, f.mustSend(t, "Scan", `{"TableName":"things"}`), "it was done before")
}
