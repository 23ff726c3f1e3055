package generations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// A document is replaced before each request of a reader. It reads a whole edition. If the document
// is replaced before every request, it gives up.
func TestReadWhileReplaced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		writer := shelves["document"](l, "a")
		require.NoError(t, writer.replace(ctx, "old", sizes["old"]))
		for k, done := 1, false; !done; k++ {
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k {
					require.NoError(t, writer.replace(ctx, "new", sizes["new"]))
				}
				return testfaults.Pass
			}}
			texts := l.process(t, w, 1).texts
			_, parts, err := texts.Read(ctx, document{ID: "a"})
			require.NoError(t, err)
			_, err = textOf(parts, sizeOf(parts[0].Text))
			require.NoError(t, err)
			done = w.Sent() < k
		}

		w := &testfaults.Wire{Decide: func(int, string) testfaults.Fate {
			l.clock.advance(2 * writeTime)
			require.NoError(t, writer.replace(ctx, "other", sizes["other"]))
			return testfaults.Pass
		}}
		_, _, err := l.process(t, w, 1).texts.Read(ctx, document{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
		require.Equal(t, 1+2*8, w.Sent())
	})
}

// Eventually consistent reads that lag return a whole edition, which may be an old one.
func TestReadLags(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		if e.Name != engines.InProcess {
			t.Skip("only ddbtest has reads that lag")
		}
		client := e.Client(t)
		l, ctx := newLibrary(t, client), t.Context()
		db := ddbtest.Of(client)
		first, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", sizes["old"]))
		require.NoError(t, err)
		db.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled})
		read := func() string {
			_, parts, err := l.texts.Read(ctx, document{ID: "a"})
			require.NoError(t, err)
			text, err := textOf(parts, sizeOf(parts[0].Text))
			require.NoError(t, err)
			return text
		}
		require.Equal(t, "old", read(), "the parts that are not there yet are read again")
		db.Settle()
		_, err = l.texts.Replace(ctx, first, edition("new", sizes["new"]))
		require.NoError(t, err)
		require.Equal(t, "old", read())
		_, parts, err := l.texts.Strong().Read(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, "new", parts[0].Text)
	})
}

// The parts are in another table, whose reads lag: they are read again.
func TestReadPartsLag(t *testing.T) {
	t.Parallel()
	pointers, parts := newLibrary(t, ddbtest.Start(t).Client()), ddbtest.Start(t)
	lagging, ctx := newLibrary(t, parts.Client()), t.Context()
	texts := generations.New(pointers.documents, lagging.paragraphs, func(p *paragraph, d document, generation string) {
		p.Owner, p.Generation = "D"+d.ID, generation
	}, generations.Config{})
	parts.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled})
	_, err := texts.Upsert(ctx, document{ID: "a"}, edition("new", 30))
	require.NoError(t, err)
	_, found, err := texts.Read(ctx, document{ID: "a"})
	require.NoError(t, err)
	_, err = textOf(found, 30)
	require.NoError(t, err)
}

// Another program deletes a part of the current generation, or adds one.
func TestReadIncomplete(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 5))
		require.NoError(t, err)
		require.NoError(t, l.paragraphs.Delete(ctx, paragraph{Owner: "Da", Generation: d.Generation, N: 3}))
		_, _, err = l.texts.Read(ctx, d)
		require.ErrorIs(t, err, generations.ErrIncomplete)
		require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
		for _, n := range []int{3, 5} {
			require.NoError(t, l.paragraphs.Put(ctx, &paragraph{Owner: "Da", Generation: d.Generation, N: n}))
		}
		_, _, err = l.texts.Strong().Read(ctx, d)
		require.ErrorIs(t, err, generations.ErrIncomplete)
	})
}

// A document without a generation is not found.
func TestReadNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		for range 2 {
			_, _, err := l.texts.Read(ctx, document{ID: "a"})
			require.ErrorIs(t, err, trestle.ErrNotFound)
			require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
			if err := l.documents.Create(ctx, &document{ID: "a", Title: "Empty"}); err != nil {
				require.ErrorIs(t, err, trestle.ErrExists)
			}
		}
		d, err := l.texts.Replace(ctx, document{ID: "a"}, edition("one", 1))
		require.NoError(t, err)
		require.Equal(t, "Empty", d.Title)
	})
}
