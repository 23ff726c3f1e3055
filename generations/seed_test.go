package generations_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// replaceAll stores and replaces the parts of a document and of a manual in a new database, and
// deletes a document. It returns the requests, and the generations.
func replaceAll(t *testing.T, e engines.Engine, options ...entity.TableOption) (sent, generations []string) {
	t.Helper()
	var bodies engines.Bodies
	l, ctx := newProcess(t, e.Client(t, bodies.Record), &clock{}, options...), t.Context()
	require.NoError(t, l.table.Create(ctx))
	bodies.Take()
	for range 2 {
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("text", 30), title.Set("Title"))
		require.NoError(t, err)
		m, err := l.handbooks.Upsert(ctx, manual{ID: "a"}, edition("text", 3), caption.Set("Title"))
		require.NoError(t, err)
		generations = append(generations, d.Generation, m.Generation)
	}
	require.NoError(t, l.texts.Delete(ctx, document{ID: "a"}))
	return bodies.Take(), generations
}

func seeded(n byte) entity.TableOption { return entity.Random(rand.NewChaCha8([32]byte{n})) }

// With the same seed, a program sends the same requests again, and generations have the same names.
// With another seed, and without entity.Random, all names differ.
func TestRandomRepeatsGenerations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		sent, names := replaceAll(t, e, seeded(1))
		again, same := replaceAll(t, e, seeded(1))
		require.Equal(t, sent, again)
		require.Equal(t, names, same)
		for _, options := range [][]entity.TableOption{{seeded(2)}, nil, nil} {
			_, other := replaceAll(t, e, options...)
			for i := range names {
				require.NotEqual(t, names[i], other[i])
			}
			names = other
		}
	})
}

// If the source fails at any choice, a call either succeeds, or fails with the error of the source.
// The item then has the generation that the outcome tells. A source that always returns the same
// bytes fails the call too: its generations would have the same name.
func TestRandomFailsAtEveryChoice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		broken := errors.New("broken")
		failed := 0
		for n := 0; n < 400; n += 8 {
			l.wipe(t)
			before, err := l.handbooks.Upsert(ctx, manual{ID: "a"}, edition("one", 3))
			require.NoError(t, err)
			source := io.MultiReader(io.LimitReader(rand.NewChaCha8([32]byte{}), int64(n)), iotest.ErrReader(broken))
			p := newProcess(t, l.client, l.clock, entity.Random(source))
			after, err := p.handbooks.Replace(ctx, manual{ID: "a"}, edition("two", 2))
			now, parts, failure := l.handbooks.Read(ctx, manual{ID: "a"})
			require.NoError(t, failure)
			switch trestle.OutcomeOf(err) {
			case trestle.Applied:
				require.NotEqual(t, before.Generation, now.Generation)
				require.Len(t, parts, 2)
			case trestle.NotApplied:
				require.Equal(t, before.Generation, now.Generation)
				require.Len(t, parts, 3)
			default:
				require.Fail(t, "the outcome is known")
			}
			if err == nil {
				require.Equal(t, after.Generation, now.Generation)
				continue
			}
			require.ErrorIs(t, err, broken)
			failed++
		}
		require.Greater(t, failed, 5)
		require.Less(t, failed, 50, "the source then suffices")

		zeros := newProcess(t, l.client, l.clock, entity.Random(constant{}))
		_, err := zeros.texts.Upsert(ctx, document{ID: "z"}, edition("one", 3))
		require.Error(t, err)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}

// constant is a source of zeros.
type constant struct{}

func (constant) Read(b []byte) (int, error) { clear(b); return len(b), nil }
