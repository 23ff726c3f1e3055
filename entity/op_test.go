package entity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type coin struct {
	_       entity.Key `type:"coin" pk:"C#<id>" sk:"C"`
	ID      string     `dynamodbav:"id"`
	Value   int        `dynamodbav:"value"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

// An operation is a value: inspecting it sends nothing, each Do plans it again, and Return changes
// a copy.
func TestOperationsAreValues(t *testing.T) {
	t.Parallel()
	value := attr.Must(func(c *coin) *int { return &c.Value })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		all := entity.Define[coin](s)
		_, table := open(t, e, s)
		coins := all.In(table)
		require.Same(t, all, coins.Type())
		require.Same(t, all, coins.Strong().Type())

		c := coin{ID: "1", Value: 1}
		put := coins.Op().Put(&c)
		for range 2 {
			in, err := put.Input()
			require.NoError(t, err)
			require.NotNil(t, in.Put)
			_, err = put.Explain()
			require.NoError(t, err)
		}
		_, err := coins.Get(t.Context(), coin{ID: "1"})
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
		require.Zero(t, c.Version, "nothing was applied")

		_, err = put.Do(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, c.Version, "stamped")
		c.Value = 2
		_, err = put.Do(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 2, c.Version)

		add := coins.Op().Update(coin{ID: "1"}, attr.Add(value, 5))
		old := add.Return(trestle.AllOld)
		r, err := old.Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, coin{ID: "1", Value: 2, Version: 2}, r.Item)
		require.True(t, r.Found)
		r, err = add.Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, coin{ID: "1", Value: 12, Version: 4}, r.Item, "as it is afterwards")

		get, err := coins.Strong().GetOp(coin{ID: "1"}).Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, r.Item, get.Item)
		_, err = coins.Op().Get(coin{ID: "2"}).Do(t.Context())
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)

		over := coins.Op().Overwrite(&coin{ID: "1"})
		_, err = over.Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, "it reads first")
		x, err := over.Explain()
		require.NoError(t, err)
		require.True(t, x.ReadsFirst)
	})
	for _, op := range []*entity.Op[coin]{nil, {}, (*entity.Ops[coin])(nil).Delete(coin{ID: "1"}), (*entity.Repo[coin])(nil).Op().Delete(coin{ID: "1"})} {
		_, err := op.Do(t.Context())
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = op.Return(trestle.AllOld).Explain()
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
}
