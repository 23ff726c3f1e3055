package ddbtest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// manyIndexes describes a table with an index of each kind and each projection.
func manyIndexes() *dynamodb.CreateTableInput {
	return tableOf(
		"pk:S sk:N", ix{name: "local", key: "pk:S x:N", local: true, holds: "u"}, ix{name: "localall", key: "pk:S y:S", local: true, holds: "*"},
		ix{name: "sparse", key: "y:S"}, ix{name: "both", key: "x:N sk:N", holds: "*"}, ix{name: "inverted", key: "sk:N pk:S", holds: "u v"},
		ix{name: "multi", key: "y:S x:N | z:B pk:S", holds: "v"},
	)
}

// randomRow returns a row with one of a few keys and some of the indexed attributes.
func randomRow(r *rand.Rand) attributes {
	item := row("pk", string(rune('a'+r.IntN(3))), "sk", r.IntN(4))
	for name, v := range map[string]any{
		"x": r.IntN(3), "y": string(rune('p' + r.IntN(3))), "z": []byte{byte(r.IntN(2))}, "u": r.IntN(3), "v": []any{"v", r.IntN(3)}, "w": nums{fmt.Sprint(r.IntN(9))},
	} {
		if r.IntN(3) > 0 {
			item[name] = attr(v)
		}
	}
	return item
}

// randomWrite makes one random write.
func randomWrite(s *session, r *rand.Rand) {
	s.Helper()
	next := randomRow(r)
	key := attributes{"pk": next["pk"], "sk": next["sk"]}
	switch r.IntN(6) {
	case 0:
		s.delete(key)
	case 1:
		s.put(next)
	case 2:
		s.batch(types.WriteRequest{PutRequest: &types.PutRequest{Item: next}}, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: row("pk", "d", "sk", r.IntN(4))}})
	case 3:
		require.NoError(s, s.transact(
			types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: next}},
			types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: row("pk", "d", "sk", r.IntN(4))}},
		))
	case 4: // this write fails and changes nothing
		require.Error(s, s.update(key, "SET x = :x, y = :y", ":x", 9, ":y", 9))
	default:
		expression, values := randomUpdate(r, next)
		_, err := s.client.UpdateItem(s.Context(), &updateInput{
			TableName: &s.table, Key: key, UpdateExpression: aws.String(expression), ExpressionAttributeValues: nilIfEmpty(values),
		})
		require.NoError(s, err)
	}
}

// randomUpdate sets the attributes that a row has and removes the others.
func randomUpdate(r *rand.Rand, next attributes) (expression string, values attributes) {
	set, remove := "SET n = :n", ""
	values = row(":n", r.IntN(9))
	for _, name := range []string{"x", "y", "z", "u", "v", "w"} {
		if v, ok := next[name]; ok {
			set += ", " + name + " = :" + name
			values[":"+name] = v
		} else if remove == "" {
			remove = " REMOVE " + name
		} else {
			remove += ", " + name
		}
	}
	return set + remove, values
}

// TestIndexesMatchTables makes random writes of all kinds.
func TestIndexesMatchTables(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, manyIndexes(), func(s *session) {
		r := newRand(s)
		entries := 0
		rounds := testsize.Pick(8, 30, 60)
		for n := 0; n < rounds || entries == 0 && n < rounds+200; n++ {
			for range 25 {
				randomWrite(s, r)
			}
			wantIndexesAgree(s, s.client, s.table)
			entries += len(s.all(view{index: "multi"}))
		}
		require.Positive(s, entries, "the index with the longest key was never but empty")
	})
}

// TestIndexesMatchTablesControl checks that an index that never removes entries is detected.
func TestIndexesMatchTablesControl(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	index := indexOf{
		key: []types.KeySchemaElement{{AttributeName: aws.String("y")}}, projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}
	kinds := map[string]types.ScalarAttributeType{"y": types.ScalarAttributeTypeS}
	rows, naive := map[string]attributes{}, map[string]string{}
	for range 200 {
		next := randomRow(r)
		key := textOf(next["pk"]) + textOf(next["sk"])
		rows[key] = next
		if y, ok := next["y"]; ok {
			naive[key+textOf(y)] = written(next)
		}
	}
	var all []attributes
	for _, r := range rows {
		all = append(all, r)
	}
	var held []string
	for _, entry := range naive {
		held = append(held, entry)
	}
	slices.Sort(held)
	require.NotEqual(t, index.entries(all, nil, kinds), held)
}
