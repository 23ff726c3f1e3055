package entity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/query"
)

// endingVoucher has a time to live that is the key of an index, and a unique code.
type endingVoucher struct {
	_    entity.Key   `type:"voucher" pk:"VOUCHER#<id>" sk:"VOUCHER"`
	_    entity.Index `name:"by-end" on:"ends" pk:"<ends:unix>"`
	ID   string       `dynamodbav:"id"`
	Code string       `dynamodbav:"code" entity:"unique"`
	Ends time.Time    `dynamodbav:"ends" entity:"ttl"`
}

// A time to live can be a key attribute of an index. The guard of a unique value has it too, but no
// query returns the guard.
func TestTimeToLiveInAnIndexKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{
			TTL: "ends", Indexes: []entity.IndexConfig{{Name: "ends", Partition: []entity.Attribute{entity.N("ends")}, NoSort: true}},
		})
		vouchers := entity.Define[endingVoucher](schema)
		table, err := schema.Open(e.Client(t), "vouchers")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := vouchers.In(table)
		v := endingVoucher{ID: "1", Code: "A", Ends: time.Now().Add(time.Hour).Truncate(time.Second).UTC()}
		require.NoError(t, repo.Create(t.Context(), &v))
		require.ErrorIs(t, repo.Create(t.Context(), &endingVoucher{ID: "2", Code: "A", Ends: v.Ends.Add(time.Second)}), trestle.ErrTaken)
		found, err := query.On(repo, "by-end", endingVoucher{Ends: v.Ends}).Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []endingVoucher{v}, found)
		require.NoError(t, testchecks.Items(t.Context(), table, 10))
	})
}
