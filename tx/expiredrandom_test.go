package tx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/tx"
)

func oneOf[E any](r *rand.Rand, list ...E) E { return list[r.IntN(len(list))] }

func percent(r *rand.Rand, n int) bool { return r.IntN(100) < n }

// randomExpirable returns a random operation. Most of its versions and counts are those stored.
func randomExpirable(r *rand.Rand, m *expirableModel) expirableCall {
	kind := oneOf(r, "room", "hall", "guest", "guest", "guest", "pass", "pass", "card", "card")
	k, id := m.kinds[kind], oneOf(r, "a", "b", "c")
	verbs := []string{"create", "put", "put", "overwrite", "update", "update", "upsert", "upsert", "delete", "check"}
	if k.unique {
		verbs = append(verbs, "move")
	}
	c := expirableCall{kind: kind, id: id, verb: oneOf(r, verbs...)}
	stored := m.items[kind+id]
	c.e = expirable{N: r.IntN(2)}
	if k.unique {
		c.e.Code = oneOf(r, "", "x", "y", "z")
	}
	if k.counted {
		c.e.Room = oneOf(r, "", "a", "b", "c")
	}
	if k.counted || kind == "pass" {
		c.e.Hall = oneOf(r, "", "a", "b", "c")
	}
	if k.ttl {
		c.e.Expires = m.now + oneOf[int64](r, -m.now, 30, 60, 60, 120)
		if percent(r, 4) {
			c.e.Expires = m.now - 10
		}
	}
	if k.counts && (c.verb == "put" || c.verb == "overwrite") {
		c.e.Guests = stored.Guests
		if percent(r, 10) {
			c.e.Guests = r.IntN(3)
		}
	}
	if k.version && (c.verb == "put" || percent(r, 40)) && c.verb != "create" {
		c.e.Version = stored.Version
		if percent(r, 15) {
			c.e.Version = r.Int64N(4)
		}
	}
	if percent(r, 20) && c.verb != "create" && c.verb != "overwrite" {
		n := r.IntN(2)
		c.cond = &n
	}
	switch c.verb {
	case "move":
		for c.to = id; c.to == id; {
			c.to = oneOf(r, "a", "b", "c")
		}
	case "update", "upsert":
		c.changed(r, k)
	}
	return c
}

// changed chooses the changes of an update.
func (c *expirableCall) changed(r *rand.Rand, k expirableKind) {
	e := c.e
	c.n = &e.N
	if k.unique && percent(r, 50) {
		c.code = &e.Code
	}
	if k.counted && percent(r, 50) {
		c.room = &e.Room
	}
	if (k.counted || k.name == "pass") && percent(r, 50) {
		c.hall = &e.Hall
	}
	if k.ttl && percent(r, 50) {
		c.expires = &e.Expires
		if e.Expires == 0 {
			c.expires = nil
		}
	}
}

// String returns a summary of the call.
func (c expirableCall) String() string {
	text := fmt.Sprintf("%s of %s %s", c.verb, c.kind, c.id+c.to)
	if c.e.Version != 0 {
		text += fmt.Sprintf(" version %d", c.e.Version)
	}
	if c.cond != nil {
		text += fmt.Sprintf(" if n = %d", *c.cond)
	}
	if c.verb == "update" || c.verb == "upsert" {
		for name, s := range map[string]*string{"code": c.code, "room": c.room, "hall": c.hall} {
			if s != nil {
				text += fmt.Sprintf(" %s=%q", name, *s)
			}
		}
		if c.expires != nil {
			text += fmt.Sprintf(" expires=%d", *c.expires)
		}
		return text
	}
	return text + fmt.Sprintf(" %+v", c.e)
}

// expirableStep is one step of the random test.
type expirableStep struct {
	calls []expirableCall
	route string // how they are sent
	race  *expirableCall
	fault *testfaults.Fault
	busy  string        // the reason of further actions if it is canceled; empty: none
	wait  time.Duration // after it
}

// String returns a summary of the step.
func (s expirableStep) String() string {
	text := s.route
	for _, c := range s.calls {
		text += "\n    " + c.String()
	}
	if s.race != nil {
		text += "\nraced by " + s.race.String()
	}
	if s.fault != nil {
		text += "\nwith " + s.fault.Name
	}
	if s.busy != "" {
		text += "\nwith " + s.busy
	}
	return text
}

