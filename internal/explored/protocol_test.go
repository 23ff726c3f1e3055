package explored_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
)

// protocol is one way in which the library sends several requests for one call.
type protocol struct {
	name    string
	fill    func(ctx context.Context, table *entity.Table) error
	clients func(*protocolRun)
	foreign func() (map[string]types.AttributeValue, error) // an item of another program
	weight  weight
	change  func(testing.TB, *ddbtest.DB) // changes stored items
	extra   explore.Kind                  // a fault that each search has too; 0: none
	backoff time.Duration                 // of explore.Options
	timed   bool                          // deadlines end before its pauses, and other tests let them pass
}

// protocolRun is one run of a protocol.
type protocolRun struct {
	w       *explore.World
	ledger  *ledger
	faults  explore.Faults
	options []func(*dynamodb.Options)
}

// client declares a client.
func (r *protocolRun) client(name string, f func(ctx context.Context, table *entity.Table)) {
	client(r.w, name, r.options, f)
}

// each declares two clients with so many calls each.
func (r *protocolRun) each(calls int, f func(ctx context.Context, table *entity.Table, c *call) error) {
	for _, name := range []string{"alice", "bob"} {
		for n := range calls {
			r.ledger.reserve(fmt.Sprint(name, n+1))
		}
		r.client(name, func(ctx context.Context, table *entity.Table) {
			for n := range calls {
				c := r.ledger.open(fmt.Sprint(name, n+1))
				c.end(f(ctx, table, c))
			}
		})
	}
}

var protocols = append([]protocol{
	versionedUpdate, versionedPut, overwrite, readFirst, create, token, tokenDelete, tokenTransaction, transaction, unique, uniqueRename, uniquePut, uniqueForeign,
	counts, countsMove, countsForeign, generation, generationDelete, batch, placesUpsert, placesPut,
	nullSums, nullTransaction, lastSeat, leasedSeat, sameShard, pieces, returned, limits, newLimit, together,
	oneHolder, lateHolder, lateRenewal,
	documentSave, documentLog, documentClean, documentChunks, documentDelete, documentRead, documentRepair,
	leftBySave, leftByLog, leftByCreate,
	anewUpsert, anewDelete, anewCreate, anewTransaction, anewUnique, anewTogether, anewRename, anewForeign,
	anewPlacesUpsert, anewPlacesCreate, expirePlaces,
	anewPage, renewPage, sweptPage, renewLog, deletePage,
	tenantRename, tenantIndexed, tenantScan, tenantScanBack, tenantShared,
}, counterProtocols()...)

// search explores a protocol.
func (p protocol) search(t *testing.T, o explore.Options, options ...func(*dynamodb.Options)) *explore.Report {
	t.Helper()
	if o.Setup, o.Backoff = setup(t, p), max(o.Backoff, p.backoff); o.Backoff == 0 {
		o.Wakes = 1 // as one fault: it finds every mutant
	}
	if p.timed {
		o.Faults = maps.Clone(o.Faults)
		o.Faults[explore.Pause] += 0
	}
	return explore.Search(o, func(w *explore.World) {
		p.clients(&protocolRun{w: w, ledger: &ledger{}, faults: o.Faults, options: options})
	})
}

// weight is how many runs the searches of a protocol have.
type weight int

const (
	light weight = iota
	medium
	heavy
	huge
	vast // only the largest size has it
)

// options returns the options of a search. The sizes small and ci have one fault of any kind, which
// finds every mutant, and fuzz has two. Heavy protocols have fewer kinds, and only fuzz has all
// faults of huge ones, and vast ones at all.
func (p protocol) options() explore.Options {
	faults := func(most int, kinds ...explore.Kind) explore.Options {
		o := explore.Options{Faults: explore.Faults{}, MaxFaults: most}
		for _, k := range kinds {
			o.Faults[k]++
		}
		if p.extra != 0 {
			o.Faults[p.extra] = 1
		}
		return o
	}
	const race, small, fuzz = 0, 1, 2
	switch size := testsize.Sequential(race, small, small, fuzz); {
	case size == race: // the search itself has no concurrency
		return explore.Options{Faults: explore.Faults{}}
	case size == fuzz && p.weight >= huge:
		return faults(2, explore.LostReply, explore.Crash)
	case size == fuzz:
		return faults(2, explore.LostReply, explore.LostReply, explore.LateRequest, explore.Crash, explore.Throttle)
	case p.weight >= heavy:
		return faults(1, explore.Crash)
	default:
		return faults(1, explore.LostReply, explore.LateRequest, explore.Crash)
	}
}

// TestProtocols runs every protocol in every order, with every fault. The golden file has the size
// of each search in the sizes small and ci.
func TestProtocols(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	lines := make([]string, len(protocols))
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if !t.Failed() && testsize.Sequential(1, 0, 0, 1) == 0 {
			golden(t, "explored.txt", strings.Join(lines, ""))
		}
	})
	for i, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.weight > weight(testsize.Sequential(int(medium), int(huge), int(huge), int(vast))) {
				t.Skip("larger sizes have this search")
			}
			r := p.search(t, p.options())
			requireProof(t, r)
			t.Logf("%s, %.1f s", r, r.Elapsed.Seconds())
			mu.Lock()
			defer mu.Unlock()
			lines[i] = fmt.Sprintf("%-38s %s\n", p.name, r)
		})
	}
}

// TestConflicts explores conflicts with transactions that are not in the run. The library pauses
// after each, while the other client goes on or not.
func TestConflicts(t *testing.T) {
	t.Parallel()
	const longestPause = 3 * time.Second
	for _, p := range protocols {
		if p.extra == explore.Unprocessed || p.weight > weight(testsize.Sequential(-1, int(light), int(light), int(heavy))) {
			continue // a batch write has no conflicts
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			requireProof(t, p.search(t, explore.Options{Faults: explore.Faults{explore.Conflict: 1}, Backoff: longestPause}))
		})
	}
}

// requireProof fails the test unless the search is complete and found nothing.
func requireProof(t *testing.T, r *explore.Report) {
	t.Helper()
	if r.Failure != nil {
		t.Fatal(r.Failure)
	}
	require.Empty(t, r.Lacks)
	require.Empty(t, r.CutOff)
}

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path) //nolint:gosec // a path of this test's
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
