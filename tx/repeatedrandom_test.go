package tx_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// witness is the transport between the wire and the engine. It sees what the engine does.
type witness struct {
	next    dynamodb.HTTPClient
	db      *ddbtest.DB
	token   string
	ok      int // transactions with the token that succeeded
	changed int // those that changed something
}

func (w *witness) install(o *dynamodb.Options) { w.next, o.HTTPClient = o.HTTPClient, w }

func (w *witness) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation != "TransactWriteItems" {
		return w.next.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var in struct{ ClientRequestToken string }
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	before := ddbtest.Items(w.db.Dump("hostel")).DynamoDBJSON()
	res, err := w.next.Do(r)
	if err == nil && res.StatusCode == http.StatusOK && in.ClientRequestToken == w.token {
		w.ok++
		if ddbtest.Items(w.db.Dump("hostel")).DynamoDBJSON() != before {
			w.changed++
		}
	}
	return res, err
}

// repetitions is what happened in a test of repeated calls.
type repetitions struct {
	calls, applied, unknown, denied, mismatched, final map[string]int
	faults                                             map[string]int
	violations                                         []string
}

// kindsOf returns the sentinel errors of an error.
func kindsOf(err error) (names []string) {
	for name, k := range map[string]error{
		"not found": trestle.ErrNotFound, "exists": trestle.ErrExists, "stale": trestle.ErrStale, "taken": trestle.ErrTaken,
		"condition": trestle.ErrCondition, "invalid": trestle.ErrInvalid, "limit": trestle.ErrLimit, "unknown": trestle.ErrUnknown,
	} {
		if errors.Is(err, k) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// repeatRandomly makes random writes with tokens on ddbtest, and repeats them as a caller does who
// gets no reply, each time as another process. With naive, a repetition is planned anew and sent
// without the token.
func repeatRandomly(t *testing.T, writes int, naive bool) (result repetitions) {
	t.Helper()
	seed := testrand.Seed(t)
	result = repetitions{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, nil}
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 0))
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed, KeepRequests: 50})
		plain := openHostel(t, db.Client(), db, false)
		require.NoError(t, plain.table.Create(t.Context()))
		empty := db.Snapshot()
		for i := range writes {
			if i%40 == 0 {
				db.Restore(empty)
				for _, id := range []string{"0", "1"} {
					require.NoError(t, plain.rooms.Create(t.Context(), &hostelRoom{Tenant: "a", ID: id}))
				}
				for _, tenant := range []bool{false, true} {
					h := openHostel(t, db.Client(), db, tenant)
					for _, id := range []string{"0", "1"} {
						require.NoError(t, h.beds.SetLimit(t.Context(), id, 3))
						require.NoError(t, h.beds.Take(t.Context(), id, 1, shard.Once("taken")))
					}
				}
			}
			w := &writing{t: t, r: r, db: db, plain: plain, result: &result, naive: naive, number: i, tenant: r.IntN(3) == 0}
			w.run()
		}
	})
	return result
}

// writing is one write with a token, and its repetitions.
type writing struct {
	t       *testing.T
	r       *rand.Rand
	db      *ddbtest.DB
	plain   *hostel
	result  *repetitions
	naive   bool
	number  int
	tenant  bool
	intents []intent
	name    string
	single  bool
	witness *witness
	wires   []*testfaults.Wire
}

// send makes one call. Without a token it is another write of the same intents.
func (w *writing) send(h *hostel, token string) error {
	var list []entity.Operation
	for _, in := range w.intents {
		s := in.make(h)
		if w.single {
			return s.alone(w.t.Context(), token)
		}
		list = append(list, s.operation)
	}
	if token == "" {
		return tx.Write(w.t.Context(), list...)
	}
	return tx.WriteOnce(w.t.Context(), token, list...)
}

func (w *writing) run() {
	r, token := w.r, fmt.Sprint("token ", w.number)
	note := fmt.Sprint("note ", w.number)
	w.intents = []intent{intentOf(r, w.plain, note, w.db.Now())}
	if r.IntN(2) == 0 {
		if second := intentOf(r, w.plain, note, w.db.Now()); second.on != w.intents[0].on {
			w.intents = append(w.intents, second)
		}
	}
	w.name = w.intents[0].name
	if len(w.intents) == 2 {
		w.name += " + " + w.intents[1].name
	}
	w.single = len(w.intents) == 1 && w.intents[0].make(w.plain).alone != nil && r.IntN(2) == 0
	if !slices.ContainsFunc(w.intents, func(in intent) bool { return !strings.HasSuffix(in.name, ": check") }) {
		return // checks change nothing
	}
	probe := openHostel(w.t, w.db.Client(), w.db, w.tenant)
	in, err := tx.NewWrite(probe.bills.Op().Delete(bill{Tenant: "a", ID: "x"})).Once(token).Input()
	require.NoError(w.t, err)
	w.witness = &witness{db: w.db, token: *in.ClientRequestToken}
	for call := 0; ; call++ {
		err := w.call(token, call)
		w.judge(err, "call")
		if trestle.OutcomeOf(err) != trestle.Unknown && r.IntN(3) > 0 || call == 4 {
			break
		}
		w.between()
	}
	w.deliver()
	w.last(token)
	w.db.Advance(time.Duration(r.IntN(20)) * time.Second)
}

