package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestATokenNeedsItsTable repeats a transaction after its table was deleted, and again after the
// table was created anew.
func TestATokenNeedsItsTable(t *testing.T) {
	t.Parallel()
	const put = `{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"things","Item":{"pk":{"S":"a"}}}}]}`
	w := newWorld()
	w.done(t, "CreateTable", createThing, "things", "")
	w.done(t, "TransactWriteItems", put)
	w.done(t, "DeleteTable", `{"TableName":"things"}`)
	require.Equal(t, awserr.CodeResourceNotFound, w.refused(t, "TransactWriteItems", put).Code)

	w.done(t, "CreateTable", `{"TableName":"things","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	require.Equal(t, awserr.CodeValidation, w.refused(t, "TransactWriteItems", put).Code)
	w.done(t, "DeleteTable", `{"TableName":"things"}`)

	w.done(t, "CreateTable", createThing, "things", "")
	w.done(t, "TransactWriteItems", put)
	require.JSONEq(t, `{"Count":0,"ScannedCount":0,"Items":[]}`, w.done(t, "Scan", `{"TableName":"things"}`), "it was done before")
}
