package service_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// createIndexed makes a table with an index whose partition key has three attributes.
const createIndexed = `{"TableName":"things","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
		{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"GlobalSecondaryIndexes":[{"IndexName":"multi","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},
		{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}]}`

// TestAccesses compares what a policy must allow for a request with the golden file. Each line of
// the file requests.txt is an operation and its body.
func TestAccesses(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.mustSend(t, "CreateTable", "%s", createIndexed)
	lines, err := os.ReadFile(filepath.Join("testdata", "requests.txt"))
	require.NoError(t, err)
	var b strings.Builder
	for line := range strings.Lines(string(lines)) {
		fmt.Fprint(&b, line)
		require.NoError(t, f.db.View(func(s *store.State) error {
			f.writeAccesses(t, &b, line, s)
			return nil
		}))
	}
	path := filepath.Join("testdata", "accesses.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

// writeAccesses writes the accesses of a request.
func (f *fixture) writeAccesses(t *testing.T, b *strings.Builder, line string, s *store.State) {
	t.Helper()
	operation, body, _ := strings.Cut(strings.TrimSpace(line), " ")
	request, err := service.Read(operation, []byte(body))
	require.NoError(t, err, line)
	accesses, err := request.Accesses(&f.config, s)
	if err != nil {
		fmt.Fprintf(b, "\tinvalid\n")
		return
	}
	for _, a := range accesses {
		fmt.Fprintf(b, "\t%s %s\n", a.Action, a.Resource)
		for _, key := range slices.Sorted(maps.Keys(a.Keys)) {
			fmt.Fprintf(b, "\t\t%s %s\n", strings.TrimPrefix(key, "dynamodb:"), strings.Join(a.Keys[key], " "))
		}
	}
}

// TestAccessesOfLegacyParameters compares requests with legacy parameters with the same requests
// with expressions: a policy must see the same in both.
func TestAccessesOfLegacyParameters(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.mustSend(t, "CreateTable", "%s", createIndexed)
	accesses := func(line string) string {
		var b strings.Builder
		require.NoError(t, f.db.View(func(s *store.State) error {
			f.writeAccesses(t, &b, line, s)
			return nil
		}))
		lines := strings.Split(b.String(), "\n")
		for i, line := range lines { // the order of names has no meaning
			words := strings.Fields(line)
			slices.Sort(words)
			lines[i] = strings.Join(slices.Compact(words), " ")
		}
		return strings.Join(lines, "\n")
	}
	const key = `{"TableName":"things","Key":{"pk":{"S":"t1"},"sk":{"N":"1"}},`
	const one = `"ExpressionAttributeValues":{":n":{"N":"1"}}`
	const equal = `{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]}`
	for legacy, modern := range map[string]string{
		`GetItem ` + key + `"AttributesToGet":["x","y"]}`:                                                              `GetItem ` + key + `"ProjectionExpression":"x, y"}`,
		`DeleteItem ` + key + `"Expected":{"x":{"Value":{"N":"1"}},"y":{"Exists":false}}}`:                             `DeleteItem ` + key + `"ConditionExpression":"x = :n AND attribute_not_exists(y)",` + one + `}`,
		`UpdateItem ` + key + `"Expected":{"x":` + equal + `},"AttributeUpdates":{"u":{"Action":"DELETE"}}}`:           `UpdateItem ` + key + `"ConditionExpression":"x = :n","UpdateExpression":"REMOVE u",` + one + `}`,
		`PutItem {"TableName":"things","Item":{"pk":{"S":"t1"},"sk":{"N":"1"}},"Expected":{"x":` + equal + `}}`:        `PutItem {"TableName":"things","Item":{"pk":{"S":"t1"},"sk":{"N":"1"}},"ConditionExpression":"x = :n",` + one + `}`,
		`Scan {"TableName":"things","ScanFilter":{"x":` + equal + `},"AttributesToGet":["y"]}`:                         `Scan {"TableName":"things","FilterExpression":"x = :n","ProjectionExpression":"y",` + one + `}`,
		`BatchGetItem {"RequestItems":{"things":{"Keys":[{"pk":{"S":"t1"},"sk":{"N":"1"}}],"AttributesToGet":["x"]}}}`: `BatchGetItem {"RequestItems":{"things":{"Keys":[{"pk":{"S":"t1"},"sk":{"N":"1"}}],"ProjectionExpression":"x"}}}`,
		`Query {"TableName":"things","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"t1"}]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}},"QueryFilter":{"x":` + equal + `}}`: `Query {"TableName":"things","KeyConditionExpression":"pk = :p AND sk > :n","FilterExpression":"x = :n","ExpressionAttributeValues":{":n":{"N":"1"},":p":{"S":"t1"}}}`,
		`Query {"TableName":"things","IndexName":"multi","AttributesToGet":["x"],"KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"t1"}]},"b":` + equal + `}}`:                                        `Query {"TableName":"things","IndexName":"multi","ProjectionExpression":"x","KeyConditionExpression":"a = :p AND b = :n","ExpressionAttributeValues":{":n":{"N":"1"},":p":{"S":"t1"}}}`,
		`Query {"TableName":"things","KeyConditions":{"pk":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"t1"}]}}}`:                                                                                                     `Query {"TableName":"things","KeyConditionExpression":"pk > :p","ExpressionAttributeValues":{":p":{"S":"t1"}}}`,
		`Query {"TableName":"things","KeyConditions":{"pk":{"ComparisonOperator":"EQ"}}}`:                                                                                                                                       `Query {"TableName":"things","KeyConditionExpression":"pk = "}`,
	} {
		want := accesses(modern)
		require.NotEmpty(t, want)
		require.Equal(t, want, accesses(legacy), legacy)
	}
	require.NotEqual(t, accesses(`GetItem `+key+`"AttributesToGet":["x"]}`), accesses(`GetItem `+key+`"AttributesToGet":["z"]}`), "the control")
}
