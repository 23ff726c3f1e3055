package entity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type page struct {
	ID      string `dynamodbav:"id"`
	Text    string `dynamodbav:"text"`
	Version int64  `dynamodbav:"version,omitempty"`
}

func pageSpec(roles map[string]string) entity.Spec {
	return entity.Spec{Type: "page", Key: entity.KeySpec{PK: "PAGE#<id>", SK: "PAGE"}, Roles: roles}
}

// The role version can be added to a type with stored items. These items have version 0, and
// updates check for version 0. Create still requires that the item does not exist.
func TestVersionIsAddedToStoredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, engine engines.Engine) {
		ctx := t.Context()
		before, after := entity.NewSchema(entity.Config{}), entity.NewSchema(entity.Config{})
		old := entity.DefineSpec[page](before, pageSpec(nil))
		pages := entity.DefineSpec[page](after, pageSpec(map[string]string{"version": "version"}))
		client, table := open(t, engine, before)
		later, err := after.Open(client, "things")
		require.NoError(t, err)
		repo := pages.In(later)
		text := attr.Must(func(p *page) *string { return &p.Text })
		for _, id := range []string{"put", "update", "overwrite", "create"} {
			require.NoError(t, old.In(table).Create(ctx, &page{ID: id, Text: "old"}))
		}

		first, err := repo.Get(ctx, page{ID: "put"})
		require.NoError(t, err)
		require.Zero(t, first.Version)
		second := first
		requireOutcome(t, repo.Put(ctx, &first, text.Eq("other")), trestle.ErrCondition, trestle.NotApplied)
		require.NoError(t, repo.Put(ctx, &first, text.Eq("old")))
		require.EqualValues(t, 1, first.Version)
		requireOutcome(t, repo.Put(ctx, &second), trestle.ErrStale, trestle.NotApplied)
		require.NoError(t, repo.Put(ctx, &first))

		e, err := repo.Get(ctx, page{ID: "update"})
		require.NoError(t, err)
		e, err = repo.Update(ctx, e, text.Set("new"))
		require.NoError(t, err)
		require.EqualValues(t, 1, e.Version)
		require.NoError(t, repo.Put(ctx, &e))
		o := page{ID: "overwrite"}
		require.NoError(t, repo.Overwrite(ctx, &o))
		require.EqualValues(t, 1, o.Version)
		requireOutcome(t, repo.Create(ctx, &page{ID: "create"}), trestle.ErrExists, trestle.NotApplied)
		fresh := page{ID: "fresh"}
		require.NoError(t, repo.Put(ctx, &fresh), "and version 0 still stands for no item")
		require.EqualValues(t, 1, fresh.Version)
	})
}
