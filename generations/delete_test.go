package generations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// Delete deletes a document with the parts of all generations, and can be repeated after a crash at
// each of its requests. Readers see the whole document or none.
func TestDelete(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		reader := shelves["document"](l, "a")
		require.ErrorIs(t, l.texts.Delete(ctx, document{ID: "a"}), trestle.ErrNotFound)
		for _, f := range testfaults.Fates {
			for k, done := first(e, f), false; !done; k += stride(e) {
				d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
				require.NoError(t, err)
				l.crash(t, d)
				w := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
				err = l.process(t, w, 1).texts.Delete(ctx, d)
				done = w.Sent() < k
				seen, failed := reader.visible(ctx)
				require.NoError(t, failed)
				switch outcome := trestle.OutcomeOf(err); outcome {
				case trestle.NotApplied:
					require.Equal(t, "old", seen)
				case trestle.Applied:
					require.Empty(t, seen)
				default:
					require.ErrorIs(t, err, trestle.ErrUnknown)
				}
				if err := l.texts.Delete(ctx, document{ID: "a"}); err != nil {
					require.ErrorIs(t, err, trestle.ErrNotFound)
				}
				require.NoError(t, w.Deliver())
				require.Empty(t, l.items(t))
			}
		}
	})
}

// A Replace that runs while the document is deleted fails, and deletes its parts.
func TestDeleteWhileReplaced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		for k, done := 1, false; !done; k++ {
			d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
			require.NoError(t, err)
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k {
					require.NoError(t, l.texts.Delete(ctx, document{ID: "a"}))
				}
				return testfaults.Pass
			}}
			_, err = l.process(t, w, 1).texts.Replace(ctx, d, edition("new", 30))
			done = w.Sent() < k
			switch outcome := trestle.OutcomeOf(err); {
			case done:
				require.NoError(t, err)
				require.NoError(t, l.texts.Delete(ctx, document{ID: "a"}))
			case outcome == trestle.NotApplied:
				require.ErrorIs(t, err, trestle.ErrNotFound)
			default:
				require.Equal(t, trestle.Applied, outcome)
			}
			require.Empty(t, l.items(t))
		}

		// A Replace registers while the document is deleted.
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
		require.NoError(t, err)
		w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
			if n == 3 {
				_, err := l.texts.Replace(ctx, document{ID: "a"}, edition("new", 30))
				require.NoError(t, err)
			}
			return testfaults.Pass
		}}
		err = l.process(t, w, 1).texts.Delete(ctx, d)
		require.ErrorIs(t, err, trestle.ErrStale)
		_, parts, err := l.texts.Strong().Read(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Len(t, parts, 30)
		require.ErrorIs(t, l.texts.Delete(ctx, d), trestle.ErrStale, "another generation is current")

		// A Replace registers while the document is deleted, and crashes.
		w = &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
			if n == 3 {
				l.crash(t, document{ID: "a"})
			}
			return testfaults.Pass
		}}
		err = l.process(t, w, 1).texts.Delete(ctx, document{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
		require.NoError(t, l.texts.Delete(ctx, document{ID: "a"}))
		require.Empty(t, l.items(t))
	})
}

// A Delete runs before each request of another one. Nothing is left, and the first one does not
// fail because of the second one.
func TestDeleteWhileDeleted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		for _, crashes := range []int{0, 1, 3, 4} { // of the second one, after so many requests
			for k, done := 1, false; !done; k++ {
				d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
				require.NoError(t, err)
				second := l
				if crashes > 0 {
					second = l.process(t, &testfaults.Wire{Decide: testfaults.CrashAt(1+crashes, testfaults.Drop)}, 1)
				}
				w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
					if n == k {
						_ = second.texts.Delete(ctx, document{ID: "a"})
					}
					return testfaults.Pass
				}}
				err = l.process(t, w, 1).texts.Delete(ctx, document{ID: d.ID})
				if done = w.Sent() < k; err != nil {
					require.ErrorIs(t, err, trestle.ErrNotFound)
				}
				require.Empty(t, l.items(t))
			}
		}
	})
}

// A Delete failed after the parts could no longer be read. Called again with the item that the
// caller reads then, it deletes the rest, but no parts that another program has stored meanwhile.
func TestDeleteAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		fail := func() document {
			d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
			require.NoError(t, err)
			err = l.process(t, &testfaults.Wire{Decide: testfaults.CrashAt(3, testfaults.Drop)}, 1).texts.Delete(ctx, d)
			require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
			require.ErrorIs(t, l.texts.Delete(ctx, d), trestle.ErrStale, "its generation is not current any more")
			now, err := l.documents.Strong().Get(ctx, d)
			require.NoError(t, err)
			require.Zero(t, now.Parts)
			return now
		}
		now := fail()
		require.NoError(t, l.texts.Delete(ctx, now))
		require.Empty(t, l.items(t))

		now = fail()
		_, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("new", 30))
		require.NoError(t, err)
		require.ErrorIs(t, l.texts.Delete(ctx, now), trestle.ErrStale)
		_, parts, err := l.texts.Strong().Read(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Len(t, parts, 30)
	})
}

// The updates of an Upsert have no reply, and arrive again after the document was deleted. The
// deleted generation does not become current again.
func TestUpdatesAfterDelete(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		updates := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" {
				if updates++; updates == 1 || updates == 3 {
					return testfaults.Delay
				}
			}
			return testfaults.Pass
		}}
		d, err := l.process(t, w, 1).texts.Upsert(ctx, document{ID: "a"}, edition("new", 30))
		require.NoError(t, err)
		require.Equal(t, 2, w.Delayed())
		require.NoError(t, l.texts.Delete(ctx, d))
		require.NoError(t, w.Deliver())
		_, _, err = l.texts.Strong().Read(ctx, document{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.NoError(t, l.texts.Delete(ctx, document{ID: "a"}))
		require.Empty(t, l.items(t))
	})
}
