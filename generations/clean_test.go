package generations_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// crash leaves a pending generation with parts.
func (l *library) crash(t *testing.T, d document) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &testfaults.Wire{Decide: func(n int, operation string) testfaults.Fate {
		if n == 4 { // after the registration and 25 parts
			cancel()
			return testfaults.Drop
		}
		return testfaults.Pass
	}}
	_, err := l.process(t, w, 1).texts.Replace(ctx, d, edition("crashed", 40))
	require.ErrorIs(t, err, context.Canceled)
}

// Clean does not disturb a Replace that may still be running, and deletes its parts later.
func TestClean(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		_, err := l.texts.Clean(ctx, document{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
		require.NoError(t, err)
		l.crash(t, d)
		l.clock.advance(2*writeTime - time.Second)
		done, err := l.texts.Clean(ctx, d)
		require.NoError(t, err)
		require.Equal(t, generations.Cleaned{Left: 1}, done)
		require.Len(t, l.stored(t, "Da"), 2)
		l.clock.advance(time.Second)
		done, err = l.texts.Clean(ctx, d)
		require.NoError(t, err)
		require.Equal(t, generations.Cleaned{Items: 25}, done)
		require.Equal(t, map[string]int{d.Generation: 40}, l.stored(t, "Da"))
	})
}

// Clean crashes at each of its requests. Readers see the current edition, and the next Clean
// deletes the rest.
func TestCleanCrashes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		reader := shelves["document"](l, "a")
		for _, f := range testfaults.Fates {
			for k, done := first(e, f), false; !done; k += stride(e) {
				require.NoError(t, reader.replace(ctx, "old", sizes["old"]))
				d, err := l.texts.Replace(ctx, document{ID: "a"}, edition("new", sizes["new"]))
				require.NoError(t, err)
				l.crash(t, d)
				l.clock.advance(2 * writeTime)
				w := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
				_, err = l.process(t, w, 1).texts.Clean(ctx, document{ID: "a"})
				done = w.Sent() < k
				require.Equal(t, done, err == nil)
				for range 2 {
					seen, err := reader.visible(ctx)
					require.NoError(t, err)
					require.Equal(t, "new", seen)
					require.NoError(t, reader.leftovers(t, l))
					require.NoError(t, w.Deliver())
				}
			}
		}
	})
}

// A Replace is so slow that Clean gives up its generation, before each of its requests. It fails
// and leaves nothing, or it has succeeded.
func TestCleanWhileReplaced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		reader := shelves["document"](l, "a")
		failures := 0
		for k, done := 1, false; !done; k++ {
			require.NoError(t, reader.replace(ctx, "old", sizes["old"]))
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k {
					l.clock.advance(2 * writeTime)
					_, err := l.texts.Clean(ctx, document{ID: "a"})
					require.NoError(t, err)
				}
				return testfaults.Pass
			}}
			_, err := l.process(t, w, 1).texts.Replace(ctx, document{ID: "a"}, edition("new", sizes["new"]))
			done = w.Sent() < k
			want := "new"
			if err != nil {
				require.ErrorIs(t, err, trestle.ErrStale)
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
				want = "old"
				failures++
			}
			seen, err := reader.visible(ctx)
			require.NoError(t, err)
			require.Equal(t, want, seen)
			require.NoError(t, reader.leftovers(t, l))
		}
		require.Equal(t, 3, failures, "two puts of parts and the update that follows them")
	})
}

// A pointer item lists at most 20 obsolete generations.
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		var d document
		var err error
		for range 25 {
			d, err = l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 1))
			require.NoError(t, err)
			l.clock.advance(time.Millisecond)
		}
		require.Len(t, d.Obsolete, 20)
		require.Len(t, l.stored(t, "Da"), 1)
		oldest := slices.Min(d.Obsolete)
		d, err = l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 1))
		require.NoError(t, err)
		require.NotContains(t, d.Obsolete, oldest)
		stored, err := l.documents.Strong().Get(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, stored, d)
	})
}

// Calls that fail or are canceled leave no more generations in the pointer item than successful
// ones.
func TestFailedCallsAreNotListedForever(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(l *library) error{
		"failed": func(l *library) error {
			_, err := l.texts.Replace(t.Context(), document{ID: "a"}, edition("new", 1), attr.If(title.Eq("other")))
			return err
		},
		"canceled": func(l *library) error {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := l.texts.Replace(ctx, document{ID: "a"}, func(func(paragraph, error) bool) { cancel() })
			return err
		},
	} {
		l := newLibrary(t, ddbtest.Start(t).Client())
		_, err := l.texts.Upsert(t.Context(), document{ID: "a"}, edition("old", 3), title.Set("x"))
		require.NoError(t, err)
		for range 60 {
			require.Error(t, call(l), name)
			l.clock.advance(time.Hour)
		}
		d, err := l.documents.Strong().Get(t.Context(), document{ID: "a"})
		require.NoError(t, err)
		require.LessOrEqual(t, len(d.Pending)+len(d.Obsolete), 22, name)
	}
}
