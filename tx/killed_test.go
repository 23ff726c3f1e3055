package tx_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testkill"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// countUntilKilled prints the number of each increment that has succeeded.
func countUntilKilled(t *testing.T, c *tallies, do adder, start string) {
	t.Helper()
	first, err := strconv.Atoi(start)
	require.NoError(t, err)
	for number := first; ; number++ {
		makeIncrement(t, c, do, number)
		fmt.Fprintln(os.Stdout, number)
	}
}

func makeIncrement(t *testing.T, c *tallies, do adder, number int) {
	t.Helper()
	require.NoError(t, do(t.Context(), c, number%tallyIDs, fmt.Sprint("increment ", number)))
}

// A process that counts is killed at random requests. The next one repeats the increment that was
// under way, with the same token, and the counters are exact. Without tokens, the negative control,
// each increment that had been applied counts twice.
func TestKilledProcessesCountExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do    adder
		exact bool
		right int
	}{"Once": {addOnce, true, 0}, "WriteOnce": {writeOnce, true, 1}, "NoToken": {addWithoutToken, false, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if client, start := testkill.InProcess(); client != nil {
				countUntilKilled(t, openTallies(t, client), c.do, start)
			}
			db := ddbtest.Start(t)
			tallies := newTallies(t, db.Client())
			k := testkill.New(t, db, testrand.New(t))
			done := 0
			processes := testsize.Pick(8, 25, 500)
			for range processes {
				for _, line := range k.Run(t, "^TestKilledProcessesCountExactly$/^"+name+"$", fmt.Sprint(done+1)) {
					var err error
					done, err = strconv.Atoi(line)
					require.NoError(t, err)
				}
			}
			require.Equal(t, processes, k.Kills)
			makeIncrement(t, tallies, c.do, done+1)
			got := counted{left: tallies.total(t, "left"), right: tallies.total(t, "right")}
			t.Logf("%d increments, %s: %s", done+1, k, got)
			require.Equal(t, c.exact, got.exact(done+1, (done+1)*c.right))
			if !c.exact {
				require.Equal(t, done+1+k.Applied, got.left)
			}
		})
	}
}
