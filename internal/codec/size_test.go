package codec

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestNumberSize checks sizes that were measured with DynamoDB.
func TestNumberSize(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]int{
		"3.14159": 5, "123456": 4, "1E125": 2, "0": 1, "-0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, "1.5": 3, "15": 2, "0.15": 2, "-42": 3,
		"100": 2, "1010": 3, "100.5": 4, "0042": 2, "1.200": 3, "0.0000001": 2, "1E-100": 2, "1.5e1": 2, "12345678901234567890123456789012345678": 20,
	} {
		require.Equal(t, want, ValueSize(number(literal)), literal)
	}
}

func TestValueSize(t *testing.T) {
	t.Parallel()
	list := func(avs ...AV) AV { return &types.AttributeValueMemberL{Value: avs} }
	for want, av := range map[int]AV{
		0:  text(""),
		2:  text("é"),
		1:  null(),
		3:  list(),
		9:  list(text("abc"), null()),                                      // 3 + 2 + 3 + 1
		11: &types.AttributeValueMemberM{Value: Item{"name": text("abc")}}, // 3 + 1 + 4 + 3
		4:  &types.AttributeValueMemberB{Value: []byte("1234")},
		6:  &types.AttributeValueMemberSS{Value: []string{"abc", "def"}},
		5:  &types.AttributeValueMemberNS{Value: []string{"1", "123"}},
		7:  &types.AttributeValueMemberBS{Value: [][]byte{[]byte("abc"), []byte("abcd")}},
	} {
		require.Equal(t, want, ValueSize(av), typeName(av))
	}
	require.Equal(t, 409_600, ItemSize(Item{"pk": text("a"), "p": text(strings.Repeat("x", 409_600-4))}))
	require.Equal(t, 1, ValueSize(&types.AttributeValueMemberBOOL{}))
}

// TestNumberSizeAgainstDigits checks random literals against a count of their written digits.
func TestNumberSizeAgainstDigits(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	documented := 0 // counts numbers for which the developer guide's rule is wrong
	for range testsize.Pick(5_000, 20_000, 500_000) {
		whole, fraction := r.Uint64()>>r.IntN(64), strings.TrimRight(strconv.FormatUint(r.Uint64()>>r.IntN(64), 10), "0")
		literal := strconv.FormatUint(whole, 10)
		if r.IntN(2) == 0 && fraction != "" && len(literal)+len(fraction) <= 38 {
			literal += "." + fraction
		} else {
			fraction = ""
		}
		digits := strconv.FormatUint(whole, 10)
		if fraction == "" {
			digits = strings.TrimRight(digits, "0")
		}
		if digits == "0" {
			digits, fraction = "", strings.TrimLeft(fraction, "0")
		}
		want := 1 + (len(digits)+1)/2 + (len(fraction)+1)/2
		require.Equal(t, want, ValueSize(number(literal)), literal)
		require.Equal(t, want, ValueSize(number("00"+literal)), literal)
		if want > 1 {
			require.Equal(t, want+1, ValueSize(number("-"+literal)), literal)
		}
		if 1+(len(digits)+len(fraction))/2 != want {
			documented++
		}
	}
	require.Greater(t, documented, 100, "the rule of the developer guide would pass this test")
}
