package schemadiff_test

import (
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

// Two types with a value of Go type V in the partition key.
type (
	hosting[V any] struct {
		V  V      `dynamodbav:"v"`
		ID string `dynamodbav:"id"`
	}
	joining[V any] hosting[V]
)

func host[V any](s *entity.Schema, pk string) {
	entity.DefineSpec[hosting[V]](s, spec("host", pk, "HOST#<id>"))
}

func guest[V any](s *entity.Schema, pk string) {
	entity.DefineSpec[joining[V]](s, spec("guest", pk, "GUEST#<id>"))
}

// kinds is a format for numbers of all kinds.
var kinds = keys.Format{
	Kinds:  []keys.Kind{keys.KindInt, keys.KindUint, keys.KindFloat},
	Encode: func(v keys.Value) (string, error) { return v.Kind().String() + strconv.FormatInt(v.Int(), 10), nil },
	Decode: func(string) (keys.Value, error) { return keys.Value{}, nil },
}

// TestSheetOfCollections checks that types are in one item collection if equal values have equal
// partition keys.
func TestSheetOfCollections(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		host     func(s *entity.Schema, pk string)
		guest    func(s *entity.Schema, pk string)
		of, with string // the partition keys
		number   bool   // both are of type N
		together bool
	}{
		"the same":                      {host[string], guest[string], "T#<v>", "T#<v>", false, true},
		"another literal":               {host[string], guest[string], "T#<v>", "U#<v>", false, false},
		"an integer and a float":        {host[int16], guest[float64], "T#<v:ord,desc>", "T#<v:ord,desc>", false, false},
		"integers of two widths":        {host[int16], guest[int64], "T#<v:ord,desc>", "T#<v:ord,desc>", false, true},
		"signed and unsigned":           {host[int16], guest[uint64], "T#<v:ord>", "T#<v:ord>", false, true},
		"floats of two widths":          {host[float32], guest[float64], "T#<v:ord>", "T#<v:ord>", false, true},
		"signed and unsigned digits":    {host[int], guest[uint8], "T#<v:08>", "T#<v:08>", false, true},
		"a format of the table's":       {host[int], guest[uint], "T#<v:kinds>", "T#<v:kinds>", false, false},
		"that format of one kind":       {host[int8], guest[int], "T#<v:kinds>", "T#<v:kinds>", false, true},
		"another format":                {host[int], guest[int], "T#<v:08>", "T#<v:06>", false, false},
		"as it is and in one case":      {host[string], guest[string], "T#<v>", "T#<v:lower>", false, false},
		"a text and a bool":             {host[string], guest[bool], "T#<v>", "T#<v>", false, false},
		"a text, and what writes one":   {host[string], guest[netip.Addr], "T#<v>", "T#<v>", false, true},
		"a day, and a text":             {host[time.Time], guest[string], "T#<v:day>", "T#<v>", false, false},
		"numbers as they are":           {host[int], guest[float64], "<v>", "<v>", true, true},
		"a time and a number of it":     {host[time.Time], guest[int64], "<v:unix>", "<v>", true, false},
		"numbers of one width, as such": {host[uint8], guest[float32], "<v>", "<v>", true, true},
	} {
		config := entity.Config{Formats: map[string]keys.Format{"kinds": kinds}}
		if c.number {
			config.Partition = entity.N("PK")
		}
		s := entity.NewSchema(config)
		c.host(s, c.of)
		c.guest(s, c.with)
		require.NoError(t, s.Err(), name)
		if c.together {
			require.Contains(t, s.Chart(), "| collection of host, guest ", name)
		} else {
			require.NotContains(t, s.Chart(), "collection of", name)
		}
	}
}
