package ddbtest_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestRandomRequests sends random requests with hostile keys. Those of the tenant are allowed. All
// others are refused and change nothing. Policies with a gap are the negative control.
func TestRandomRequests(t *testing.T) {
	t.Parallel()
	wrong, allowed := randomRequests(t, testsize.Pick(1_000, 2_000, 100_000), tenantPolicy)
	require.Empty(t, wrong)
	require.Positive(t, allowed)
	for _, gap := range []*strings.Replacer{
		strings.NewReplacer("tenant}#*", "tenant}*"),           // 1 is the beginning of 10
		strings.NewReplacer("tenant}#*", "tenant}?*"),          // any delimiter
		strings.NewReplacer("ForAllValues", "ForAnyValue"),     // one key of a batch is enough
		strings.NewReplacer("${aws:PrincipalTag/tenant}", "*"), // all tenants
	} {
		wrong, _ := randomRequests(t, 1_000, gap.Replace(tenantPolicy))
		require.NotEmpty(t, wrong, gap.Replace(tenantPolicy))
	}
}

// randomRequests sends requests of tenant 1. It returns the first one with a wrong outcome, and how
// many were allowed.
func randomRequests(t *testing.T, n int, document string) (wrong string, allowed int) {
	t.Helper()
	r, db := testrand.New(t), setup(t)
	p := tenant("1")
	p.Document = document
	client := db.Client(db.WithPolicy(p))
	names := slices.Sorted(maps.Keys(calls))
	for range n {
		name, pk, before := names[r.IntN(len(names))], hostileKey(r), db.Hash()
		err := calls[name](t.Context(), client, "T#1#a", pk)
		own := strings.HasPrefix(pk, "T#1#")
		switch {
		case own != (err == nil), !own && before != db.Hash():
			return name + " " + pk, allowed
		case own:
			allowed++
		default:
			requireDenied(t, err, name)
		}
	}
	return "", allowed
}

// hostileKey returns a partition key of parts that have a meaning in policies or keys.
func hostileKey(r *rand.Rand) string {
	parts := []string{"T#1#", "T#1", "T#10#", "T#", "#", "*", "?", "${*}", "\x00", "é", "t#1#", ":", "/"}
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// TestRefusedRequest checks what the request log and a replay show of a request that was refused.
func TestRefusedRequest(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	client := db.Client(db.WithPolicy(tenant("2")))
	requireDenied(t, calls["PutItem"](t.Context(), client, "", "T#1#a"), "PutItem")
	require.NoError(t, calls["PutItem"](t.Context(), client, "", "T#2#a"))
	requests := db.Requests()
	require.Equal(t, "AccessDeniedException", requests[0].ErrorCode)
	require.Equal(t, 400, requests[0].Status)
	require.Zero(t, requests[0].WriteUnits)
	require.Positive(t, requests[1].WriteUnits)

	var b strings.Builder
	require.NoError(t, db.WriteRecording(&b))
	again, err := ddbtest.Replay(strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Equal(t, db.Hash(), again.Hash())
}
