package capacity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

func TestReadUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		bytes int
		want  []float64 // eventually consistent, strongly consistent, transactional
	}{
		{"a miss, an empty page", 0, []float64{0.5, 1, 2}},
		{"the smallest item", 2, []float64{0.5, 1, 2}},
		{"4 KB", 4096, []float64{0.5, 1, 2}},
		{"a byte more", 4097, []float64{1, 2, 4}},
		{"odd steps", 8193, []float64{1.5, 3, 6}},
		{"the largest item", 409_600, []float64{50, 100, 200}},
		{"a page of 1 MB, with the item that filled it", 1<<20 + 100, []float64{128.5, 257, 514}},
	} {
		require.Equal(t, c.want, []float64{
			ReadUnits(c.bytes, false, false), ReadUnits(c.bytes, true, false), ReadUnits(c.bytes, true, true),
		}, c.name)
	}
}

func TestWriteUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name               string
		oldBytes, newBytes int
		want               []float64 // alone, and in a transaction
	}{
		{"delete what is not there", 0, 0, []float64{1, 2}},
		{"put the smallest item", 0, 2, []float64{1, 2}},
		{"put 1 KB", 0, 1024, []float64{1, 2}},
		{"put a byte more", 0, 1025, []float64{2, 4}},
		{"replace by the same", 3017, 3017, []float64{3, 6}},
		{"grow", 18, 3017, []float64{3, 6}},
		{"shrink", 3017, 18, []float64{3, 6}},
		{"shrink across one step", 2017, 117, []float64{2, 4}},
		{"delete", 3017, 0, []float64{3, 6}},
		{"check a condition", 3017, 3017, []float64{3, 6}},
		{"the largest item", 409_600, 409_600, []float64{400, 800}},
	} {
		require.Equal(t, c.want, []float64{
			WriteUnits(c.oldBytes, c.newBytes, false), WriteUnits(c.oldBytes, c.newBytes, true),
		}, c.name)
	}
}

func TestIndexWriteUnits(t *testing.T) {
	t.Parallel()
	const same, changed = false, true
	for _, c := range []struct {
		name               string
		oldBytes, newBytes int
		key, projected     bool
		want               float64
	}{
		{"never in the index", 0, 0, same, same, 0},
		{"enters", 0, 18, same, same, 1},
		{"enters, large", 0, 3017, same, same, 3},
		{"leaves", 18, 0, same, same, 1},
		{"leaves, large", 3017, 0, same, same, 3},
		{"stays as it is", 18, 18, same, same, 0},
		{"stays as it is, large", 3017, 3017, same, same, 0},
		{"another attribute", 18, 18, same, changed, 1},
		{"another attribute, grows", 18, 3020, same, changed, 3},
		{"another attribute, shrinks", 3017, 18, same, changed, 3},
		{"another attribute, as large: rounded once", 1517, 1517, same, changed, 2},
		{"moves", 18, 18, changed, changed, 2},
		{"moves, only the key differs", 18, 18, changed, same, 2},
		{"moves, large: each rounded for itself", 1517, 1517, changed, changed, 4},
		{"moves and shrinks: not twice the larger", 3017, 18, changed, changed, 4},
		{"moves and grows", 18, 3017, changed, changed, 4},
		{"1 KB", 0, 1024, same, same, 1},
		{"a byte more", 0, 1025, same, same, 2},
	} {
		require.Equal(t, []float64{c.want}, []float64{IndexWriteUnits(c.oldBytes, c.newBytes, c.key, c.projected)}, c.name)
	}
}

// Units are the number of whole steps needed to cover the bytes. Fractions of a step would cost
// less and are wrong.
func TestUnitsAreRoundedUp(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	counted := func(bytes, size int) float64 {
		n := 1
		for n*size < bytes {
			n++
		}
		return float64(n)
	}
	shared := func(bytes, size int) float64 { return float64(bytes) / float64(size) }
	disagreements := 0
	for range 10_000 {
		a, b := r.IntN(10_000), r.IntN(10_000)
		units := []float64{ReadUnits(a, true, false), WriteUnits(a, b, false), WriteUnits(b, a, false)}
		larger := counted(max(a, b), 1024)
		require.Equal(t, []float64{counted(a, 4096), larger, larger}, units, "%d and %d bytes", a, b)
		if shared(a, 4096) != units[0] {
			disagreements++
		}
	}
	require.Positive(t, disagreements)
}
