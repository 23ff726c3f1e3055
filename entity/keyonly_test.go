package entity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/keys"
)

// wish stands in a table that was there before: when it was made says nothing but its key, in whole seconds.
type wish struct {
	_    entity.Key `pk:"<User>" sk:"WishList#<kind:lower>#<made:s>"`
	User string
	Kind string    `dynamodbav:"kind" entity:"key"`
	Made time.Time `dynamodbav:"made" entity:"key"`
	Text string
}

// A field that stands only in the table's key comes back as it was, or is refused before anything is sent.
func TestFieldsThatStandInAKeyAlone(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Raw: true, TypeAttribute: entity.None, WriteID: entity.None})
		wishes := entity.Define[wish](s)
		table, err := s.Open(e.Client(t), "wishes")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		made := time.Date(2021, 11, 24, 7, 20, 0, 0, time.UTC)
		w := wish{User: "u1", Kind: "public", Made: made, Text: "a"}
		require.NoError(t, wishes.In(table).Create(ctx, &w))
		got, err := wishes.In(table).Get(ctx, wish{User: "u1", Kind: "public", Made: made})
		require.NoError(t, err)
		require.Equal(t, w, got)

		finer, folded := w, w
		finer.Made, folded.Kind = made.Add(time.Millisecond), "Public"
		for _, bad := range []wish{finer, folded} {
			for _, err := range []error{
				wishes.In(table).Put(ctx, &bad), wishes.In(table).Create(ctx, &bad), wishes.In(table).Delete(ctx, bad),
			} {
				require.ErrorIs(t, err, entity.ErrInvalid)
				require.ErrorIs(t, err, keys.ErrNotExact)
			}
			_, err := wishes.In(table).Get(ctx, bad)
			require.ErrorIs(t, err, keys.ErrNotExact)
		}
	})
}
