package entity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type tabby struct {
	_     entity.Key `type:"tabby" pk:"PET#<id>" sk:"PET" shared:"yes"`
	ID    string     `dynamodbav:"id"`
	Lives int        `dynamodbav:"lives"`
}

type hound struct {
	_    entity.Key `type:"hound" pk:"PET#<id>" sk:"PET" shared:"yes"`
	ID   string     `dynamodbav:"id"`
	Toys []string   `dynamodbav:"toys"`
}

// Types that share their keys on purpose never overwrite each other. A put fails if an item of
// another type exists; an update or delete does not find it.
func TestSharedKeysSeparateTypes(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	cats, dogs := entity.Define[tabby](s), entity.Define[hound](s)
	lives := attr.Must(func(c *tabby) *int { return &c.Lives })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		table, err := s.Open(e.Client(t), "pets")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		c, d := cats.In(table), dogs.In(table)
		require.NoError(t, d.Put(ctx, &hound{ID: "1"}))

		require.ErrorIs(t, c.Create(ctx, &tabby{ID: "1"}), trestle.ErrExists)
		require.ErrorIs(t, c.Put(ctx, &tabby{ID: "1"}), trestle.ErrExists)
		require.ErrorIs(t, c.Overwrite(ctx, &tabby{ID: "1"}), trestle.ErrExists)
		_, err = c.Upsert(ctx, tabby{ID: "1"}, lives.Set(9))
		require.ErrorIs(t, err, trestle.ErrExists)
		_, err = c.Update(ctx, tabby{ID: "1"}, lives.Set(9))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.ErrorIs(t, c.Delete(ctx, tabby{ID: "1"}), trestle.ErrNotFound)
		_, err = d.Get(ctx, hound{ID: "1"})
		require.NoError(t, err, "the dog is there still")

		require.NoError(t, c.Put(ctx, &tabby{ID: "2", Lives: 9}))
		require.NoError(t, c.Put(ctx, &tabby{ID: "2", Lives: 8}))
		got, err := c.Update(ctx, tabby{ID: "2"}, attr.Add(lives, -1))
		require.NoError(t, err)
		require.Equal(t, 7, got.Lives)
		require.NoError(t, c.Delete(ctx, tabby{ID: "2"}))
		require.NoError(t, c.Delete(ctx, tabby{ID: "2"}), "one that is gone is no failure")
	})
}
