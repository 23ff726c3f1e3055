package entity_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// Concurrent writes of a versioned item are linearizable, whatever happens to requests and replies.
// A write of unknown outcome takes effect once, at any later time, or never.
func TestVersionedWritesAreLinearizable(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for _, c := range []struct {
		rate      float64
		histories int
	}{
		{0, testsize.Pick(3, 10, 500)},
		{0.01, testsize.Pick(3, 20, 2_000)},
		{0.05, testsize.Pick(6, 40, 5_000)},
		{0.1, testsize.Pick(15, 30, 20_000)},
	} {
		t.Run(fmt.Sprint(c.rate), func(t *testing.T) {
			t.Parallel()
			g := &generator{calls: 50, rate: c.rate}
			awaited := func() bool { return c.rate == 0.1 && len(g.missing()) > 0 }
			for n := 0; n < c.histories || awaited() && n < c.histories+100; n++ {
				g.requireLinearizable(t, g.history(t, seed+uint64(n)))
			}
			t.Log(g)
			require.Greater(t, g.meanOverlap(), 3.0)
			if c.rate == 0.1 {
				require.Empty(t, g.missing())
			}
		})
	}
}

// With the retries of the SDK alone, the same histories are not linearizable.
func TestBlindRetriesAreNotLinearizable(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	g := &generator{calls: 100, rate: 0.1, blind: true}
	for n := range testsize.Pick(6, 12, 1_000) {
		g.check(g.history(t, seed+uint64(n)))
	}
	t.Log(g)
	require.Zero(t, g.undecided)
	require.Greater(t, float64(g.illegal), 0.95*float64(g.histories))
}

// Without faults, the histories of DynamoDB Local are linearizable too.
func TestVersionedWritesAreLinearizableOnDynamoDBLocal(t *testing.T) {
	t.Parallel()
	client := engines.Local(t).Client(t)
	g := &generator{}
	h := newRegisters(t, client, entity.Config{})
	h.run(t, testrand.Seed(t), testsize.Pick(25, 50, 200), func() {})
	g.add(h, nil)
	g.requireLinearizable(t, h.history)
	t.Log(g)
	require.Greater(t, g.meanOverlap(), 3.0)
}

// totals sums up histories.
type totals struct {
	histories, illegal, undecided int
	calls, overlap, recognized    int64
	replies, faults               map[string]int // by verb and result; by kind
}

func (s *totals) add(h *registers, rules map[string]*ddbtest.Rule) {
	if s.replies == nil {
		s.replies, s.faults = map[string]int{}, map[string]int{}
	}
	s.histories++
	s.calls += h.calls.Load()
	s.overlap += h.overlap.Load()
	s.recognized += h.recognized.Load()
	for name, r := range rules {
		s.faults[name] += r.Hits()
	}
}

// check checks a history. It returns the calls of a register that have no linearization, or nil.
func (s *totals) check(history []porcupine.Operation) (wrong []porcupine.Operation) {
	verdict := porcupine.Ok
	for _, part := range registerHistories(history) {
		if one := porcupine.CheckOperationsTimeout(registerModel, part, 20*time.Second); one != porcupine.Ok {
			verdict, wrong = one, part
		}
		for _, o := range part {
			s.replies[fmt.Sprint(o.Input.(registerCall).verb, " ", o.Output.(registerReply).result)]++
		}
	}
	switch verdict {
	case porcupine.Illegal:
		s.illegal++
	case porcupine.Unknown:
		s.undecided++
	}
	return wrong
}

// requireLinearizable checks a history. A history that the checker cannot decide in time fails too.
func (s *totals) requireLinearizable(t *testing.T, history []porcupine.Operation) {
	t.Helper()
	if wrong := s.check(history); wrong != nil {
		for _, o := range wrong {
			t.Logf("%6d to %6d: %s: %s", o.Call, o.Return, o.Input, o.Output)
		}
		t.Fatal("history ", s.histories, " is not linearizable, or undecided")
	}
}

// meanOverlap returns the mean number of calls that run at the same time.
func (s *totals) meanOverlap() float64 { return float64(s.overlap) / float64(s.calls) }

// missing lists the faults and the frequent replies that have not occurred.
func (s *totals) missing() (list []string) {
	for kind, n := range s.faults {
		if n == 0 {
			list = append(list, kind)
		}
	}
	for _, reply := range []string{
		"get read", "create applied", "create failed", "put applied", "put failed", "overwrite applied", "overwrite unknown",
		"set returned", "set failed", "set unknown", "set seen", "add returned", "add failed", "add unknown", "add seen", "delete applied", "delete failed",
	} {
		if s.replies[reply] == 0 {
			list = append(list, reply)
		}
	}
	if s.recognized == 0 {
		list = append(list, "recognized by its write ID")
	}
	return list
}

func (s *totals) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d histories: %d illegal, %d undecided; %d calls, on average %.1f at a time; %d recognized by their write ID",
		s.histories, s.illegal, s.undecided, s.calls, s.meanOverlap(), s.recognized)
	for _, counts := range []map[string]int{s.replies, s.faults} {
		text.WriteString("\n")
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&text, "%s %d, ", name, counts[name])
		}
	}
	return text.String()
}
