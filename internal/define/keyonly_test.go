package define_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/define"
)

// TestKeyFieldsKeptInPart: an index key may keep a part of a field that has no attribute of its own only where all of the field comes and
// goes with it.
func TestKeyFieldsKeptInPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, whole, pk, sk string
		refused             []string // the sides at fault
	}{
		{"whole on both indexes", "HIRED#<at:ns>", "CITY#<city>", "AT#<at:ns>", nil},
		{"a part on one of them", "HIRED#<at:ns>", "MONTH#<at:month>", "CITY#<city>", []string{"pk"}},
		{"parts in both halves of one", "HIRED#<at:ns>", "MONTH#<at:month>", "DAY#<at:day>", []string{"pk", "sk"}},
		{"a part, and all of it in the other half", "HIRED#<at:ns>", "MONTH#<at:month>", "AT#<at:ns>", nil},
		{"a part, and all of it behind that", "HIRED#<at:ns>", "CITY#<city>", "MONTH#<at:month>#<at:ns>", nil},
		{"a part on the index of the whole", "MONTH#<at:month>#<at:ns>", "CITY#<city>", "CITY", nil},
	} {
		_, faults := partly(c.whole, c.pk, c.sk).compile()
		var sides []string
		for _, f := range faults {
			sides = append(sides, f.Tag)
		}
		require.Equal(t, c.refused, sides, "%s\n%s", c.name, define.Text(faults))
	}
}

// A field that the table's key keeps a part of never changes: its keys on indexes cannot become stale.
func TestKeyFieldsOfTheTable(t *testing.T) {
	t.Parallel()
	d := partly("HIRED#<at:ns>", "CITY#<city>", "DAY#<at:day>")
	d.specs[d.types[0]].Key.SK = "HIRE#<at:day>"
	_, faults := d.compile()
	require.Empty(t, define.Text(faults))
}
