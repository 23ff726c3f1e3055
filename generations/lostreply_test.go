package generations_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// Each request of a replacement gets no reply once: it was not applied, or applied, or is applied
// later. The replacement succeeds. A request that is applied late, also after another replacement,
// changes nothing that readers see, and Clean deletes what it left.
func TestNoReplyAtEveryStep(t *testing.T) {
	t.Parallel()
	eachShelf(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		l := newLibrary(t, e.Client(t))
		for _, old := range []string{"", "old"} {
			for fault, f := range testfaults.Fates {
				for _, last := range []string{"new", "other"} {
					for k, done := first(e, f), false; !done; k += stride(e) {
						done = noReply(t, l, open, old, k, f, last, fmt.Sprintf("old edition %q, request %d %s, then %q", old, k, fault, last))
					}
				}
			}
		}
	})
}

// noReply runs a replacement whose request k gets no reply. It returns true if the replacement had
// fewer requests.
func noReply(t *testing.T, l *library, open func(*library, string) shelf, old string, k int, f testfaults.Fate, last, about string) bool {
	t.Helper()
	ctx := t.Context()
	defer l.wipe(t)
	other := open(l, "a")
	if old != "" {
		require.NoError(t, other.replace(ctx, old, sizes[old]))
		l.clock.advance(2 * writeTime)
	}
	w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
		if n == k {
			return f
		}
		return testfaults.Pass
	}}
	require.NoError(t, open(l.process(t, w, 3), "a").replace(ctx, "new", sizes["new"]), about)
	if last == "other" {
		require.NoError(t, other.replace(ctx, last, sizes[last]), about)
	}
	for range 2 {
		seen, err := other.visible(ctx)
		require.NoError(t, err, about)
		require.Equal(t, last, seen, about)
		require.NoError(t, w.Deliver())
	}
	require.NoError(t, other.leftovers(t, l), about)
	return w.Sent() < k
}

// The flip has no reply, and the later requests neither. The outcome is unknown. If the later
// requests have replies, the outcome is known, also if another replacement follows at once.
func TestLostFlip(t *testing.T) {
	t.Parallel()
	eachShelf(t, func(t *testing.T, e engines.Engine, open func(*library, string) shelf) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		survivor := open(l, "a")
		replaced := func() { require.NoError(t, survivor.replace(ctx, "other", sizes["other"])) }
		for _, c := range []struct {
			name    string
			flip    testfaults.Fate
			then    func()          // after the flip
			later   testfaults.Fate // of the requests after the flip
			outcome trestle.Outcome
			is      error
			visible string
		}{
			{"lost like all later replies", testfaults.Lose, nil, testfaults.Drop, trestle.Unknown, trestle.ErrUnknown, "new"},
			{"dropped like all later requests", testfaults.Drop, nil, testfaults.Drop, trestle.Unknown, trestle.ErrUnknown, "old"},
			{"lost", testfaults.Lose, nil, testfaults.Pass, trestle.Applied, nil, "new"},
			{"dropped", testfaults.Drop, nil, testfaults.Pass, trestle.Applied, nil, "new"},
			{"lost before another replacement", testfaults.Lose, replaced, testfaults.Pass, trestle.Unknown, trestle.ErrUnknown, "other"},
			{"dropped before another replacement", testfaults.Drop, replaced, testfaults.Pass, trestle.NotApplied, trestle.ErrStale, "other"},
		} {
			l.wipe(t)
			require.NoError(t, survivor.replace(ctx, "old", sizes["old"]), c.name)
			updates := 0
			w := &testfaults.Wire{Then: c.then, Decide: func(_ int, operation string) testfaults.Fate {
				if operation == "UpdateItem" {
					updates++
				}
				switch {
				case updates < 2:
					return testfaults.Pass
				case operation == "UpdateItem" && updates == 2:
					return c.flip
				default:
					return c.later
				}
			}}
			err := open(l.process(t, w, 1), "a").replace(ctx, "new", sizes["new"])
			require.ErrorIs(t, err, c.is, c.name)
			require.Equal(t, c.outcome, trestle.OutcomeOf(err), c.name)
			seen, err := survivor.visible(ctx)
			require.NoError(t, err, c.name)
			require.Equal(t, c.visible, seen, c.name)
			require.NoError(t, survivor.leftovers(t, l), c.name)
		}
	})
}

// A delayed put of a crashed process arrives after its generation was cleaned. The generation is
// still listed, so a later Clean deletes the part.
func TestLatePart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		_, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
		require.NoError(t, err)
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "BatchWriteItem" {
				return testfaults.Delay
			}
			return testfaults.Pass
		}}
		_, err = l.process(t, w, 1).texts.Replace(ctx, document{ID: "a"}, edition("new", 10))
		require.Error(t, err)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.NotErrorIs(t, err, trestle.ErrUnknown)
		done, err := l.texts.Clean(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Zero(t, done.Items)
		require.Equal(t, 1, done.Left)
		require.NoError(t, w.Deliver())
		require.Len(t, l.stored(t, "Da"), 2)
		l.clock.advance(2*writeTime - time.Second)
		done, err = l.texts.Clean(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, 10, done.Items)
		require.Equal(t, 1, done.Left)
		l.clock.advance(time.Second)
		done, err = l.texts.Clean(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Zero(t, done.Left)
		require.Len(t, l.stored(t, "Da"), 1)
	})
}

// A registration that arrives late does not bring back a generation that was given up. If it is no
// longer listed, Clean gives it up again.
func TestLateRegistration(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
		require.NoError(t, err)
		for _, advance := range []time.Duration{0, 2 * writeTime} {
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == 2 {
					return testfaults.Delay
				}
				return testfaults.Pass
			}}
			_, err = l.process(t, w, 1).texts.Replace(ctx, old, edition("new", 10), attr.If(title.Eq("other")))
			require.ErrorIs(t, err, trestle.ErrCondition)
			require.Equal(t, 1, w.Delayed())
			l.clock.advance(advance)
			_, err = l.texts.Clean(ctx, document{ID: "a"})
			require.NoError(t, err)
			require.NoError(t, w.Deliver())
			now, err := l.documents.Strong().Get(ctx, document{ID: "a"})
			require.NoError(t, err)
			if advance == 0 {
				require.Empty(t, now.Pending)
				require.Len(t, now.Obsolete, 1)
				continue
			}
			require.Len(t, now.Pending, 1)
			done, err := l.texts.Clean(ctx, document{ID: "a"})
			require.NoError(t, err)
			require.Zero(t, done)
		}
		require.Equal(t, map[string]int{old.Generation: 40}, l.stored(t, "Da"))
	})
}
