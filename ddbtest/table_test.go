package ddbtest_test

import (
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
	db.Budget(t, ddbtest.MaxRequests(0))
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

// TestWhatCannotBeLoaded checks that the failure names the items and the reasons, but no values.
func TestWhatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	secret := text("secret")
	many := []attributes{}
	for range 12 {
		many = append(many, attributes{"pk": secret})
	}
	for name, c := range map[string]struct {
		table string
		items []attributes
		want  []string
	}{
		"no such table":     {"thing", []attributes{thing("a", 1)}, []string{`load 1 item into "thing": there is no table "thing": is it "things"?`}},
		"no key":            {things, []attributes{thing("a", 1), {"pk": secret}, nil}, []string{"items[1]: key attribute sk is missing", "items[2]: key attribute pk is missing", "items[2]: key attribute sk is missing"}},
		"another type":      {things, []attributes{{"pk": number(987), "sk": secret}}, []string{"pk has type N, but the table defines it as S", "sk has type S"}},
		"index key's type":  {things, []attributes{thing("a", 1, attributes{"color": number(987)})}, []string{"color has type N, but the table defines it as S"}},
		"nil":               {things, []attributes{thing("a", 1, attributes{"x": nil})}, []string{"items[0]: x: value is nil"}},
		"a nil pointer":     {things, []attributes{{"pk": (*types.AttributeValueMemberS)(nil), "sk": number(1)}}, []string{"items[0]: pk: value is nil"}},
		"nil in a list":     {things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberL{Value: []types.AttributeValue{nil}}})}, []string{"x: value is nil"}},
		"no number":         {things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberN{Value: "secret"}})}, []string{"x: ", "not a number"}},
		"no number, in set": {things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberNS{Value: []string{"1", "secret"}}})}, []string{"not a number"}},
		"the same twice":    {things, []attributes{thing("secret", 1), thing("b", 1), {"pk": secret, "sk": &types.AttributeValueMemberN{Value: "1.0"}}}, []string{"items[2]: same key as items[0]"}},
		"too large":         {things, []attributes{thing("a", 1), thing("b", 1, attributes{"x": text(strings.Repeat("secret", 70_000))})}, []string{"items[1]: ValidationException"}},
		"an empty set":      {things, []attributes{thing("a", 1, attributes{"x": &types.AttributeValueMemberSS{}})}, []string{"items[0]: ValidationException"}},
		"many":              {things, many, []string{"items[9]: key attribute sk is missing", "and 2 more"}},
	} {
		db, test := faked()
		db.Load(test, c.table, c.items...)
		failsOnce(t, test, append(c.want, "load ")...)
		require.NotContains(t, test.failures[0], "secret", name)
		require.NotContains(t, test.failures[0], "987", name)
	}
}

// TestCreateTableFailsTheTest checks that the failure has the service's error text.
func TestCreateTableFailsTheTest(t *testing.T) {
	t.Parallel()
	db, test := faked()
	db.CreateTable(test, &dynamodb.CreateTableInput{TableName: aws.String(things)})
	failsOnce(t, test, "create the table", "ValidationException")
}

// TestCreateTableLeavesItsInputAlone checks that a test can use its input for many databases.
func TestCreateTableLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	in := thingsTable()
	ddbtest.Start(t).CreateTable(t, in)
	require.Equal(t, thingsTable(), in)
}
