package tenancy_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// reading can be in a shard of an earlier number of shards.
type reading struct {
	_      entity.Key `type:"reading" pk:"T#<tenant>#D#<device>#<shard:id>" sk:"R#<id>" shards:"2,3"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	Device string     `dynamodbav:"device"`
	ID     string     `dynamodbav:"id"`
	Value  string     `dynamodbav:"value,omitempty"`
}

// Handles find the items of their tenant in all shards, and no others.
func TestHandles_shards(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	readings := entity.Define[reading](s)
	value := attr.Must(func(r *reading) *string { return &r.Value })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		table, err := s.Open(e.Client(t), "readings")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		for _, tenant := range []string{"a", "ab"} {
			r := readings.In(table.Tenant(tenant))
			at := func(n int) reading { return reading{Device: "d", ID: strconv.Itoa(n)} }
			for n := range 6 {
				made := at(n)
				require.NoError(t, r.Put(ctx, &made))
				require.Equal(t, tenant, made.Tenant)
			}
			_, err := r.Update(ctx, at(0), value.Set(tenant))
			require.NoError(t, err)
			require.NoError(t, r.Delete(ctx, at(1)))
			_, err = tx.Move(r, at(2), &reading{Device: "d", ID: "7"}).Do(ctx)
			require.NoError(t, err)
			_, err = tx.Move(r, reading{Tenant: "b", Device: "d", ID: "4"}, &reading{Device: "d", ID: "9"}).Do(ctx)
			require.ErrorIs(t, err, trestle.ErrTenant)
			list, err := query.Of(r, reading{Device: "d"}).Collect(ctx)
			require.NoError(t, err)
			got := make([]string, len(list))
			for i, one := range list {
				got[i] = one.ID + one.Value
				require.Equal(t, tenant, one.Tenant)
			}
			require.Equal(t, []string{"0" + tenant, "3", "4", "5", "7"}, slices.Sorted(slices.Values(got)))
			many, err := r.GetMany(ctx, []reading{at(0), at(1), at(4)})
			require.NoError(t, err)
			require.Len(t, many, 3)
			require.Nil(t, many[1])
			var one *reading
			require.NoError(t, tx.Read(ctx, tx.Get(r, at(4), &one)))
			require.Equal(t, tenant, one.Tenant)
		}
	})
}
