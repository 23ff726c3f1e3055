package item

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestPathsIntoKeysAreRejected checks the key of the table and of the indexes, in every kind of
// expression, with and without an item.
func TestPathsIntoKeysAreRejected(t *testing.T) {
	t.Parallel()
	const scalars = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	db := newDB(t)
	key := of("pk", "a", "sk", "b")
	text := func(s string) *string { return &s }
	for path, of := range map[string]string{"pk.x": "Key: pk", "sk[0]": "Key: sk", "g.x": "IndexKey: g", "l[1].y": "IndexKey: l"} {
		for _, w := range []Write{
			{Kind: PutKind, Condition: text("attribute_not_exists(" + path + ")")},
			{Kind: DeleteKind, Condition: text("attribute_not_exists(" + path + ")")},
			{Kind: UpdateKind, Condition: text("attribute_not_exists(" + path + ")")},
			{Kind: UpdateKind, Update: text("SET y = if_not_exists(" + path + ", :z)"), Values: values(":z", 1)},
			{Kind: UpdateKind, Update: text("SET y = " + path)},
		} {
			w.TableName, w.Item = indexed, key
			_, err := run(db, w, "")
			requireServiceError(t, awserr.CodeValidation, scalars+of, err)
			require.Nil(t, stored(t, db, indexed, key))
		}
		_, err := Get(call(db), &api.GetItemInput{TableName: indexed, Key: key, ProjectionExpression: text("x, " + path)})
		requireServiceError(t, awserr.CodeValidation, scalars+of, err)
	}
	_, err := run(db, Write{Kind: UpdateKind, TableName: indexed, Item: key, Update: text("REMOVE g.x")}, "")
	requireServiceError(t, awserr.CodeValidation, scalars+"IndexKey: g", err)
	_, err = run(db, Write{Kind: UpdateKind, TableName: indexed, Item: key, Update: text("REMOVE pk.x")}, "")
	requireServiceError(t, awserr.CodeValidation, "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key", err)

	// other attributes may be nested, and key attributes may be named
	_, err = run(db, Write{Kind: PutKind, TableName: indexed, Item: key, Condition: text("attribute_not_exists(pk) AND attribute_not_exists(x.pk) AND attribute_not_exists(g)")}, "")
	require.NoError(t, err)
}
