package tag_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	attributes := []string{"id", "company_id", "hired_at", "version", "updated_at", "status", "placed_at", "pk", "sk"}
	for word, want := range map[string]string{
		"hired_at":   "hired_at",
		"HiredAt":    "hired_at",
		"hired":      "hired_at",
		"hierd_at":   "hired_at",
		"hird_at":    "hired_at",
		"companyId":  "company_id",
		"versino":    "version",
		"stauts":     "status",
		"kp":         "pk",
		"pks":        "pk",
		"updatd_at":  "updated_at",
		"warehouse":  "",
		"x":          "",
		"":           "",
		"createdAt":  "",
		"statistics": "",
	} {
		require.Equal(t, want, tag.Suggest(word, attributes), "%q", word)
	}
	require.Empty(t, tag.Suggest("id", nil))
}

// plainDistance is the negative control: it does not count swaps.
func plainDistance(a, b string) int {
	switch {
	case a == "":
		return len(b)
	case b == "":
		return len(a)
	case a[0] == b[0]:
		return plainDistance(a[1:], b[1:])
	}
	return 1 + min(plainDistance(a[1:], b), plainDistance(a, b[1:]), plainDistance(a[1:], b[1:]))
}

// TestDistance_random checks that the distance is at most 1 after one random edit, that it is
// symmetric, and that it is 0 only for equal words. The distance without swaps fails the test.
func TestDistance_random(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	letter := func() byte { return "abcd"[r.IntN(4)] }
	controlWrong := 0
	for range testsize.Pick(2_000, 20_000, 100_000) {
		word := make([]byte, 1+r.IntN(6))
		for i := range word {
			word[i] = letter()
		}
		edited := append([]byte(nil), word...)
		switch i := r.IntN(len(word)); r.IntN(4) {
		case 0:
			edited = append(edited[:i], edited[i+1:]...)
		case 1:
			edited = append(edited[:i], append([]byte{letter()}, edited[i:]...)...)
		case 2:
			edited[i] = letter()
		default:
			j := min(i+1, len(word)-1)
			edited[i], edited[j] = edited[j], edited[i]
		}
		a, b := string(word), string(edited)
		require.LessOrEqual(t, tag.Distance(a, b), 1, "%q %q", a, b)
		require.Equal(t, tag.Distance(a, b), tag.Distance(b, a))
		require.Equal(t, a == b, tag.Distance(a, b) == 0)
		if plainDistance(a, b) > 1 {
			controlWrong++
		}
	}
	require.Positive(t, controlWrong, "the control passes: swaps were never tried")
}
