package services

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// service is a service with a bug, and its mended twin.
type service struct {
	name      string
	setup     func(*ddbtest.DB)
	faults    explore.Faults
	maxFaults int // in a run; 0 is all of faults
	few       int // in a run of a small test, if the search is large
	pauses    []time.Duration
	scene     func(mended bool) *scene
	inReal    func(mended bool) *scene // the scene of plain repetition, if it differs
}

// scene is one run of a service: its clients, and what must hold when they have ended.
type scene struct {
	actors []actor
	check  func(*ddbtest.DB) error
}

// actor is a client of a service.
type actor struct {
	name   string
	run    clientFunc
	again  clientFunc // runs after a crash; nil if nothing does
	option func(*dynamodb.Options)
}

// once is an option of a client, or of a call: the SDK does not repeat a request.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

type clientFunc = func(context.Context, *dynamodb.Client)

var all = []service{
	balanceService, lockService, uniqueNameService, counterService, documentService,
	moverService, queueService, outboxService, paymentService, sessionsService,
}

// full reports whether large searches have all their faults, as in the fuzz size. The golden file
// is of those that have few.
func full() bool { return testsize.Sequential(0, 0, 0, 1) == 1 }

// search searches all orders of a service.
func (s *service) search(mended bool) *explore.Report {
	maxFaults := s.maxFaults
	if s.few > 0 && !full() {
		maxFaults = s.few
	}
	return explore.Search(explore.Options{
		Setup: s.setup, Faults: s.faults, MaxFaults: maxFaults, Pauses: s.pauses,
	}, func(w *explore.World) {
		scene := s.scene(mended)
		for _, a := range scene.actors {
			option := a.option
			if option == nil {
				option = func(*dynamodb.Options) {}
			}
			w.Client(a.name, a.run, option)
			if a.again != nil {
				w.Restart(a.name, a.again, option)
			}
		}
		w.Finally(scene.check)
	})
}

// each calls f for the services, in parallel subtests. It returns when all of them have ended.
func each(t *testing.T, f func(t *testing.T, i int, s *service)) bool {
	t.Helper()
	return t.Run("each", func(t *testing.T) {
		for i := range all {
			t.Run(all[i].name, func(t *testing.T) {
				t.Parallel()
				f(t, i, &all[i])
			})
		}
	})
}

// TestServices checks that the search finds the bug of each service, and proves that its mended
// twin has none. The log compares this with plain repetition.
//
//nolint:tparallel // the subtests of each are parallel, and each waits for them
func TestServices(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	found, held := make([]*explore.Report, len(all)), make([]*explore.Report, len(all))
	ran := each(t, func(t *testing.T, i int, s *service) {
		found[i] = s.search(false)
		require.NotNil(t, found[i].Failure, found[i])
		require.LessOrEqual(t, found[i].Failure.Faults, 3)
		held[i] = s.search(true)
		if held[i].Failure != nil {
			t.Log(held[i].Failure)
		}
		require.Nil(t, held[i].Failure)
		require.Empty(t, held[i].Lacks)
		require.Empty(t, held[i].CutOff)
	})
	if !ran || slices.Contains(held, nil) { // the flag -run selects some
		return
	}
	random := testrand.New(t)
	var stories, proofs, log strings.Builder
	for i, s := range all {
		f := found[i].Failure
		if i > 0 {
			stories.WriteString("\n\n")
		}
		fmt.Fprintf(&stories, "# %s\n\n%s", s.name, f)
		fmt.Fprintf(&proofs, "%s: %s\n", s.name, held[i])
		fmt.Fprintf(&log, "%-12s found in %5d runs, %4.1f s, %d faults, %d switches; mended: %6d runs, %6d states, %4.1f s; repetition: %d hits of %d\n",
			s.name, found[i].Runs, found[i].Elapsed.Seconds(), f.Faults, f.Switches,
			held[i].Runs, held[i].States, held[i].Elapsed.Seconds(), s.repeat(t, random, false), repetitions())
	}
	t.Logf("\n%s", &log)
	golden(t, "found.txt", stories.String()+"\n")
	if !full() {
		golden(t, "held.txt", proofs.String())
	}
}

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
