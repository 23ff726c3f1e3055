package keys

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
)

// TestDatePattern checks that the pattern of dates matches exactly the valid dates.
func TestDatePattern(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile("^" + datePattern + "$")
	for _, year := range []int{0, 1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9996, 9999} {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				require.Equal(t, err == nil, pattern.MatchString(text), text)
			}
		}
	}
}

// TestLetterCases checks that the conversions are idempotent and that the list of changed runes is
// complete.
func TestLetterCases(t *testing.T) {
	t.Parallel()
	for _, convert := range []func(string) string{strings.ToLower, strings.ToUpper} {
		changed := map[rune]bool{}
		for _, r := range changedBy(convert) {
			changed[r] = true
		}
		wrong := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			text := string(r)
			once := convert(text)
			if once != convert(once) || changed[r] != (once != text) {
				wrong++
			}
		}
		require.Zero(t, wrong)
	}
}