func randomExpirableStep(r *rand.Rand, m *expirableModel) expirableStep {
	s := expirableStep{route: oneOf(r, "transaction", "transaction", "transaction", "once", "alone", "batch")}
	n := 1 + r.IntN(4)
	if s.route == "alone" || s.route == "batch" {
		n = 1
	}
	for range n {
		s.calls = append(s.calls, randomExpirable(r, m))
	}
	if n == 1 && s.calls[0].verb == "check" {
		s.route = "transaction"
	}
	switch {
	case percent(r, 20):
		c := randomExpirable(r, m)
		if near := oneOf(r, s.calls...); percent(r, 70) && c.kind == near.kind {
			c.id = near.id
		}
		if c.verb != "move" && c.verb != "check" {
			s.race = &c
		}
	case percent(r, 8):
		f := oneOf(r, testfaults.All()...)
		s.fault = &f
	}
	if percent(r, 20) {
		s.busy = oneOf(r, "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded")
	}
	if percent(r, 25) {
		s.wait = time.Duration(1+r.IntN(90)) * time.Second
	}
	return s
}

// send sends the operations of a step.
func (w *expirableWorld) send(ctx context.Context, s *expirableStep) error {
	var list []entity.Operation
	var alone func(context.Context) error
	for i := range s.calls {
		o, do := w.types[s.calls[i].kind].op(&s.calls[i])
		list, alone = append(list, o), do
	}
	switch s.route {
	case "alone":
		return alone(ctx)
	case "batch":
		return entity.WriteMany(ctx, slices.Values(list))
	case "once":
		w.tokens++
		return tx.WriteOnce(ctx, fmt.Sprint("token ", w.tokens), list...)
	default:
		return tx.Write(ctx, list...)
	}
}

// expirableResult is the result of a step.
type expirableResult struct {
	failed map[int]error
	sent   bool // all of them were sent
	err    error
}

// run runs a step, and compares its result and the table with the model.
func (w *expirableWorld) run(t *testing.T, s *expirableStep) (expirableResult, error) {
	t.Helper()
	w.sweep(t)
	before := w.clone()
	raced := before
	if s.race != nil {
		w.transport.before = func() {
			_, alone := w.types[s.race.kind].op(s.race)
			err := alone(t.Context())
			raced = before.clone()
			if failed, _ := raced.apply([]expirableCall{*s.race}); !failed.include(0, sentinelOf(t, err)) {
				raced = nil
			}
		}
	}
	w.transport.Fault.Store(s.fault)
	if s.busy != "" {
		w.transport.reasons = func(list []reason) bool { return busy(list, s.busy) }
	}
	err := w.send(t.Context(), s)
	w.transport.before, w.transport.reasons = nil, nil
	w.transport.Fault.Store(nil)
	if raced == nil {
		return expirableResult{}, errors.New("the result of the other writer is wrong")
	}
	result := expirableResult{err: err}
	result.failed, result.sent = failuresOf(t, err)
	if s.busy != "" { // actions that only were busy have no sentinel error
		maps.DeleteFunc(result.failed, func(_ int, err error) bool { return err == nil })
	}
	after := raced.clone()
	want, valid := after.apply(s.calls)
	switch {
	case !valid && err != nil: // because of the other writer
		w.expirableModel = raced
	case trestle.OutcomeOf(err) == trestle.Unknown && s.fault != nil:
		if w.expirableModel = after; w.check(t) != nil {
			w.expirableModel = raced
		}
	case err == nil && len(want) > 0:
		return result, fmt.Errorf("it was applied, although %v fail", want)
	case err == nil:
		w.expirableModel = after
	case s.fault != nil && len(want) == 0 && trestle.OutcomeOf(err) == trestle.NotApplied && sentinelOf(t, err) == nil:
		w.expirableModel = raced
	default:
		earlier, _ := before.clone().apply(s.calls)
		if w.expirableModel = raced; !agrees(result, want) && !agrees(result, earlier) {
			return result, fmt.Errorf("the error is %w, and not that %v fail", err, want)
		}
	}
	return result, w.check(t)
}

// busy gives every second action without a reason another one, as DynamoDB does if it cannot write
// the items at the moment.
func busy(list []reason, code string) bool {
	changed := false
	for i := range list {
		if string(list[i]["Code"]) == `"None"` && i%2 == 0 {
			list[i], changed = reason{"Code": json.RawMessage(`"` + code + `"`), "Message": json.RawMessage(`"m"`)}, true
		}
	}
	return changed
}

// accepts reports whether the library sends the operations of a step together.
func (w *expirableWorld) accepts(s *expirableStep) bool {
	_, valid := w.clone().apply(s.calls)
	return valid
}

// include reports whether an operation may fail with an error, or succeed if it is nil.
func (f failings) include(i int, err error) bool {
	return err == nil && len(f[i]) == 0 || slices.ContainsFunc(f[i], func(may error) bool { return errors.Is(err, may) })
}

// agrees reports whether operations failed as they had to. If an operation failed before anything
// was sent, others may have failed too.
func agrees(r expirableResult, want failings) bool {
	if len(r.failed) == 0 || r.sent && len(r.failed) != len(want) {
		return false
	}
	for i, err := range r.failed {
		if len(want[i]) == 0 || !want.include(i, err) {
			return false
		}
	}
	return true
}

