package differential

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainNumber returns the service's spelling of a number: plain digits without insignificant zeros.
// It is independent of the engines' arithmetic. An invalid number is returned unchanged.
func plainNumber(text string) string {
	digits, exponent, negative, ok := dissect(text)
	if !ok {
		return text
	}
	digits = strings.TrimLeft(digits, "0")
	for strings.HasSuffix(digits, "0") {
		digits, exponent = digits[:len(digits)-1], exponent+1
	}
	if digits == "" {
		return "0"
	}
	sign := ""
	if negative {
		sign = "-"
	}
	// The digits before the point, or minus the zeros after it.
	switch point := len(digits) + exponent; {
	case exponent >= 0:
		return sign + digits + strings.Repeat("0", exponent)
	case point > 0:
		return sign + digits[:point] + "." + digits[point:]
	default:
		return sign + "0." + strings.Repeat("0", -point) + digits
	}
}

// dissect returns the digits of a number, and the power of ten of the last one.
func dissect(text string) (digits string, exponent int, negative, ok bool) {
	mantissa, power, scientific := strings.Cut(strings.ToLower(text), "e")
	if scientific {
		n, err := strconv.Atoi(power)
		if err != nil {
			return "", 0, false, false
		}
		exponent = n
	}
	negative = strings.HasPrefix(mantissa, "-")
	mantissa = strings.TrimLeft(mantissa, "+-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", 0, false, false
	}
	return digits, exponent - len(fraction), negative, true
}

func TestPlainNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "1": "1", "1.0": "1", "007": "7", "+5": "5", ".5": "0.5", "-.50": "-0.5", "1E2": "100", "1.5e1": "15", "15E-1": "1.5",
		"1E-3": "0.001", "100": "100", "1200E-1": "120", "12.340": "12.34", "one": "one", "1e": "1e", "": "", "1.2.3": "1.2.3",
	} {
		require.Equal(t, want, plainNumber(text), text)
	}
}
