package generations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/query"
)

// Replace stores the parts of a document, with the changes of the document, and deletes the old
// parts.
func TestReplace(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		_, err := l.texts.Replace(ctx, document{ID: "a"}, edition("one", 60))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.Empty(t, l.items(t))

		first, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 60), title.Set("First"))
		require.NoError(t, err)
		require.Equal(t, "First", first.Title)
		require.Equal(t, 60, first.Parts)
		_, parts, err := l.texts.Read(ctx, document{ID: "a"})
		require.NoError(t, err)
		text, err := textOf(parts, 60)
		require.NoError(t, err)
		require.Equal(t, "one", text)

		second, err := l.texts.Replace(ctx, first, edition("two", 30), title.Set("Second"))
		require.NoError(t, err)
		require.NotEqual(t, first.Generation, second.Generation)
		require.Equal(t, []string{first.Generation}, second.Obsolete)
		require.Empty(t, second.Pending)
		require.Equal(t, map[string]int{second.Generation: 30}, l.stored(t, "Da"))
		found, err := query.On(l.documents, "by-title", document{Title: "Second"}).One(ctx)
		require.NoError(t, err)
		require.Equal(t, second, found)
		read, parts, err := l.texts.Read(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, second, read)
		_, err = textOf(parts, 30)
		require.NoError(t, err)

		// The document was read before another replacement.
		_, err = l.texts.Replace(ctx, first, edition("three", 1))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))

		// The parts of one document are stored for another one.
		_, err = l.texts.Upsert(ctx, document{ID: "b"}, generations.Slice(parts))
		require.NoError(t, err)
		_, copied, err := l.texts.Strong().Read(ctx, document{ID: "b"})
		require.NoError(t, err)
		require.Len(t, copied, 30)
		require.Equal(t, "Db", copied[0].Owner)
		require.Equal(t, "Da", parts[0].Owner, "the parts of the caller do not change")

		l.clock.advance(2 * writeTime)
		third, err := l.texts.Replace(ctx, second, edition("three", 1))
		require.NoError(t, err)
		require.Empty(t, third.Obsolete, "old generations are forgotten")
		require.Equal(t, map[string]int{third.Generation: 1}, l.stored(t, "Da"))
	})
}

// A condition of the caller, and a change that its index key rejects, leave the old parts.
func TestReplaceConditions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 3), title.Set("First"))
		require.NoError(t, err)
		updates := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" {
				updates++
			}
			return testfaults.Pass
		}}
		_, err = l.process(t, w, 1).texts.Replace(ctx, document{ID: "a"}, edition("two", 60), title.Set("Second"), attr.If(title.Eq("Other")))
		require.Equal(t, 3, updates, "a condition of the caller is not tried again")
		require.ErrorIs(t, err, trestle.ErrCondition)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.Equal(t, map[string]int{old.Generation: 3}, l.stored(t, "Da"))
		now, err := l.documents.Strong().Get(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Empty(t, now.Pending)
		require.Len(t, now.Obsolete, 1)
		require.Equal(t, "First", now.Title)

		_, err = l.texts.Replace(ctx, document{ID: "a"}, edition("two", 60), title.Set("Second"), attr.If(title.Eq("First")))
		require.NoError(t, err)
	})
}

// A versioned document: the version of the caller is checked, and others may change it while the
// parts are stored.
func TestReplaceVersioned(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		first, err := l.handbooks.Upsert(ctx, manual{ID: "a"}, edition("one", 3))
		require.NoError(t, err)
		require.Positive(t, first.Version)
		between := func(yield func(paragraph, error) bool) {
			for i, p := range paragraphsOf("two", 60) {
				if i == 30 {
					_, err := l.manuals.Update(ctx, manual{ID: "a"}, caption.Set("changed"))
					require.NoError(t, err)
				}
				if !yield(p, nil) {
					return
				}
			}
		}
		second, err := l.handbooks.Replace(ctx, first, between)
		require.NoError(t, err)
		require.Equal(t, "changed", second.Title)
		require.Greater(t, second.Version, first.Version)
		second, err = l.manuals.Update(ctx, second, caption.Set("again"))
		require.NoError(t, err, "Replace returns the version that is stored")
		_, err = l.handbooks.Replace(ctx, manual{ID: "a", Version: first.Version}, edition("three", 1))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Equal(t, map[string]int{second.Generation: 60}, l.stored(t, "Ma"))
	})
}

// An update of the title between the registration and the flip does not disturb it, and a
// generation becomes current although the index key has changed.
func TestReplaceWhileTitleChanges(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		_, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 3), title.Set("First"))
		require.NoError(t, err)
		between := func(yield func(paragraph, error) bool) {
			_, err := l.documents.Update(ctx, document{ID: "a"}, title.Set("Between"))
			require.NoError(t, err)
			edition("two", 3)(yield)
		}
		now, err := l.texts.Replace(ctx, document{ID: "a"}, between)
		require.NoError(t, err)
		require.Equal(t, "Between", now.Title)
		now, err = l.texts.Replace(ctx, document{ID: "a"}, between, title.Set("Third"))
		require.NoError(t, err)
		require.Equal(t, "Third", now.Title)
	})
}

// A context that ends while the parts are stored ends the call, and the old parts stay.
func TestReplaceStops(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 3))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(ctx)
		batches := 0
		other := l.process(t, &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "BatchWriteItem" {
				batches++
			}
			if batches < 2 {
				return testfaults.Pass
			}
			cancel()
			return testfaults.Drop
		}}, 3)
		_, err = other.texts.Replace(ctx, old, edition("two", 40))
		require.ErrorIs(t, err, ctx.Err())
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		now, parts, err := l.texts.Strong().Read(t.Context(), old)
		require.NoError(t, err)
		require.Equal(t, old.Generation, now.Generation)
		require.Len(t, parts, 3)

		l.clock.advance(2 * writeTime)
		done, err := l.texts.Clean(t.Context(), old)
		require.NoError(t, err)
		require.Zero(t, done.Left)
		require.Equal(t, map[string]int{old.Generation: 3}, l.stored(t, "Da"))
	})
}

// If a part cannot be stored, the rest of the sequence is not put.
func TestPartThatIsTooLarge(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		taken := 0
		_, err = l.texts.Replace(ctx, d, func(yield func(paragraph, error) bool) {
			for taken < 5000 {
				taken++
				p := paragraph{N: taken}
				if taken == 3 {
					p.Text = strings.Repeat("x", 410_000)
				}
				if !yield(p, nil) {
					return
				}
			}
		})
		require.ErrorIs(t, err, trestle.ErrLimit)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.Less(t, taken, 200)
		require.Equal(t, map[string]int{d.Generation: 3}, l.stored(t, "Da"))
	})
}

// Another program changes a versioned pointer item before most updates of a Replace.
func TestReplaceOfBusyItem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		_, err := l.handbooks.Upsert(ctx, manual{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		updates := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" {
				if updates++; updates%20 != 0 {
					_, err := l.manuals.Update(ctx, manual{ID: "a"}, caption.Set("x"))
					require.NoError(t, err)
				}
			}
			return testfaults.Pass
		}}
		_, err = l.process(t, w, 1).handbooks.Replace(ctx, manual{ID: "a"}, edition("new", 3))
		require.NoError(t, err)
		_, parts, err := l.handbooks.Strong().Read(ctx, manual{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, "new", parts[0].Text)
	})
}