// expirableCounts is how often a run reached a case, by its name.
type expirableCounts map[string]int

// note counts the cases of a step in the world that keeps its expired items.
func (n expirableCounts) note(s *expirableStep, dead map[string]bool, r expirableResult) {
	if s.race != nil {
		n["raced"]++
	}
	if s.busy != "" && r.err != nil {
		n["busy"]++
	}
	if len(s.calls) > 1 && len(r.failed) > 0 && len(r.failed) < len(s.calls) {
		n["some failed"]++
	}
	for i := range s.calls {
		c := &s.calls[i]
		if !slices.ContainsFunc(c.keys(), func(key string) bool { return dead[key] }) {
			continue
		}
		switch {
		case r.err == nil:
			n[c.verb+" of an expired item"]++
		case r.failed[i] != nil:
			n["refused "+c.verb+" of an expired item"]++
		default:
			n["innocent "+c.verb+" of an expired item"]++
		}
	}
}

// deadKeys returns the keys of the items that have expired, and are stored.
func (w *expirableWorld) deadKeys(t *testing.T) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	for _, item := range w.stored(t) {
		if kind, id, ok := strings.Cut(text(item["PK"]), "#"); ok && w.dead(item) && item["_owner"] == nil {
			keys[strings.ToLower(kind)+id] = true
		}
	}
	return keys
}

// Transactions with several operations, and operations alone, have the results and the effects of a
// model that knows neither expired items nor NULL: which operations failed, with which sentinel
// error, and what is stored afterwards, with guards and counts. Another writer changes items
// meanwhile, requests and replies are lost, and further actions of a canceled transaction conflict
// or are throttled. A write of a table with expired items has the same result as one of a table
// from which they are deleted. A transaction that fails deletes no expired item.
func TestTransactionsTreatExpiredItemsAsNone(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		keeps, clean := newExpirableWorld(t, e, false), newExpirableWorld(t, e, true)
		counts := expirableCounts{}
		steps := e.Size(1500, 6000, 100000)
		if e.Name == engines.DynamoDBLocal {
			steps /= 5
		}
		for i := range steps {
			s := randomExpirableStep(r, keeps.expirableModel)
			if !keeps.accepts(&s) || !clean.accepts(&s) {
				continue
			}
			if percent(r, 20) && keeps.nullify(t, r) {
				counts["NULL"]++
			}
			dead, before, same := keeps.deadKeys(t), keeps.items, maps.Equal(keeps.items, clean.items)
			one, err := keeps.run(t, &s)
			require.NoError(t, err, "step %d: %v, expired: %v, of %v", i, s, dead, before)
			before = clean.items
			two, err := clean.run(t, &s)
			require.NoError(t, err, "step %d: %v of %v", i, s, before)
			if same && s.race == nil && s.fault == nil {
				require.Equal(t, two.failed, one.failed, "step %d: %v, expired: %v, of %v", i, s, dead, before)
			}
			if one.err != nil && s.race == nil && s.fault == nil {
				require.Equal(t, dead, keeps.deadKeys(t), "step %d: %v of %v", i, s, before)
			}
			counts.note(&s, dead, one)
			clean.time = keeps.time
			keeps.pass(t, s.wait)
			clean.pass(t, s.wait)
		}
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			t.Logf("%-40s %d", name, counts[name])
		}
		if steps < 1500 {
			return
		}
		for _, name := range []string{
			"create of an expired item", "put of an expired item", "overwrite of an expired item", "upsert of an expired item", "delete of an expired item",
			"refused update of an expired item", "refused check of an expired item", "refused move of an expired item", "refused delete of an expired item",
			"refused put of an expired item", "refused upsert of an expired item", "innocent upsert of an expired item", "innocent put of an expired item",
			"move of an expired item", "raced", "some failed", "busy", "NULL",
		} {
			require.NotZero(t, counts[name], name)
		}
	})
}

// The negative control of TestTransactionsTreatExpiredItemsAsNone: writes that take expired items
// as they are.
func TestExpiredItemsAreFound(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	w := newExpirableWorld(t, engines.Engine{Name: engines.InProcess}, false, entity.ShowExpired())
	for i := range 1500 {
		s := randomExpirableStep(r, w.expirableModel)
		s.race, s.fault = nil, nil
		if !w.accepts(&s) {
			continue
		}
		dead := w.deadKeys(t)
		if _, err := w.run(t, &s); err != nil {
			t.Logf("step %d finds it", i)
			require.NotEmpty(t, dead, "%v: %v", s, err)
			return
		}
		w.pass(t, s.wait)
	}
	t.Fatal("the test finds no expired item")
}
