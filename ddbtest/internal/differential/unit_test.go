package differential

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "1": "1", "1.0": "1", "007": "7", "+5": "5", ".5": "0.5", "-.50": "-0.5", "1E2": "100", "1.5e1": "15", "15E-1": "1.5",
		"1E-3": "0.001", "100": "100", "1200E-1": "120", "12.340": "12.34", "one": "one", "1e": "1e", "": "", "1.2.3": "1.2.3",
	} {
		require.Equal(t, want, plainNumber(text), text)
	}
}

// A run that misses a requirement must be reported.
func TestCoverageFaults(t *testing.T) {
	t.Parallel()
	full := coverage{rowOperations: fullSize, rowSucceeded: 13_000, rowReads: 1000, rowResumed: 200, rowConditionTrue: 500, rowConditionFalse: 500}
	for _, part := range parts {
		full[part] = leastPart
	}
	for _, row := range rareRows() {
		full[row] = leastRare
	}
	require.Empty(t, full.faults())
	for row := range full {
		if row == rowOperations || row == rowReads {
			continue
		}
		poor := coverage{}
		poor.add(full)
		poor[row] /= 3
		require.Len(t, poor.faults(), 1, row)
	}
	require.Equal(t, []string{"error Strange"}, coverage{"error Strange": 1, "error ValidationException": 1}.unknownErrors())
}

// Texts are equal exactly if the values are.
func TestSpelling(t *testing.T) {
	t.Parallel()
	loose, strict := spelling{plain: true}, spelling{}
	for _, c := range []struct {
		a, b         value
		equal, plain bool
	}{
		{number("1"), number("1.0"), false, true},
		{list(number("1")), list(number("01")), false, true},
		{numberSet("1", "2"), numberSet("2.0", "1"), false, true},
		{textSet("a", "b"), textSet("b", "a"), true, true},
		{binarySet([]byte("a"), []byte("b")), binarySet([]byte("b"), []byte("a")), true, true},
		{list(text("a"), text("b")), list(text("b"), text("a")), false, false},
		{text("1"), number("1"), false, false},
		{text("a"), binary("a"), false, false},
		{text("true"), boolean(true), false, false},
		{text("null"), null(), false, false},
		{mapping(item{}), mapping(item{"a": null()}), false, false},
		{pad(600), pad(601), false, false},
	} {
		require.Equal(t, c.equal, strict.value(c.a) == strict.value(c.b), fmt.Sprint(strict.value(c.a), strict.value(c.b)))
		require.Equal(t, c.plain, loose.value(c.a) == loose.value(c.b), fmt.Sprint(loose.value(c.a), loose.value(c.b)))
	}
	require.NotEqual(t, strict.item(nil), strict.item(item{}), "an item that is missing is no empty one")
}
