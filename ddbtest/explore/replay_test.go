package explore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestReplay checks that the schedule of a failure repeats it in one run, with every kind of step.
func TestReplay(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]explore.Faults{
		"order":     noFaults,
		"lost":      {explore.LostReply: 1},
		"late":      {explore.LateRequest: 1},
		"stale":     {explore.StaleRead: 1},
		"crash":     {explore.Crash: 1},
		"all kinds": {explore.LostReply: 1, explore.LateRequest: 1, explore.Crash: 1, explore.Pause: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: faults, Backoff: time.Second}
			if faults[explore.Pause] > 0 {
				o.Pauses = []time.Duration{time.Minute}
			}
			f := func(w *explore.World) {
				w.Client("alice", readModifyWrite("a"))
				w.Client("bob", readModifyWrite("a"))
				w.Finally(numberIs("a", 2))
			}
			want := requireFailure(t, explore.Search(o, f))
			o.Replay = want.Schedule
			r := explore.Search(o, f)
			got := requireFailure(t, r)
			require.Equal(t, 1, r.Runs)
			require.Equal(t, want.Story, got.Story)
			require.Equal(t, want.What, got.What)
		})
	}
}
