package maintain_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// plainScroll is a scroll before its index was declared.
type plainScroll struct {
	_    entity.Key `type:"scroll" pk:"S#<id>" sk:"S"`
	ID   string     `dynamodbav:"id"`
	Room string     `dynamodbav:"room"`

	Shelf string `dynamodbav:"shelf"`
}

// The requests of Check create the missing global indexes one after the other, and no local one.
// After Reindex, an index has the items that were stored before.
func TestMissingIndexesAreCreated(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		first, plain := shelves[plainScroll](t, client)
		require.NoError(t, first.Create(t.Context()))
		require.NoError(t, plain.Create(t.Context(), &plainScroll{ID: "1", Room: "r", Shelf: "s"}))

		local := entity.IndexConfig{Name: "Local", Kind: entity.LocalIndex}
		other := entity.IndexConfig{Name: "Other", Partition: []entity.Attribute{entity.N("size")}, NoSort: true, KeysOnly: true}
		multi := entity.IndexConfig{Name: "Multi", Partition: []entity.Attribute{entity.S("room"), entity.S("shelf")}, Sort: []entity.Attribute{entity.N("size")}}
		withLocal, _ := shelves[plainScroll](t, client, oldShelf, local, other)
		require.Len(t, missing(t, withLocal), 2)

		indexes := []entity.IndexConfig{oldShelf, other, multi}
		table, scrolls := shelves[scroll](t, client, indexes...)
		for left := len(indexes); left > 0; left-- {
			create := missing(t, table)
			require.Len(t, create, left)
			_, err := client.UpdateTable(t.Context(), create[0])
			require.NoError(t, err)
			awaitDifferences(t, table, left-1)
		}
		require.NoError(t, maintain.Check(t.Context(), table))

		byShelf := query.On(scrolls, "by-shelf", scroll{Shelf: "s"}).Fetch()
		found, err := byShelf.Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, found, "the item has no key of the index yet")
		_, err = maintain.Reindex(t.Context(), table, maintain.Run{}, scrolls.Type())
		require.NoError(t, err)
		found, err = byShelf.Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []scroll{{ID: "1", Room: "r", Shelf: "s"}}, found)
	})
}

// missing returns the requests for the missing indexes.
func missing(t *testing.T, table *entity.Table) (create []*dynamodb.UpdateTableInput) {
	t.Helper()
	var drift *maintain.Error
	require.ErrorAs(t, maintain.Check(t.Context(), table), &drift)
	for _, p := range drift.Problems {
		if p.Input != nil {
			require.Equal(t, maintain.IndexMissing, p.Kind)
			create = append(create, p.Input)
		}
	}
	return create
}

// awaitDifferences waits until Check reports a number of differences.
func awaitDifferences(t *testing.T, table *entity.Table, want int) {
	t.Helper()
	for range 2000 {
		var drift *maintain.Error
		err := maintain.Check(t.Context(), table)
		if err == nil && want == 0 {
			return
		}
		require.ErrorAs(t, err, &drift)
		if len(drift.Problems) == want {
			return
		}
	}
	require.Fail(t, "DynamoDB does not end the creation")
}
