package generations_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// A process crashes at each of its requests: it gets no reply to that request nor to any later one.
// Other processes see exactly the old or exactly the new edition, as the outcome of the error says.
// They can clean up and replace the edition, and then nothing is left.
func TestCrashAtEveryStep(t *testing.T) {
	t.Parallel()
	eachShelf(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		l := newLibrary(t, e.Client(t))
		found := crashes(t, l, open, e)
		require.NoError(t, found.issue)
		require.GreaterOrEqual(t, found.steps, 10, "a replacement has 9 requests")
		if stride(e) == 1 {
			require.Equal(t, map[trestle.Outcome]bool{trestle.NotApplied: true, trestle.Applied: true, trestle.Unknown: true}, found.outcomes)
		}
	})
}

// Parts that are replaced in place are mixed or missing after a crash. Without a registration,
// parts that nobody finds are left.
func TestCrashControl(t *testing.T) {
	t.Parallel()
	eachControl(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		require.Error(t, crashes(t, newLibrary(t, e.Client(t)), open, e).issue)
	})
}

// crashed is the result of crashes at all steps.
type crashed struct {
	issue    error
	steps    int // of the longest call
	outcomes map[trestle.Outcome]bool
}

// crashes runs a replacement that crashes at its request k, for each k, with each fault, with and
// without an old edition, and with each kind of recovery. It stops at the first issue.
func crashes(t *testing.T, l *library, open func(*library, string) shelf, e engines.Engine) (all crashed) {
	t.Helper()
	all.outcomes = map[trestle.Outcome]bool{}
	for _, old := range []string{"", "old"} {
		for fault, f := range testfaults.Fates {
			for _, recovery := range []string{"clean", "replace"} {
				for k, done := first(e, f), false; !done; k += stride(e) {
					id := fmt.Sprint(len(old), int(f), recovery, k)
					var err error
					done, err = crash(t, l, open, id, old, k, f, recovery, all.outcomes)
					if err != nil {
						all.issue = fmt.Errorf("old edition %q, request %d %s, then %s: %w", old, k, fault, recovery, err)
						return all
					}
					all.steps = max(all.steps, k)
				}
			}
		}
	}
	return all
}

// crash runs a replacement that crashes at request k, and the recovery. It returns true if the
// replacement had fewer requests.
func crash(t *testing.T, l *library, open func(*library, string) shelf, id, old string, k int, f testfaults.Fate, recovery string, outcomes map[trestle.Outcome]bool) (done bool, err error) {
	t.Helper()
	ctx := t.Context()
	survivor := open(l, id)
	defer l.wipe(t)
	if old != "" {
		require.NoError(t, survivor.replace(ctx, old, sizes[old]))
		l.clock.advance(2 * writeTime) // the replacement forgets it
	}
	w := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
	failed := open(l.process(t, w, 1), id).replace(ctx, "new", sizes["new"])
	outcome := trestle.OutcomeOf(failed)
	outcomes[outcome] = true
	seen, err := survivor.visible(ctx)
	switch {
	case err != nil:
		return w.Sent() < k, err
	case outcome == trestle.Unknown && !errors.Is(failed, trestle.ErrUnknown), outcome != trestle.Unknown && errors.Is(failed, trestle.ErrUnknown):
		return w.Sent() < k, fmt.Errorf("the outcome is %v, and the error %w", outcome, failed)
	case seen != old && seen != "new", outcome == trestle.Applied && seen != "new", outcome == trestle.NotApplied && seen != old:
		return w.Sent() < k, fmt.Errorf("the edition %q is visible, but the outcome is %v", seen, outcome)
	}
	want := seen
	switch recovery {
	case "clean":
		if _, err := survivor.clean(ctx); !errors.Is(err, trestle.ErrNotFound) {
			require.NoError(t, err)
		}
	case "replace":
		require.NoError(t, survivor.replace(ctx, "next", sizes["next"]))
		want = "next"
	}
	late := w.Delayed() > 0
	require.NoError(t, w.Deliver())
	seen, err = survivor.visible(ctx)
	switch {
	case err != nil:
		return w.Sent() < k, err
	case seen != want && (!late || recovery != "clean" || seen != "new"):
		return w.Sent() < k, fmt.Errorf("the edition %q is visible after the recovery", seen)
	}
	if _, err := survivor.state(ctx); errors.Is(err, trestle.ErrNotFound) {
		return w.Sent() < k, nil // nothing was written
	}
	return w.Sent() < k, survivor.leftovers(t, l)
}
