package expr

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func random(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

// randomTime returns times with often equal seconds and similar fractions.
func randomTime(r *rand.Rand) time.Time {
	ns := []int{0, 5e8, 55e7, 555e6, 505e6, 5e7, 1, 10, 999999999, 550000001}[r.IntN(10)]
	if r.IntN(4) == 0 {
		ns = r.IntN(1e9)
	}
	return time.Unix(int64(r.IntN(3))-1, int64(ns)).UTC()
}

// atOrAfter reports whether x is m or later. It compares texts only, as DynamoDB does.
func (m timeText) atOrAfter(x string) bool { return x >= m.stem && !slices.Contains(m.earlier, x) }

func TestTextTimesSortByTime(t *testing.T) {
	t.Parallel()
	r := random(t)
	wrong, naive, earlier := 0, 0, 0
	for range testsize.Pick(50_000, 200_000, 1_000_000) {
		a, b := randomTime(r), randomTime(r)
		x, y := a.Format(time.RFC3339Nano), b.Format(time.RFC3339Nano)
		m := timeTextOf(textValue(y))
		if m.atOrAfter(x) != !a.Before(b) {
			wrong++
		}
		if slices.Contains(m.earlier, x) {
			earlier++
		}
		if (x >= y) != !a.Before(b) {
			naive++
		}
		require.LessOrEqual(t, len(m.earlier), 9)
	}
	require.Zero(t, wrong)
	require.Positive(t, earlier, "the rare case")
	require.Positive(t, naive, "comparing texts as they are must be wrong")
}

func TestSecondsKeepTheFraction(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]time.Time{
		"0":              time.Unix(0, 0),
		"1785758400.55":  time.Unix(1785758400, 55e7),
		"0.000000001":    time.Unix(0, 1),
		"-0.5":           time.Unix(-1, 5e8),
		"-1":             time.Unix(-1, 0),
		"-1.999999999":   time.Unix(-2, 1),
		"-62135596800":   {},
		"253402300799.9": time.Date(9999, 12, 31, 23, 59, 59, 9e8, time.UTC),
	} {
		require.Equal(t, want, numberText(unixSeconds(at)))
	}
}