// call makes a call with a fault, as another process.
func (w *writing) call(token string, call int) error {
	r := w.r
	at, what := r.IntN(4), []testfaults.Fate{testfaults.Lose, testfaults.Lose, testfaults.Drop, testfaults.Delay}[r.IntN(4)]
	var rule *ddbtest.Rule
	switch r.IntN(6) {
	case 0:
		at = -1
	case 1:
		at = -1
		name := []string{"conflict", "throttled", "refused", "canceled"}[r.IntN(4)]
		effect := map[string]ddbtest.Effect{
			"conflict": ddbtest.Conflict, "throttled": ddbtest.Throttle(), "refused": ddbtest.Refused, "canceled": ddbtest.Cancel(0, "TransactionConflict"),
		}[name]
		options := []ddbtest.RuleOption{effect, ddbtest.First(1 + r.IntN(12))}
		if name == "conflict" || name == "canceled" {
			options = append(options, ddbtest.Op("TransactWriteItems"))
		}
		rule = w.db.Fail(options...)
		w.result.faults[name]++
	default:
		w.result.faults[[]string{"", "dropped", "lost", "delayed"}[what]]++
	}
	var sent atomic.Int64 // an attempt that was given up may still be sent
	wire := &testfaults.Wire{Decide: func(int, string) testfaults.Fate {
		if sent.Add(1)-1 == int64(at) {
			return what
		}
		return testfaults.Pass
	}}
	w.wires = append(w.wires, wire)
	client := wire.Client(w.db.Client(w.witness.install), 1+r.IntN(2))
	h := openHostel(w.t, client, w.db, w.tenant)
	if w.naive && call > 0 {
		token = ""
	}
	err := w.send(h, token)
	if rule != nil {
		rule.Remove()
	}
	return err
}

// between is what can happen between two calls.
func (w *writing) between() {
	r := w.r
	if r.IntN(3) == 0 {
		w.db.Advance(time.Duration(r.IntN(90)) * time.Second)
	}
	if r.IntN(2) == 0 { // another writer, sometimes of the same items
		other := intentOf(r, w.plain, fmt.Sprint("other ", r.Uint32()), w.db.Now())
		if s := other.make(w.plain); s.alone != nil {
			_ = s.alone(w.t.Context(), "")
		}
	}
	if r.IntN(3) == 0 {
		w.deliver()
	}
}

func (w *writing) deliver() {
	for _, wire := range w.wires {
		require.NoError(w.t, wire.Deliver())
	}
	w.wires = nil
}

// judge checks the outcome of a call.
func (w *writing) judge(err error, what string) {
	res, outcome := w.result, trestle.OutcomeOf(err)
	res.calls[w.name]++
	fail := func(text string) {
		res.violations = append(res.violations, fmt.Sprintf("write %d, %s, %s: %s: %v", w.number, w.name, what, text, err))
	}
	switch outcome {
	case trestle.Applied:
		res.applied[w.name]++
		if w.witness.ok == 0 {
			fail("it was not applied")
		}
	case trestle.NotApplied:
		res.denied[w.name]++
		if w.witness.ok > 0 {
			fail("it was applied")
		}
	default:
		res.unknown[w.name]++
		if !errors.Is(err, trestle.ErrUnknown) {
			fail("it is no ErrUnknown")
		}
	}
	if w.witness.changed > 1 {
		fail("it was applied twice")
	}
}

// last makes a call without faults, after all requests have arrived. If nothing was applied with
// the token, the call has the result of one without a token.
func (w *writing) last(token string) {
	client := w.db.Client(w.witness.install)
	if w.witness.ok > 0 {
		err := w.send(openHostel(w.t, client, w.db, w.tenant), token)
		if !w.naive {
			w.judge(err, "last call")
		}
		if trestle.OutcomeOf(err) == trestle.Unknown {
			w.result.mismatched[w.name]++
		}
		return
	}
	before := w.db.Snapshot()
	want := w.send(openHostel(w.t, w.db.Client(), w.db, w.tenant), "")
	wanted := w.state()
	w.db.Restore(before)
	err := w.send(openHostel(w.t, client, w.db, w.tenant), token)
	w.judge(err, "last call")
	w.result.final[strings.Join(kindsOf(err), ",")]++
	require.Equal(w.t, kindsOf(want), kindsOf(err), "write %d, %s: %v, but without a token %v", w.number, w.name, err, want)
	require.Equal(w.t, wanted, w.state(), "write %d, %s", w.number, w.name)
}

// state returns all items without their write IDs and times.
func (w *writing) state() string {
	list := w.db.Dump("hostel")
	for _, item := range list {
		for _, name := range []string{"_w", "updated", "until", "_seen"} {
			delete(item, name)
		}
	}
	return ddbtest.Items(list).DynamoDBJSON()
}

// A write with a token that is repeated, whatever happens to its requests and beside other writers,
// is applied at most once, and no call says that it was not applied after it was. The negative
// control plans each repetition anew, without the token.
func TestRepeatedTokensRandomly(t *testing.T) {
	t.Parallel()
	n := testsize.Sequential(200, 800, 3_000, 100_000)
	got := repeatRandomly(t, n, false)
	t.Logf("applied %d, not applied %d, unknown %d, repeated after it was applied with another request %d, faults %v, last calls %v",
		sum(got.applied), sum(got.denied), sum(got.unknown), sum(got.mismatched), got.faults, got.final)
	require.Empty(t, got.violations)
	for _, counts := range []map[string]int{got.applied, got.denied, got.unknown} {
		require.Greater(t, sum(counts), n/10)
	}
	require.Greater(t, sum(got.mismatched), n/100)
	if !testsize.Race {
		for _, kind := range []string{"", "not found", "exists", "condition", "taken"} {
			require.Positive(t, got.final[kind], kind)
		}
	}

	control := repeatRandomly(t, 400, true)
	denied := 0
	for _, v := range control.violations {
		if strings.Contains(v, "it was applied:") {
			denied++
		}
	}
	t.Logf("control: %d violations, %d of them deny what was applied", len(control.violations), denied)
	require.Positive(t, denied)
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
