package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
)

// One request of a save or of a deletion is lost, or its reply, or it arrives late. A call without
// an error leaves nothing, also none whose requests are sent again, if its outcome is known. Clean
// finds what the others leave, except for a chunk whose put was sent again, and then arrives once
// more.
func TestOneFault(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		stride, n := 1, 0
		if e.Name == engines.DynamoDBLocal {
			stride = testsize.Pick(7, 7, 1)
		}
		for _, b := range besides {
			for name, f := range testfaults.Fates {
				for _, attempts := range []int{1, 3} {
					n++
					for k, more := 1+n%stride, true; more; k += stride {
						more = b.oneFault(t, u, k, name, f, attempts)
					}
				}
			}
		}
	})
}

// oneFault runs a save or a deletion whose request k has a fault. It returns false if there are
// fewer requests.
func (b *beside) oneFault(t *testing.T, u *users, k int, name string, f testfaults.Fate, attempts int) bool {
	t.Helper()
	u.wipe(t)
	if b.exists {
		require.NoError(t, u.profiles.Save(t.Context(), largely("a", 1000)))
	}
	faulty := ""
	w := &testfaults.Wire{Decide: func(n int, operation string) testfaults.Fate {
		if n == k {
			faulty = operation
			return f
		}
		return testfaults.Pass
	}}
	err := b.do(t.Context(), u.process(t, w.Client(u.client, attempts)))
	if w.Sent() < k {
		return false
	}
	what := fmt.Sprintf("%s, %s %d %s, %d attempts: %v", b.name, faulty, k, name, attempts, err)
	if err == nil || attempts > 1 && trestle.OutcomeOf(err) != trestle.Unknown {
		require.NoError(t, u.leftovers(t).clean(), what)
	}
	if b.name == "delete" && faulty == "DeleteItem" {
		require.NoError(t, err, what)
	}
	require.NoError(t, w.Deliver(), what)
	u.clock.advance(2 * writeTime)
	require.NoError(t, u.profiles.Clean(t.Context(), key("a")), what)
	left := u.leftovers(t)
	if faulty == "BatchWriteItem" && f == testfaults.Delay && trestle.OutcomeOf(err) != trestle.Unknown {
		left.Chunks = 0
	}
	require.NoError(t, left.clean(), what)
	return true
}
