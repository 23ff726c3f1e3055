package decimal

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func (c coefficient) big() *big.Int {
	b := new(big.Int).SetUint64(c.hi)
	return b.Add(b.Lsh(b, 64), new(big.Int).SetUint64(c.lo))
}

// edges returns the 128-bit integers next to a power of ten or two, where counting digits is
// error-prone.
func edges() []coefficient {
	var all []coefficient
	around := func(c coefficient) {
		all = append(all, c)
		if up, ok := c.add(coefficient{lo: 1}); ok {
			all = append(all, up)
		}
		if c != (coefficient{}) {
			all = append(all, c.sub(coefficient{lo: 1}))
		}
	}
	for _, p := range &powers {
		around(p)
		for m := uint64(2); m < 10; m++ {
			if c, ok := (coefficient{lo: m}).scale(p.digits() - 1); ok {
				around(c)
			}
		}
	}
	for i := range 64 {
		around(coefficient{lo: 1 << i})
		around(coefficient{hi: 1 << i})
	}
	around(coefficient{^uint64(0), ^uint64(0)})
	return all
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range edges() {
		want := len(c.big().String())
		if c == (coefficient{}) {
			want = 0
		}
		require.Equal(t, want, c.digits(), c.big())
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	ten := big.NewInt(10)
	for _, c := range edges() {
		want, zeros := c.big(), 0
		for want.Sign() > 0 {
			quotient, remainder := new(big.Int).QuoRem(want, ten, new(big.Int))
			if remainder.Sign() > 0 {
				break
			}
			want, zeros = quotient, zeros+1
		}
		trimmed, n := c.trim()
		require.Equal(t, zeros, n, c.big())
		require.Zero(t, want.Cmp(trimmed.big()), c.big())
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	for _, c := range edges() {
		for n, p := range &powers {
			want := new(big.Int).Mul(c.big(), p.big())
			scaled, ok := c.scale(n)
			require.Equal(t, want.BitLen() <= 128, ok, "%d·10^%d", c.big(), n)
			if ok {
				require.Zero(t, want.Cmp(scaled.big()), "%d·10^%d", c.big(), n)
			}
		}
	}
}
