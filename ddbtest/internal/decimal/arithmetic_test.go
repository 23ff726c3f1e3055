package decimal_test

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	const nines = "99999999999999999999999999999999999999"
	for _, c := range []struct {
		a, b, sum string
		err       error
	}{
		{"0.1", "0.2", "0.3", nil},
		{"1", "-1", "0", nil},
		{"0", "-7", "-7", nil},
		{"1", "10000000000000000000000", "10000000000000000000001", nil},
		{nines, "1", "1" + zeros(38), nil},
		{nines, nines, "199999999999999999999999999999999999998", decimal.ErrOverflow},
		{nines, "2", "", decimal.ErrOverflow},
		{"1e38", "-1", nines, nil},
		{"1e38", "1", "", decimal.ErrOverflow},
		{"2e38", "-1", "", decimal.ErrOverflow},
		{"4e38", "-1", "", decimal.ErrOverflow},
		{"1e39", "-" + nines, "", decimal.ErrOverflow},
		{"1e50", "1", "", decimal.ErrOverflow},
		{"1e125", least, "", decimal.ErrOverflow},
		{"1e125", "1e88", "1" + zeros(36) + "1" + zeros(88), nil},
		{"1e125", "1e87", "", decimal.ErrOverflow},
		{"9e125", "9e124", "99" + zeros(124), nil},
		{"9e125", "9e125", "", decimal.ErrOverflow},
		{most, "1e88", "", decimal.ErrOverflow},
		{"1.5e-130", "-1e-130", "", decimal.ErrUnderflow},
		{"1.5e-130", "-1.5e-130", "0", nil},
		{"1.5e-130", "1.5e-130", "3E-130", nil},
	} {
		sum, err := parse(t, c.a).Add(parse(t, c.b))
		require.ErrorIs(t, err, c.err, "%s + %s", c.a, c.b)
		if c.err == nil {
			require.Equal(t, parse(t, c.sum), sum, "%s + %s", c.a, c.b)
		}
	}
}

// adder adds two numbers.
type adder func(a, b decimal.Decimal) (decimal.Decimal, error)

func addFloats(a, b decimal.Decimal) (decimal.Decimal, error) {
	x, _ := strconv.ParseFloat(a.String(), 64)
	y, _ := strconv.ParseFloat(b.String(), 64)
	return decimal.Parse(strconv.FormatFloat(x+y, 'f', -1, 64))
}

// adds reports whether the adder gives the service's result for two numbers. fit is nil if the
// exact sum is a valid number.
func adds(add adder, a, b decimal.Decimal) (right bool, fit error) {
	want, fit := fits(new(big.Rat).Add(rational(a), rational(b)))
	sum, err := add(a, b)
	if errors.Is(fit, decimal.ErrPrecision) {
		return errors.Is(err, decimal.ErrOverflow), fit
	}
	return errors.Is(err, fit) && (err != nil || sum.String() == want), fit
}

func TestAddRandom(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	outcomes := map[error]int{}
	float := 0
	runs := testsize.Pick(5_000, 15_000, 150_000)
	for range runs {
		a, b := summands(r)
		right, fit := adds(decimal.Decimal.Add, a, b)
		require.True(t, right, "%s + %s", a, b)
		right, _ = adds(func(a, b decimal.Decimal) (decimal.Decimal, error) {
			negated, err := decimal.Decimal{}.Sub(b)
			require.NoError(t, err)
			return a.Sub(negated)
		}, a, b)
		require.True(t, right, "%s - -(%s)", a, b)
		if right, _ := adds(addFloats, a, b); !right {
			float++
		}
		outcomes[fit]++
	}
	for _, outcome := range []error{nil, decimal.ErrPrecision, decimal.ErrOverflow, decimal.ErrUnderflow} {
		require.Greater(t, outcomes[outcome], runs/200, "%v must come up", outcome)
	}
	require.Greater(t, float, runs/10, "the negative control: floating point")
}

// summands returns two random numbers: unrelated, both at one end of the range, or so close that
// digits cancel out.
func summands(r *rand.Rand) (a, b decimal.Decimal) {
	a, b = number(r), number(r)
	switch r.IntN(6) {
	case 0:
		a, b = numberAt(r, 125), numberAt(r, 125)
	case 1:
		a, b = numberAt(r, -130), numberAt(r, -130)
	case 2, 3:
		if near, err := a.Sub(b); err == nil {
			b, _ = decimal.Decimal{}.Sub(near)
		}
	}
	return a, b
}

func TestCmp(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	naive := 0
	pool := numbers(r, testsize.Pick(300, 700, 3_000))
	exact, floats := make([]*big.Rat, len(pool)), make([]float64, len(pool))
	for i, d := range pool {
		exact[i] = rational(d)
		floats[i], _ = strconv.ParseFloat(d.String(), 64)
		require.Equal(t, exact[i].Sign(), d.Sign())
	}
	for i, a := range pool {
		for j, b := range pool[:100] {
			want := exact[i].Cmp(exact[j])
			if a.Cmp(b) != want || (a == b) != (want == 0) {
				require.Fail(t, "another order", "%s, %s: %d, and equal: %t", a, b, a.Cmp(b), a == b)
			}
			if cmp.Compare(floats[i], floats[j]) != want {
				naive++
			}
		}
	}
	require.NotZero(t, naive, "the negative control: floating point")
}

func TestInt64(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	whole := []int64{0, 1, -1, 10, 1_000_000, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 9e18, -9e18, 1e18}
	for range 1000 {
		whole = append(whole, r.Int64()>>r.IntN(64), -r.Int64()>>r.IntN(64))
	}
	for _, i := range whole {
		d := decimal.FromInt(i)
		require.Equal(t, strconv.FormatInt(i, 10), d.String())
		require.Equal(t, parse(t, strconv.FormatInt(i, 10)), d)
		back, ok := d.Int64()
		require.True(t, ok)
		require.Equal(t, i, back)
	}
	for _, text := range []string{"0.5", "1e-130", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e19", "-1e19", "9.3e18", "1e125", most} {
		_, ok := parse(t, text).Int64()
		require.False(t, ok, text)
	}
}
