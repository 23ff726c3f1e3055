package keyspace

import (
	"math/big"
	"strconv"
	"strings"
)

// compareDecimals compares numbers by value. A text that is not a number sorts first.
func compareDecimals(a, b string) int {
	x, xOK := ParseDecimal(a)
	y, yOK := ParseDecimal(b)
	switch {
	case xOK && yOK:
		return x.Cmp(y)
	case xOK:
		return 1
	case yOK:
		return -1
	}
	return 0
}

// ParseDecimal parses a number of DynamoDB's size. It rejects long texts and large exponents,
// because they cost memory.
func ParseDecimal(text string) (*big.Rat, bool) {
	const maxLength, maxExponent = 300, 400
	if text == "" || len(text) > maxLength || strings.Trim(text, "+-.0123456789eE") != "" {
		return nil, false
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(text[at+1:])
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}
