package ddbtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

func TestLoadAndDump(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.Reset) // these helpers ignore rules
	db.Budget(t, ddbtest.Requests.AtMost(0))
	var items []attributes
	for i := range 60 {
		items = append(items, thing("a", 59-i))
	}
	everything := thing("b", 0, attributes{
		"s": text(""), "n": &types.AttributeValueMemberN{Value: "-1.5"}, "b": &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"bool": &types.AttributeValueMemberBOOL{Value: true}, "null": &types.AttributeValueMemberNULL{Value: true},
		"l":  &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x"), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		"m":  &types.AttributeValueMemberM{Value: attributes{"x": &types.AttributeValueMemberM{Value: attributes{}}}},
		"ss": &types.AttributeValueMemberSS{Value: []string{"x", "y"}}, "ns": &types.AttributeValueMemberNS{Value: []string{"1", "10"}},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
	})
	db.Load(t, things, append(items, everything)...)
	dump := db.Dump(things)
	require.Len(t, dump, 61)
	for i := range 60 {
		require.Equal(t, thing("a", i), dump[i], "in the order of the keys")
	}
	require.Equal(t, everything, dump[60])
	require.Empty(t, db.Requests())
	require.Zero(t, db.Cost().Total())
	db.Load(t, things)
}

// TestInvalidItems checks that the failure names the items and the reasons, but no values.
func TestInvalidItems(t *testing.T) {
	t.Parallel()
	var many []attributes
	for range 12 {
		many = append(many, attributes{"pk": secret})
	}
	var messages strings.Builder
	for _, c := range []struct {
		name, table string
		items       []attributes
	}{
		{"no such table", "thing", []attributes{thing("a", 1)}},
		{"no key", things, []attributes{thing("a", 1), {"pk": secret}, nil}},
		{"wrong types", things, []attributes{{"pk": number(987), "sk": secret}}},
		{"wrong type in the key of an index", things, []attributes{thing("a", 1, attributes{"color": number(987)})}},
		{"nil", things, []attributes{thing("a", 1, attributes{"x": nil})}},
		{"nil pointer", things, []attributes{{"pk": (*types.AttributeValueMemberS)(nil), "sk": number(1)}}},
		{"nil in a list", things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberL{Value: []types.AttributeValue{nil}}})}},
		{"not a number", things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberN{Value: "secret"}})}},
		{"not a number in a set", things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberNS{Value: []string{"1", "secret"}}})}},
		{"same key", things, []attributes{thing("secret", 1), thing("b", 1), {"pk": secret, "sk": &types.AttributeValueMemberN{Value: "1.0"}}}},
		{"too large", things, []attributes{thing("a", 1), thing("b", 1, attributes{"x": text(strings.Repeat("secret", 70_000))})}},
		{"empty set", things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberSS{}})}},
		{"many", things, many},
	} {
		db, test := startFake()
		db.Load(test, c.table, c.items...)
		failsOnce(t, test)
		require.NotContains(t, test.failures[0], "987", c.name)
		fmt.Fprintf(&messages, "%s\n\t%s\n", c.name, strings.ReplaceAll(test.failures[0], "\n", "\n\t"))
	}
	golden(t, "items.txt", messages.String())
}

// TestCreateTableError checks that the failure has the service's error text.
func TestCreateTableError(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.CreateTable(test, &dynamodb.CreateTableInput{TableName: aws.String(things)})
	failsOnce(t, test, "create the table: ValidationException: ")
	require.NotContains(t, test.failures[0], "StatusCode", "what the SDK adds")
}

// TestCreateTableKeepsInput checks that a test can use its input for many databases.
func TestCreateTableKeepsInput(t *testing.T) {
	t.Parallel()
	in := thingsTable()
	ddbtest.Start(t).CreateTable(t, in)
	require.Equal(t, thingsTable(), in)
}
