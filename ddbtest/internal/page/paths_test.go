package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestPathsIntoKeysAreRejected checks the keys of the table and of all indexes, for each source.
func TestPathsIntoKeysAreRejected(t *testing.T) {
	t.Parallel()
	const scalars = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	db := projecting(t)
	for path, of := range map[string]string{"pk.x": "Key: pk", "sk[0]": "Key: sk", "a.x": "IndexKey: a", "b[1].y": "IndexKey: b"} {
		for _, index := range []string{"", "localKeys", "some"} {
			key := map[string]string{"": "pk = :p", "localKeys": "pk = :p", "some": "a = :p"}[index]
			ask := condition(index, key, ":p", value.String("p"))
			for _, change := range []func(*api.QueryInput){
				func(in *api.QueryInput) { in.FilterExpression = pointer("attribute_not_exists(" + path + ")") },
				func(in *api.QueryInput) { in.ProjectionExpression = &path },
			} {
				in := queryOf(func(in *api.QueryInput) { ask(in); change(in) })
				_, err := Query(call(db, engine.Steer{}), in)
				requireServiceError(t, scalars+of, err)
				_, err = Scan(call(db, engine.Steer{}), &api.ScanInput{
					TableName: tableName, IndexName: in.IndexName, FilterExpression: in.FilterExpression, ProjectionExpression: in.ProjectionExpression,
				})
				requireServiceError(t, scalars+of, err)
			}
		}
	}
	out, err := Scan(call(db, engine.Steer{}), &api.ScanInput{TableName: tableName, FilterExpression: pointer("attribute_not_exists(x.pk) AND attribute_exists(a)")})
	require.NoError(t, err)
	require.Equal(t, 1, out.Count)
}

// TestNothingFollowsASingleItem: a table without a sort key has one item per key. A query of it has
// one page and accepts no start key. A scan of it and a query of an index have more pages.
func TestNothingFollowsASingleItem(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	require.NoError(t, db.Update(func(s *store.State) error {
		table := &store.Table{Name: "single", Key: key(only(pk))}
		s.AddTable(table)
		table.AddIndex(&store.Index{Name: "byText", Key: key(only(a)), Projection: store.Projection{Type: "ALL"}})
		for _, name := range []string{"p", "q"} {
			s.Put(table, value.MapOf(value.Attribute{Name: "pk", Value: value.String(name)}, value.Attribute{Name: "a", Value: value.String("a")}))
		}
		return nil
	}))
	single := func(in *api.QueryInput) { in.TableName, in.Limit = "single", pointer(int64(1)) }
	for name, count := range map[string]int{"p": 1, "nothing": 0} {
		for _, steer := range []engine.Steer{{}, {EmptyPage: true}, {Evaluate: 1}} {
			out, err := Query(call(db, steer), queryOf(func(in *api.QueryInput) {
				condition("", "pk = :p", ":p", value.String(name))(in)
				single(in)
			}))
			require.NoError(t, err)
			require.Equal(t, count, out.Count)
			require.Nil(t, out.LastEvaluatedKey)
		}
	}
	for _, name := range []string{"p", "q"} {
		_, err := Query(call(db, engine.Steer{}), queryOf(func(in *api.QueryInput) {
			start(single, value.Attribute{Name: "pk", Value: value.String(name)})(in)
		}))
		requireServiceError(t, "The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: {S:"+name+"}}", err)
	}

	scanned, err := Scan(call(db, engine.Steer{}), &api.ScanInput{TableName: "single", Limit: pointer(int64(1))})
	require.NoError(t, err)
	require.NotNil(t, scanned.LastEvaluatedKey)
	byText := queryOf(func(in *api.QueryInput) { condition("byText", "a = :a", ":a", value.String("a"))(in); single(in) })
	queried, err := Query(call(db, engine.Steer{}), byText)
	require.NoError(t, err)
	require.NotNil(t, queried.LastEvaluatedKey)
	byText.ExclusiveStartKey = queried.LastEvaluatedKey
	queried, err = Query(call(db, engine.Steer{}), byText)
	require.NoError(t, err)
	require.Equal(t, value.String("q"), queried.Items[0].Get("pk"))
}
