package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// TestUpdateWithoutExpressionIsChecked creates items with a key only. In an index whose partition
// key is the table's sort key, the table's partition key is the sort key, whose size limit is half
// as large.
func TestUpdateWithoutExpressionIsChecked(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	require.NoError(t, db.Update(func(s *store.State) error {
		table := s.Tables[indexed]
		table.AddIndex(&store.Index{Name: "turned", Key: store.KeySchema{Partition: table.Key.Sort, Sort: table.Key.Partition}, Projection: store.Projection{Type: "ALL"}})
		return nil
	}))
	const tooLong = "The update expression attempted to update the secondary index key beyond allowed size limits"
	for size, message := range map[int]string{1023: "", 1024: "", 1025: tooLong, 2048: tooLong} {
		key := of("pk", strings.Repeat("p", size), "sk", "b")
		_, err := run(db, Write{Kind: UpdateKind, TableName: indexed, Item: key}, "")
		if message == "" {
			require.NoError(t, err)
			require.Equal(t, key, stored(t, db, indexed, key))
			continue
		}
		requireServiceError(t, awserr.CodeValidation, message, err)
		require.Nil(t, stored(t, db, indexed, key))
	}
}
