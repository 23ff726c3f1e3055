package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestUnusedDefinitions creates tables with definitions of attributes that no key uses: by a
// request, in a fork and by a file. It fails if one of them does not know the option.
func TestUnusedDefinitions(t *testing.T) {
	t.Parallel()
	unused := types.AttributeDefinition{AttributeName: aws.String("unused"), AttributeType: types.ScalarAttributeTypeS}
	withIndex := thingsTable()
	withIndex.BillingMode = types.BillingModePayPerRequest
	withIndex.AttributeDefinitions = append(withIndex.AttributeDefinitions, unused)
	plain := thingsTable()
	plain.BillingMode, plain.GlobalSecondaryIndexes = types.BillingModePayPerRequest, nil // color is unused
	const file = `{"TableName":"things","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"unused","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}]}`

	taking := ddbtest.Options{UnusedDefinitions: true}
	for name, in := range map[string]*dynamodb.CreateTableInput{"index": withIndex, "no index": plain} {
		for _, db := range []*ddbtest.DB{ddbtest.Start(t, taking), ddbtest.Start(t, taking).ForkFor(t)} {
			out, err := db.Client().CreateTable(t.Context(), in)
			require.NoError(t, err, name)
			for _, d := range out.TableDescription.AttributeDefinitions {
				require.NotEqual(t, "unused", *d.AttributeName, "as UpdateTable, it leaves them out")
			}
			undefined := *in
			undefined.TableName, undefined.AttributeDefinitions = aws.String("other"), undefined.AttributeDefinitions[:1]
			_, err = db.Client().CreateTable(t.Context(), &undefined)
			require.Error(t, err, "sk is not defined")
		}
		_, err := ddbtest.Start(t).Client().CreateTable(t.Context(), in)
		require.Error(t, err, "the default is as the service")
	}
	require.Equal(t, []string{things}, ddbtest.Start(t, taking).CreateTables(t, writeFile(t, "table.json", file)))
	test := new(fakeTest)
	ddbtest.Start(test).CreateTables(test, writeFile(t, "table.json", file))
	require.Len(t, test.failures, 1)
}
