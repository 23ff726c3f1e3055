package tenancy_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// hostile are IDs of tenants that are prefixes of each other, or look like parts of keys. Keys that
// hold the tenant unescaped cannot have all of them.
var hostile = []string{"a", "ab", "a#", "a#A", "a$", "a$H", "a$U", "$U", "*", "a*", "?", "${x}", "a|", "\x00", "A", "A#1", "T", " "}

// run is the result of random calls.
type run struct {
	ok, refused, cursors map[string]int
	violations           []string
	denied               int              // calls that a policy did not allow
	inputs               map[string][]any // the requests of each tenant
}

// random makes random calls for two tenants and checks the keys of all requests and replies.
func random(t *testing.T, r *rand.Rand, w *world, pair [2]string, n int, naive bool, res *run) {
	t.Helper()
	ctx := t.Context()
	callers := [2]*caller{}
	for i, s := range []service{w.a, w.b} {
		callers[i] = &caller{r: r, s: s, me: pair[i], other: pair[1-i], naive: naive, cursors: map[string]string{}}
	}
	callers[0].theirs, callers[1].theirs = callers[1].cursors, callers[0].cursors
	names := slices.Sorted(maps.Keys(calls))
	w.record.take()
	for range n {
		c, name := callers[r.IntN(2)], names[r.IntN(len(names))]
		c.foreign, c.cursor, c.results = false, false, nil
		err := calls[name](ctx, c)
		inputs, keys, scans := w.record.take()
		if isDenied(err) {
			res.denied++
		}
		if scans > 0 {
			res.violations = append(res.violations, name+": a scan")
		}
		for key := range keys {
			if !w.layout.owns(c.me, key) {
				res.violations = append(res.violations, name+": a key of another tenant")
			}
		}
		if slices.ContainsFunc(c.results, func(tenant string) bool { return tenant != c.me }) {
			res.violations = append(res.violations, name+": a result of another tenant")
		}
		if naive {
			continue
		}
		res.inputs[c.me] = append(res.inputs[c.me], inputs...)
		batch := strings.HasSuffix(name, " many") && name != "get many"
		switch {
		case c.foreign:
			require.True(t, errors.Is(err, trestle.ErrTenant) || errors.Is(err, trestle.ErrInvalid), "%s: %v", name, err)
			require.True(t, batch || len(inputs) == 0, "%s sends something", name)
			res.refused[name]++
		case c.cursor:
			require.ErrorIs(t, err, query.ErrCursor, name)
			require.Empty(t, inputs)
			res.cursors[name]++
		default:
			require.NotErrorIs(t, err, trestle.ErrTenant, name)
			if err == nil {
				res.ok[name]++
			}
		}
	}
}

// seed stores items that pages and collections read.
func (w *world) seed(t *testing.T) {
	t.Helper()
	for _, s := range []service{w.a, w.b} {
		require.NoError(t, s.albums.Create(t.Context(), &album{ID: "1"}))
		for _, id := range []string{"1", "2", "3", "4"} {
			require.NoError(t, s.photos.Create(t.Context(), &photo{Album: "1", ID: id, Place: "1", Name: "seed" + id}))
		}
	}
}

func newRun() *run {
	return &run{ok: map[string]int{}, refused: map[string]int{}, cursors: map[string]int{}, inputs: map[string][]any{}}
}

// pairs returns two tenants for a layout.
func pairs(r *rand.Rand, l *layout) [2]string {
	for {
		a, b := hostile[r.IntN(len(hostile))], hostile[r.IntN(len(hostile))]
		plain := func(id string) bool { return !strings.Contains(id, l.delim) && !strings.HasPrefix(id, "$U") }
		if a != b && (l.escape || plain(a) && plain(b)) {
			return [2]string{a, b}
		}
	}
}

// Random calls with arguments, cursors and tokens of another tenant never reach it. Each request is
// one that the check refuses for the other tenant, and refuses after a change of any of its keys.
func TestRandom(t *testing.T) {
	t.Parallel()
	const each = 500
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r, res := testrand.New(t), newRun()
			checked, changed := 0, 0
			complete := func() bool {
				for name := range calls {
					if res.ok[name] == 0 {
						return false
					}
				}
				return true
			}
			rounds := testsize.Pick(2_000, 5_000, 1_000_000) / each / 2
			for n := 0; n < rounds || !complete() && n < rounds+100; n++ {
				pair := pairs(r, &l)
				w := newWorld(t, engines.Engine{Name: engines.InProcess}, l, pair[0], pair[1])
				w.seed(t)
				random(t, r, w, pair, each, false, res)
				require.Empty(t, res.violations)
				for i, me := range pair {
					n, m := checkRequests(t, w, res.inputs[me], me, pair[1-i])
					checked, changed = checked+n, changed+m
				}
				clear(res.inputs)
			}
			t.Logf("%d calls succeeded and %d were refused, %d cursors; %d requests, %d changed keys", sum(res.ok), sum(res.refused), sum(res.cursors), checked, changed)
			require.Greater(t, sum(res.ok), 100)
			require.Greater(t, sum(res.refused), 50)
			require.Positive(t, sum(res.cursors))
			require.Greater(t, changed, 500)
			for name := range calls {
				require.Positive(t, res.ok[name], "%s never succeeds", name)
			}
		})
	}
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// The control: a service that only fills in the tenant reaches the other one, and so does a handle
// whose requests are changed after its last check.
func TestRandom_control(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			pair := pairs(r, &l)
			w := newWorld(t, engines.Engine{Name: engines.InProcess}, l, pair[0], pair[1])
			bound := w.a
			w.a, w.b = w.all, w.all
			res := newRun()
			for n := 0; n < 20 && len(res.violations) == 0; n++ {
				random(t, r, w, pair, 100, true, res)
			}
			require.NotEmpty(t, res.violations)

			w.a, w.b, res = bound, bound, newRun()
			w.record.change = func(in any) {
				if get, ok := in.(*dynamodb.GetItemInput); ok {
					get.Key["PK"] = &sdk.AttributeValueMemberS{Value: l.start + "other" + l.delim + "A" + l.delim + "1"}
				}
			}
			const wanted = "get: a key of another tenant"
			for n := 0; n < 100 && !slices.Contains(res.violations, wanted); n++ {
				random(t, r, w, [2]string{pair[0], pair[0]}, 100, true, res)
			}
			require.Contains(t, res.violations, wanted)
		})
	}
}
