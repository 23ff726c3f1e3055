package keyspace

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func randomNumber(r *rand.Rand) string {
	sign := []string{"", "-", "+"}[r.IntN(3)]
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0012789"[r.IntN(7)])
		}
		return b.String()
	}
	text := sign + digits(1+r.IntN(4))
	if r.IntN(2) == 0 {
		text += "." + digits(1+r.IntN(4))
	}
	if r.IntN(3) == 0 {
		text += fmt.Sprintf("%c%+d", "eE"[r.IntN(2)], r.IntN(9)-4)
	}
	return text
}

func TestCompareNumbers(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	wrong, naive, equal := 0, 0, 0
	for range testsize.Pick(50_000, 100_000, 1_000_000) {
		a, b := randomNumber(r), randomNumber(r)
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		want := x.Cmp(y)
		if CompareNumbers(a, b) != want {
			wrong++
		}
		if strings.Compare(a, b) != want {
			naive++
		}
		if want == 0 {
			equal++
		}
	}
	require.Zero(t, wrong)
	require.Positive(t, naive, "comparing texts must be wrong")
	require.Positive(t, equal)
	require.Positive(t, CompareNumbers("1E125", "9.99999e124"))
	require.Negative(t, CompareNumbers("-1E-130", "0"))
	require.Zero(t, CompareNumbers("-0", "0.00e5"))
	require.Negative(t, CompareNumbers("9007199254740993", "9007199254740994"))
	require.Negative(t, CompareNumbers(strings.Repeat("9", 37)+"7", strings.Repeat("9", 37)+"8"))
}
