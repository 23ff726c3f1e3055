package schemadiff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

// visit has attributes that are keys of an index themselves.
type visit struct {
	ID   string    `dynamodbav:"id"`
	At   time.Time `dynamodbav:"at"`
	Rank int       `dynamodbav:"rank"`
	Name string    `dynamodbav:"name"`
}

// visits returns a schema with an index on an attribute in a format. Without a format, it has no
// index.
func visits(t *testing.T, attribute, format string, roles map[string]string) *entity.Schema {
	t.Helper()
	var config entity.Config
	of := spec("visit", "V#<id>", "V#<at:ns>")
	of.Roles = roles
	if format != "" {
		config.Indexes = []entity.IndexConfig{{Name: "Visits", Partition: []entity.Attribute{entity.S("id")}, Sort: []entity.Attribute{entity.S(attribute)}}}
		of.Indexes = []entity.IndexSpec{{Name: "by-it", On: "Visits", SK: "<" + attribute + ":" + format + ">"}}
	}
	s := entity.NewSchema(config)
	entity.DefineSpec[visit](s, of)
	require.NoError(t, s.Err())
	return s
}

// TestDriftOfADroppedKeyThatIsAField removes an access pattern whose key is a field with a format.
// The attribute still belongs to the field and must not be removed. The field may be unable to read
// the stored format.
func TestDriftOfADroppedKeyThatIsAField(t *testing.T) {
	t.Parallel()
	for attribute, formats := range map[string]map[string]string{
		"at": {
			"s": "", "ms": "is read, but conditions do not find it", "ns": "is read, but conditions do not find it",
			"day": "no stored visit with it can be read", "unix": "no stored visit with it can be read", "s,desc": "no stored visit with it can be read",
		},
		"rank": {"08": "no stored visit with it can be read", "raw": "no stored visit with it can be read"},
		"name": {"lower": ""},
	} {
		for format, says := range formats {
			was, is := visits(t, attribute, format, nil), visits(t, attribute, "", nil)
			for version, text := range map[string]string{"2": was.Text()} {
				drift := is.Drift(text)
				if version == "1" {
					require.Contains(t, drift[0], "is of version 1")
					drift = drift[1:]
				}
				require.Contains(t, drift[0], "index Visits is gone")
				if says == "" {
					require.Len(t, drift, 1, "%s: %q", format, drift)
					continue
				}
				require.Len(t, drift, 2, "%s: %q", format, drift)
				require.Contains(t, drift[1], "attribute "+attribute+" of visit was stored as S", format)
				require.Contains(t, drift[1], says, format)
			}
		}
	}
	// In the other direction, the field reads the attribute in the key's format.
	drift := visits(t, "at", "s", nil).Drift(visits(t, "at", "", nil).Text())
	require.Len(t, drift, 3, "%q", drift)
	require.Contains(t, drift[1], "visit has the key at now, as <at:s>: every stored visit must be re-indexed")
	require.Contains(t, drift[2], "attribute at of visit was stored as S(time) and is stored as S(time as s): a stored visit cannot be read where it is not as s writes it")
}

// TestDriftOfADroppedKeyThatIsNoField checks that a type without the key does not need a key
// attribute that is not a field.
func TestDriftOfADroppedKeyThatIsNoField(t *testing.T) {
	t.Parallel()
	key := map[string]string{"at": "key"}
	drift := visits(t, "at", "", key).Drift(visits(t, "at", "s", key).Text())
	require.Len(t, drift, 2, "%q", drift)
	require.Contains(t, drift[1], "visit has no key at any more: remove the attribute")

	drift = visits(t, "at", "", nil).Drift(visits(t, "at", "s", key).Text())
	require.Len(t, drift, 2, "%q", drift)
	require.Contains(t, drift[1], "attribute at of visit was the key <at:s> alone and is stored as S(time): a stored visit may be unreadable")
}
