package table

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestUpdateIndexes adds an index to a table with items, and deletes it. Both take time, and block
// other updates.
func TestUpdateIndexes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTabCall(t, nil)
		c.Config.TableDelay = time.Minute
		put(c, "1", "x", value.String("indexed"))
		put(c, "2", "x", value.Number{})
		put(c, "3", "x", value.String(""))
		put(c, "4", "y", value.String("another attribute"))

		in := &api.UpdateTableInput{
			TableName: "tab", AttributeDefinitions: texts("x", "unused"),
			GlobalSecondaryIndexUpdates: updates{creates(global("new", key(by("x"))))},
		}
		out, err := Update(c, in)
		require.NoError(t, err)
		for _, d := range []*api.TableDescription{out.TableDescription, described(t, c)} {
			require.Equal(t, updating, d.TableStatus)
			require.Equal(t, texts("a", "b", "x"), d.AttributeDefinitions)
			require.Equal(t, []string{active, creating}, indexStatuses(d))
			require.True(t, *d.GlobalSecondaryIndexes[1].Backfilling)
		}
		requireBusy(t, c, "Attempt to change a resource which is still in use: Table is being updated: tab")
		require.Error(t, readable(c, "new"))

		put(c, "5", "x", value.String("meanwhile"))
		c.DB.Clock.Advance(time.Minute)
		require.NoError(t, readable(c, "new"))
		d := described(t, c)
		require.Equal(t, active, d.TableStatus)
		require.Equal(t, []string{active, active}, indexStatuses(d))
		require.Nil(t, d.GlobalSecondaryIndexes[1].Backfilling)
		require.Equal(t, int64(2), *d.GlobalSecondaryIndexes[1].ItemCount, "the one that fits, and the one that came meanwhile")

		_, err = Update(c, &api.UpdateTableInput{TableName: "tab", GlobalSecondaryIndexUpdates: updates{deletes("new")}})
		require.NoError(t, err)
		require.Equal(t, []string{active, deleting}, indexStatuses(described(t, c)))
		require.Error(t, readable(c, "new"))
		c.DB.Clock.Advance(time.Minute)
		Sweep(c.DB, c.Config)
		require.Equal(t, []string{active}, indexStatuses(described(t, c)))
		require.Equal(t, texts("a", "b"), described(t, c).AttributeDefinitions)
	})
}

func indexStatuses(d *api.TableDescription) (s []string) {
	for _, ix := range d.GlobalSecondaryIndexes {
		s = append(s, ix.IndexStatus)
	}
	return s
}

// put puts an item with the attribute.
func put(c *engine.Call, id, name string, v value.Value) {
	_ = c.DB.Update(func(s *store.State) error {
		s.Put(s.Tables["tab"], value.MapOf(value.Attribute{Name: "a", Value: value.String(id)}, value.Attribute{Name: "b", Value: value.String("b")},
			value.Attribute{Name: name, Value: v}))
		return nil
	})
}

// readable returns an error if the index cannot be read.
func readable(c *engine.Call, index string) error {
	return c.DB.View(func(s *store.State) error {
		_, err := s.Tables["tab"].FindIndex(index, c.Now())
		return err
	})
}
