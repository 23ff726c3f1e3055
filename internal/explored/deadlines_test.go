package explored_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
)

// TestDeadlineOfCall checks that a search reports a deadline of a call that never passes, and not
// the timeout of each attempt: the library repeats an attempt that took too long.
func TestDeadlineOfCall(t *testing.T) {
	t.Parallel()
	for timeout, lacks := range map[time.Duration]int{0: 0, time.Minute: 1} {
		p := protocol{
			fill: func(ctx context.Context, table *entity.Table) error {
				return purses.In(table).Put(ctx, &purse{ID: "a"})
			},
			clients: func(r *protocolRun) {
				r.client("alice", func(ctx context.Context, table *entity.Table) {
					if timeout > 0 {
						limited, cancel := context.WithTimeout(ctx, timeout)
						defer cancel()
						ctx = limited
					}
					_, err := purses.In(table).Update(ctx, purse{ID: "a"}, attr.Add(purseSum, 1))
					require.NoError(r.w, err)
				})
				r.w.Finally(func(*ddbtest.DB) error { return nil })
			},
		}
		r := p.search(t, explore.Options{Faults: explore.Faults{}})
		require.Nil(t, r.Failure)
		require.Len(t, r.Lacks, lacks, r.Lacks)
	}
}
