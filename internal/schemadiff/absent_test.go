package schemadiff_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

// The types in this group have a number in an index key. They differ in its type and in the values
// that keep an item off the index.
type (
	ticket[N any] struct {
		ID    string `dynamodbav:"id"`
		Queue string `dynamodbav:"queue"`
		Rank  N      `dynamodbav:"rank"`
	}
	sparseTicket[N any] struct {
		ID    string `dynamodbav:"id"`
		Queue string `dynamodbav:"queue"`
		Rank  N      `dynamodbav:"rank,omitempty"`
	}
	// Ranked is embedded, directly or by a pointer.
	Ranked struct {
		Rank int `dynamodbav:"rank"`
	}
	rankedTicket struct {
		ID    string `dynamodbav:"id"`
		Queue string `dynamodbav:"queue"`
		Ranked
	}
	perhapsRankedTicket struct {
		ID    string `dynamodbav:"id"`
		Queue string `dynamodbav:"queue"`
		*Ranked
	}
)

func tickets[T any](t *testing.T, on entity.IndexSpec) *entity.Schema {
	t.Helper()
	index := entity.IndexConfig{Name: on.On}
	if on.PK == "" {
		index.Partition, index.Sort = []entity.Attribute{entity.S("queue")}, []entity.Attribute{entity.N("rank")}
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{index}})
	entity.DefineSpec[T](s, spec("ticket", "T#<id>", "T", on))
	require.NoError(t, s.Err())
	return s
}

// TestDriftOfSparseIndexes checks index membership, which depends on the values of members. A tag
// or a pointer determines whether a zero counts as absent.
func TestDriftOfSparseIndexes(t *testing.T) {
	t.Parallel()
	written := entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: "R#<rank:06>"}
	native := entity.IndexSpec{Name: "by-rank", On: "Ranks"}
	for name, on := range map[string]entity.IndexSpec{"written": written, "native": native} {
		always, never := tickets[ticket[int]](t, on), tickets[sparseTicket[int]](t, on)
		pointed, both := tickets[ticket[*int]](t, on), tickets[sparseTicket[*int]](t, on)
		embedded, through := tickets[rankedTicket](t, on), tickets[perhapsRankedTicket](t, on)
		for what, c := range map[string]struct {
			was, is *entity.Schema
			says    bool
		}{
			"promoted through nil":       {through, embedded, true},
			"now promoted through nil":   {embedded, through, false},
			"a pointer of either kind":   {through, pointed, false},
			"zeros come":                 {never, always, true},
			"zeros go":                   {always, never, true},
			"nils become zeros":          {pointed, always, true},
			"nils become no zeros":       {pointed, never, true},
			"zeros may be nil":           {always, pointed, false},
			"no zeros may be nil":        {never, pointed, false},
			"nil is left out either way": {pointed, both, false},
			"nothing":                    {never, tickets[sparseTicket[int]](t, on), false},
		} {
			drift := c.is.Drift(c.was.Text())
			if !c.says {
				require.Empty(t, drift, "%s, %s", name, what)
				continue
			}
			require.Len(t, drift, 1, "%s, %s: %q", name, what, drift)
			require.Contains(t, drift[0], "every stored ticket must be re-indexed", "%s, %s", name, what)
		}
	}
	// A key with another template is another key.
	drift := tickets[ticket[*int]](t, entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: "R#<rank:08>"}).Drift(tickets[ticket[int]](t, written).Text())
	require.Len(t, drift, 1, "%q", drift)
	require.Contains(t, drift[0], "re-indexed")
}

// TestDriftOfSparseIndexesOfOtherTypes checks that adding or removing a pointer has no effect for
// texts, types with a text form and byte arrays. Their zero value and a nil pointer both keep an
// item off an index.
func TestDriftOfSparseIndexesOfOtherTypes(t *testing.T) {
	t.Parallel()
	on := entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: "R#<rank>"}
	bytes := entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: "R#<rank:hex>"}
	for name, c := range map[string]struct {
		was, is *entity.Schema
		says    int
	}{
		"an address":   {tickets[ticket[*netip.Addr]](t, on), tickets[ticket[netip.Addr]](t, on), 0},
		"a byte array": {tickets[ticket[*[4]byte]](t, bytes), tickets[ticket[[4]byte]](t, bytes), 0},
		"a text":       {tickets[ticket[*string]](t, on), tickets[ticket[string]](t, on), 0},
		"may be nil":   {tickets[ticket[[4]byte]](t, bytes), tickets[ticket[*[4]byte]](t, bytes), 0},
	} {
		require.Len(t, c.is.Drift(c.was.Text()), c.says, "%s: %q", name, c.is.Drift(c.was.Text()))
	}
}

// TestDriftOfKeyOnlyFields checks that stored items lack an attribute that was only part of keys.
func TestDriftOfKeyOnlyFields(t *testing.T) {
	t.Parallel()
	type (
		inKey struct {
			ID    string `dynamodbav:"id" entity:"key"`
			Queue string `dynamodbav:"queue" entity:"key"`
			Rank  int    `dynamodbav:"rank"`
		}
		stored struct {
			ID    string `dynamodbav:"id"`
			Queue string `dynamodbav:"queue"`
			Rank  int    `dynamodbav:"rank"`
		}
	)
	on := entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: "R#<rank:06>"}
	was, is := tickets[inKey](t, on), tickets[stored](t, on)
	drift := is.Drift(was.Text())
	require.Len(t, drift, 2, "%q", drift)
	for i, name := range []string{"id", "queue"} {
		require.Contains(t, drift[i], name+" was a part of the keys of ticket alone")
		require.Contains(t, drift[i], "every stored ticket must be written again")
	}
	require.Len(t, was.Drift(is.Text()), 2, "gone attributes")
}

// TestDriftOfTimesToLive checks that items expire if they already store the time to live attribute.
func TestDriftOfTimesToLive(t *testing.T) {
	t.Parallel()
	of := func(ttl string) *entity.Schema {
		s := entity.NewSchema(entity.Config{TTL: ttl})
		entity.DefineSpec[ticket[int]](s, spec("ticket", "T#<id>", "T"))
		require.NoError(t, s.Err())
		return s
	}
	for name, c := range map[string]struct {
		was, is string
		says    string
	}{
		"none before":              {"", "rank", "every stored ticket expires by what it has there"},
		"another before":           {"ends", "rank", "every stored ticket expires by what it has there"},
		"a new one":                {"", "ends", ""},
		"a text, which is no time": {"", "queue", ""},
	} {
		drift := of(c.is).Drift(of(c.was).Text())
		if c.says == "" {
			require.Empty(t, drift, name)
			continue
		}
		require.Len(t, drift, 1, "%s: %q", name, drift)
		require.Contains(t, drift[0], c.says, name)
	}
}

// TestTextOfMisleadingTemplates checks templates that contain the syntax of descriptions.
func TestTextOfMisleadingTemplates(t *testing.T) {
	t.Parallel()
	of := func(sk string) *entity.Schema {
		return tickets[ticket[int]](t, entity.IndexSpec{Name: "by-rank", On: "GSI1", PK: "Q#<queue>", SK: sk})
	}
	was, is := of("R"), of("R unless <rank:06># is nil")
	require.Empty(t, is.Drift(is.Text()))
	require.Len(t, is.Drift(was.Text()), 1, "%q", is.Text())
}
