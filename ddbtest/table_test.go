package ddbtest_test

import (
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
	db.Fail(ddbtest.Reset) // no rule knows of what these do
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
	require.Empty(t, db.Dump("others"))
	db.Load(t, things)
}

func TestWhatCannotBeLoadedFailsTheTest(t *testing.T) {
	t.Parallel()
	db, test := setup(t), new(fakeTest)
	db.Load(test, "others", thing("a", 1))
	db.Load(test, things, attributes{"pk": text("a")})
	db.CreateTable(test, &dynamodb.CreateTableInput{TableName: aws.String(things)})
	require.Len(t, test.failures, 3)
}

// TestCreateTableLeavesItsInputAlone: a test may use it for many databases.
func TestCreateTableLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	in := thingsTable()
	ddbtest.Start(t).CreateTable(t, in)
	require.Equal(t, thingsTable(), in)
}
