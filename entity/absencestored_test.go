package entity_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
)

// What Put leaves out can be changed in part, with one request, and an item that is read and put
// again is stored as before.
func TestNilIsLeftOutOfItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := newAbsenceRun(t, e)
		repo := sheets.In(r.table)
		x := &sheet{ID: "1", Tags: []string{}, Nums: []int{}, Words: []string{}, Blob: []byte{}, Sums: map[string]int{}, Work: &sheetWork{Tags: []string{}}}
		require.NoError(t, repo.Put(t.Context(), x))
		stored := r.stored(t, "1")
		require.Equal(t, []string{"PK", "SK", "_type", "blob", "count", "id", "sums", "words", "work"}, slices.Sorted(maps.Keys(stored)))
		require.Empty(t, stored["work"].(*types.AttributeValueMemberM).Value)
		read, err := repo.Get(t.Context(), sheet{ID: "1"})
		require.NoError(t, err)
		require.NoError(t, repo.Put(t.Context(), &read))
		require.Equal(t, stored, r.stored(t, "1"))

		before := r.requests.Load()
		_, err = repo.Update(t.Context(), sheet{ID: "1"}, attr.SetAdd(dNums, 1), attr.SetAdd(dTags, "x"), attr.Append(dWords, "w"),
			attr.Add(dLimit, 1), attr.Key(dSums, "k").Set(1), attr.Add(dZip, 1), dNote.SetIfAbsent(r.text()), attr.If(dTwin.NotExists(), dTwin.Eq(nil)))
		require.NoError(t, err)
		require.Equal(t, int64(1), r.requests.Load()-before)
	})
}

func (r *absenceRun) stored(t *testing.T, id string) map[string]types.AttributeValue {
	t.Helper()
	out, err := r.client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("table"), Key: map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "D#" + id}, "SK": &types.AttributeValueMemberS{Value: "D"},
	}})
	require.NoError(t, err)
	return out.Item
}

// A NULL of another program costs a failed request and a write that removes it, once. CheckItems
// does not list it.
func TestNullOfAnotherProgram(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := newAbsenceRun(t, e)
		null := map[string]types.AttributeValue{"work": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"zip": nullAttribute}}}
		for _, name := range []string{"owner", "note", "text", "count", "limit", "words", "tags", "nums", "sums", "blob"} {
			null[name] = nullAttribute
		}
		r.store(t, null, "D#1", "D", "1")
		require.NoError(t, testchecks.Items(t.Context(), r.table, 10))
		for _, requests := range []int64{3, 1} {
			before := r.requests.Load()
			_, err := sheets.In(r.table).Update(t.Context(), sheet{ID: "1"}, attr.Add(dCount, 2), attr.Add(dZip, 3), attr.SetAdd(dTags, "x"))
			require.NoError(t, err)
			require.Equal(t, requests, r.requests.Load()-before)
		}
		got, err := sheets.In(r.table).Get(t.Context(), sheet{ID: "1"})
		require.NoError(t, err)
		require.Equal(t, 4, got.Count)
		require.Equal(t, 6, *got.Work.Zip)
		require.Equal(t, []string{"x"}, got.Tags)
	})
}
