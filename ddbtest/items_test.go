package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestItemTexts checks that equal items have equal texts, whatever the order in which they and
// their sets were written.
func TestItemTexts(t *testing.T) {
	t.Parallel()
	red := func(colors ...string) attributes {
		return attributes{"colors": &types.AttributeValueMemberSS{Value: colors}}
	}
	one, other := setup(t), setup(t)
	one.Load(t, things, thing("a", 1, red("x", "y")), thing("b", 2))
	other.Load(t, things, thing("b", 2), thing("a", 1, red("y", "x")))
	a, b := ddbtest.Items(one.Dump(things)), ddbtest.Items(other.Dump(things))
	require.Equal(t, a.JSON(), b.JSON())
	require.Equal(t, a.DynamoDBJSON(), b.DynamoDBJSON())
	golden(t, "plain.txt", a.JSON()+a.DynamoDBJSON())
	require.NoError(t, increment(t.Context(), other.Client()))
	require.NotEqual(t, a.JSON(), ddbtest.Items(other.Dump(things)).JSON(), "the control")
}

type decodedThing struct {
	PK    string `dynamodbav:"pk"`
	SK    int    `dynamodbav:"sk"`
	Color string `dynamodbav:"color"`
}

func TestDecodeItems(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Load(t, things, thing("a", 1, attributes{"color": text("red")}), thing("b", 2))
	items := ddbtest.Items(db.Dump(things))
	got := []decodedThing{{PK: "replaced"}}
	require.NoError(t, items.Decode(&got))
	require.ElementsMatch(t, []decodedThing{{"a", 1, "red"}, {"b", 2, ""}}, got)
	var pointers []*decodedThing
	require.NoError(t, items.Decode(&pointers))
	require.Len(t, pointers, 2)
	require.NoError(t, ddbtest.Items(nil).Decode(&got))
	require.Empty(t, got)
	require.NotNil(t, got)
}

// TestDecodeItemsErrors checks that the errors name the items and attributes, and no values.
func TestDecodeItemsErrors(t *testing.T) {
	t.Parallel()
	items := ddbtest.Items{thing("secret", 1), {"pk": number(1), "sk": secret}, {"sk": &types.AttributeValueMemberN{Value: "99999999999999999999"}}, nil}
	got := []decodedThing{{PK: "kept"}}
	err := items.Decode(&got)
	for _, want := range []string{
		"items[1]: the attribute sk of type S does not fit ddbtest_test.decodedThing", "items[2]: the attribute sk of type N",
	} {
		require.ErrorContains(t, err, want)
	}
	require.NotContains(t, err.Error(), "secret")
	require.NotContains(t, err.Error(), "9999")
	require.Equal(t, []decodedThing{{PK: "kept"}}, got)
	for _, into := range []any{nil, got, decodedThing{}, &decodedThing{}, (*[]decodedThing)(nil), 1} {
		require.ErrorContains(t, items.Decode(into), "not a pointer to a slice")
	}
}
