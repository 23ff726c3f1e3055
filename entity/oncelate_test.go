package entity_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// A batch sends a write with a token again after throttling, but not when DynamoDB may have
// forgotten the token of an attempt that was lost: the write would be applied twice.
func TestBatchDoesNotRepeatATokenThatExpired(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		throttles := ddbtest.Throttle("ThrottlingException")
		for name, c := range map[string]struct {
			once    bool
			lost    bool
			slow    time.Duration // before each reply that throttles
			applied bool
		}{
			"soon": {true, true, time.Second, true}, "late": {true, true, 50 * time.Second, false},
			"late, none was applied": {true, false, 50 * time.Second, false},
			"late, without a token":  {false, false, 50 * time.Second, true},
		} {
			db := ddbtest.Start(t)
			o := newOffice(t, db.Client())
			require.NoError(t, o.table.Create(t.Context()))
			furnish(t, o)
			before := counted(t, o)
			if c.lost {
				db.Fail(ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Op("TransactWriteItems"), ddbtest.Nth(1)).MustHit(t)
			}
			rule := db.Fail(throttles, ddbtest.Delay(c.slow), ddbtest.Op("TransactWriteItems", "UpdateItem"), ddbtest.First(13))
			add := o.notes.With(entity.Timeout(time.Minute)).Op().Update(note{ID: "n"}, attr.Add(noteCount, 1))
			if c.once {
				add = add.Once("token")
			}
			err := entity.WriteMany(t.Context(), operations(add))
			want := before
			if c.lost || c.applied {
				want++
			}
			require.Equal(t, want, counted(t, o), name)
			if c.applied {
				require.NoError(t, err, name)
				require.Equal(t, 13, rule.Hits(), name)
				continue
			}
			require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err), name)
			require.True(t, trestle.IsThrottled(err), name)
		}
	})
}
