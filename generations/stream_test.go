package generations_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
)

// All yields all parts in their order, with both consistencies, and ends when the caller does.
func TestAll(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 60))
		require.NoError(t, err)
		for _, parts := range []iter.Seq2[paragraph, error]{l.texts.All(ctx, d), l.texts.Strong().All(ctx, d)} {
			for range 2 { // the sequence can be used again
				var list []paragraph
				for p, err := range parts {
					require.NoError(t, err)
					list = append(list, p)
				}
				text, err := textOf(list, 60)
				require.NoError(t, err)
				require.Equal(t, "one", text)
			}
			n := 0
			for _, err := range parts {
				require.NoError(t, err)
				if n++; n == 10 {
					break
				}
			}
		}
		// The parts of a document can be those of another one.
		_, err = l.texts.Upsert(ctx, document{ID: "b"}, l.texts.All(ctx, d))
		require.NoError(t, err)
		_, parts, err := l.texts.Strong().Read(ctx, document{ID: "b"})
		require.NoError(t, err)
		require.Len(t, parts, 60)
	})
}

// All yields an error at the end if parts are missing.
func TestAllWithoutSomeParts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		last := func(parts iter.Seq2[paragraph, error]) (found int, err error) {
			for _, failed := range parts {
				require.NoError(t, err, "an error is the last value")
				if err = failed; err == nil {
					found++
				}
			}
			return found, err
		}
		for _, d := range []document{{ID: "a"}, {}} {
			_, err := last(l.texts.All(ctx, d))
			require.ErrorIs(t, err, trestle.ErrNotFound)
			require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
		}
		_, err := last((&generations.Repo[document, paragraph]{}).All(ctx, document{ID: "a"}))
		require.ErrorIs(t, err, trestle.ErrInvalid)

		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("one", 60))
		require.NoError(t, err)
		require.NoError(t, l.paragraphs.Delete(ctx, paragraph{Owner: "Da", Generation: d.Generation, N: 3}))
		n, err := last(l.texts.Strong().All(ctx, d))
		require.ErrorIs(t, err, generations.ErrIncomplete)
		require.Equal(t, 59, n)
		_, err = last(l.texts.All(ctx, d))
		require.ErrorIs(t, err, trestle.ErrStale)

		_, err = l.texts.Replace(ctx, d, edition("two", 60))
		require.NoError(t, err)
		n, err = last(l.texts.Strong().All(ctx, d))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Zero(t, n)
	})
}
