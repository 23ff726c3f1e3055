package define_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// TestKeyOnlyFields_partialKeys checks index keys that keep only a part of a key-only field. They
// are valid only if another key that keeps the whole field is always present with them.
func TestKeyOnlyFields_partialKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, whole, pk, sk string
		refused             []string // the sides with issues
	}{
		{"whole on both indexes", "HIRED#<at:ns>", "CITY#<city>", "AT#<at:ns>", nil},
		{"a part on one of them", "HIRED#<at:ns>", "MONTH#<at:month>", "CITY#<city>", []string{"pk"}},
		{"parts in both halves of one", "HIRED#<at:ns>", "MONTH#<at:month>", "DAY#<at:day>", []string{"pk", "sk"}},
		{"a part, and all of it in the other half", "HIRED#<at:ns>", "MONTH#<at:month>", "AT#<at:ns>", nil},
		{"a part, and all of it behind that", "HIRED#<at:ns>", "CITY#<city>", "MONTH#<at:month>#<at:ns>", nil},
		{"the same part on both", "HIRED#<at:s>", "CITY#<city>", "AT#<at:s>", nil},
		{"parts that hold the same", "HIRED#<at:s>", "CITY#<city>", "AT#<at:unix,desc>", nil},
		{"a part, and a smaller part", "HIRED#<at:s>", "CITY#<city>", "DAY#<at:day>", []string{"sk"}},
		{"a part, and a larger part", "DAY#<at:day>", "CITY#<city>", "AT#<at:s>", []string{"sk"}},
		{"a part and a smaller part on each", "MONTH#<at:month>#<at:s>", "DAY#<at:day>", "CITY#<city>#<at:s>", nil},
		{"a part on the index of the whole", "MONTH#<at:month>#<at:ns>", "CITY#<city>", "CITY", nil},
	} {
		_, issues := partly(c.whole, c.pk, c.sk).compile()
		var sides []string
		for _, f := range issues {
			sides = append(sides, f.Tag)
		}
		require.Equal(t, c.refused, sides, "%s\n%s", c.name, textOf(issues))
	}
}

// TestKeyOnlyFields_tableKey checks that index keys can keep a part of a field in the table's key.
// Such a field never changes, so its index keys cannot become stale.
func TestKeyOnlyFields_tableKey(t *testing.T) {
	t.Parallel()
	d := partly("HIRED#<at:ns>", "CITY#<city>", "DAY#<at:day>")
	d.specs[d.types[0]].Key.SK = "HIRE#<at:day>"
	_, issues := d.compile()
	require.Empty(t, textOf(issues))
}

// TestKeyOnlyFields_mostPreciseKey checks that a field is decoded from all places that keep most of
// it.
func TestKeyOnlyFields_mostPreciseKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pk, sk, ipk, isk string
		from             string // the attributes from which At is decoded
	}{
		{"H#<id>", "AT#<at:day>", "<city>", "<id>", "SK"},
		{"H#<id>#<at:month>", "AT#<at:s>", "<city>", "<id>", "SK"},
		{"H#<id>#<at:s>", "AT#<at:month>#<at:unix>", "<city>", "<id>", "PK SK"},
		{"H#<id>", "AT#<at:day>", "<city>", "<at:s>", "SK"},
		{"H#<id>", "AT#<at:day>", "<city>", "<at:ns>", "GSI1SK"},
		{"H#<id>", "H", "<city>#<at:month>", "<at:s>", "GSI1SK"},
		{"H#<id>", "H", "<city>#<at:s>", "<at:hour>", "GSI1PK"},
	} {
		type Hire struct {
			ID   string    `dynamodbav:"id"`
			City string    `dynamodbav:"city"`
			At   time.Time `dynamodbav:"at" entity:"key"`
		}
		s, issues := definition{
			config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, types: typesOf(Hire{}),
			specs: specOf(Hire{}, trestle.Spec{
				Type: "hire", Key: trestle.KeySpec{PK: c.pk, SK: c.sk}, Indexes: []trestle.IndexSpec{{Name: "by-city", On: "GSI1", PK: c.ipk, SK: c.isk}},
			}),
		}.compile()
		require.Empty(t, issues, textOf(issues))
		require.Equal(t, c.from, strings.Join(s.Plans[0].StoredIn(s.Plans[0].Shape.ByName("at")), " "), c)
	}
}
