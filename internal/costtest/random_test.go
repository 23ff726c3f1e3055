package costtest_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// someNote returns one of four notes, of a random size and on random indexes.
func someNote(r *rand.Rand) note {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	return note{
		Book: "r", ID: r.IntN(4), Label: pick("", "l", "m"), Mark: pick("", "m", "n"), Rank: pick("", "r", "s"),
		Title: strings.Repeat("t", r.IntN(3)*r.IntN(900)), Text: strings.Repeat("x", r.IntN(3)*r.IntN(1500)),
	}
}

// The cost of random writes of the same items is exactly the explained cost. It differs if the
// explanations omit the indexes.
func TestRandomWrites(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		s := newStore(t, e.Client(t))
		met, noticed := map[string]int{}, 0
		runs := testsize.Pick(400, 600, 4000)
		if e.Name == engines.DynamoDBLocal {
			runs = testsize.Pick(60, 100, 1000)
		}
		for range runs {
			n := someNote(r)
			key := note{Book: n.Book, ID: n.ID}
			var name string
			var expected costtest.Call
			var err error
			switch r.IntN(4) {
			case 0:
				name, err, expected = "put", s.notes.Put(t.Context(), &n), costtest.Put(s.notes, &n)
			case 1:
				name, err, expected = "delete", s.notes.Delete(t.Context(), key), costtest.Delete(s.notes, key)
			case 2:
				changes := changesTo(n)
				name, err = "upsert", errOf(s.notes.Upsert(t.Context(), key, changes[0], changes[1:]...))
				expected = costtest.Upsert(s.notes, key, changes[0], changes[1:]...)
			default:
				one := changesTo(n)[r.IntN(5)]
				name, err, expected = "upsert of one", errOf(s.notes.Upsert(t.Context(), key, one)), costtest.Upsert(s.notes, key, one)
			}
			require.NoError(t, err, name)
			bringBack := s.Keep()
			require.Empty(t, s.check(expected), name)
			met[name]++
			bringBack()
			if len(s.check(expected.Explained(indexesForgotten))) > 0 {
				noticed++
			}
		}
		t.Logf("%v, and %d times it is noticed that indexes are forgotten", met, noticed)
		require.Len(t, met, 4)
		require.Greater(t, noticed, 30)
	})
}

func changesTo(n note) []attr.Change[note] {
	return []attr.Change[note]{
		setOrRemove(label, n.Label), setOrRemove(mark, n.Mark), setOrRemove(rank, n.Rank), setOrRemove(title, n.Title), setOrRemove(text, n.Text),
	}
}

func setOrRemove(f *attr.Field[note, string], value string) attr.Change[note] {
	if value == "" {
		return f.Remove()
	}
	return f.Set(value)
}
