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

// Two processes replace the parts at the same time. The first one waits before its request i while
// the second one runs, and the second one waits before its request j until the first one has ended.
// For all i and j, readers see a whole edition, one of a call that succeeded, and a call that
// failed left nothing.
func TestTwoWritersAtEveryStep(t *testing.T) {
	t.Parallel()
	eachShelf(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		schedules, failures, issue := interleavings(t, newLibrary(t, e.Client(t)), open, stride(e))
		require.NoError(t, issue)
		require.Greater(t, schedules, 60/stride(e)/stride(e))
		require.Positive(t, failures)
	})
}

// If parts are replaced in place, readers see mixed editions. If the pointer is changed without a
// condition, a generation is lost.
func TestTwoWritersControl(t *testing.T) {
	t.Parallel()
	eachControl(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		_, _, issue := interleavings(t, newLibrary(t, e.Client(t)), open, min(stride(e), 2))
		require.Error(t, issue)
	})
}

// interleavings runs two replacements in all schedules, until the first issue. It returns the
// number of the schedules, and of the calls that failed.
func interleavings(t *testing.T, l *library, open func(*library, string) shelf, stride int) (schedules, failures int, issue error) {
	t.Helper()
	for i, more := 1, true; more; i += stride {
		for j, further := 1, true; further; j += stride {
			p := pair{library: l, open: open, i: i, j: j}
			if err := p.run(t); err != nil {
				return schedules, failures, fmt.Errorf("requests %d and %d: %w", i, j, err)
			}
			schedules++
			failures += p.failed
			further = p.paused
			more = p.started
		}
	}
	return schedules, failures, nil
}

// pair is two replacements at the same time.
type pair struct {
	*library
	open    func(*library, string) shelf
	i, j    int
	started bool // the first process had a request i
	paused  bool // the second process had a request j
	failed  int
}

func (p *pair) run(t *testing.T) error {
	t.Helper()
	ctx := t.Context()
	defer p.wipe(t)
	reader := p.open(p.library, "a")
	require.NoError(t, reader.replace(ctx, "old", sizes["old"]))
	var seen []error // what readers met
	look := func() {
		if _, err := reader.visible(ctx); err != nil {
			seen = append(seen, err)
		}
	}

	paused, resume, second := make(chan bool), make(chan struct{}), make(chan error, 1)
	later := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
		if n == p.j {
			paused <- true
			<-resume
		}
		return testfaults.Pass
	}}
	other := p.open(p.process(t, later, 1), "a")
	startSecond := func() {
		go func() {
			err := other.replace(ctx, "other", sizes["other"])
			if later.Sent() < p.j {
				paused <- false
			}
			second <- err
		}()
		p.paused = <-paused
	}
	first := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
		if n == p.i {
			p.started = true
			look()
			startSecond()
			look()
		}
		return testfaults.Pass
	}}
	errs := map[string]error{"new": p.open(p.process(t, first, 1), "a").replace(ctx, "new", sizes["new"])}
	if !p.started {
		startSecond()
	}
	look()
	close(resume)
	errs["other"] = <-second

	text, err := reader.visible(ctx)
	if err := errors.Join(append(seen, err)...); err != nil {
		return err
	}
	for name, err := range errs {
		switch outcome := trestle.OutcomeOf(err); {
		case err == nil:
		case outcome != trestle.NotApplied || !errors.Is(err, trestle.ErrStale):
			return fmt.Errorf("%q has the outcome %v: %w", name, outcome, err)
		case text == name:
			return fmt.Errorf("%q failed and is visible: %w", name, err)
		default:
			p.failed++
		}
	}
	if errs[text] != nil || text == "old" {
		return fmt.Errorf("%q is visible", text)
	}
	now, err := reader.state(ctx)
	require.NoError(t, err)
	if stored := p.stored(t, reader.owner); len(stored) != 1 || stored[now.Generation] != sizes[text] {
		return fmt.Errorf("%d generations are stored", len(stored))
	}
	return reader.leftovers(t, p.library)
}
