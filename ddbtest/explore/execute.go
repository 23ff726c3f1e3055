package explore

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// errReset is what a client sees if its connection is reset.
var errReset = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}

// execute lets an action happen. It reports false if another action has the same effect: the fault
// could not act, or nobody woke.
func (r *run) execute(a *action) bool {
	if a.fault != 0 {
		r.used[a.fault]++
		r.faults++
	}
	if p := a.process; p != nil && !a.isLate() && !a.forced {
		if r.last != nil && r.last != p {
			r.switches++
		}
		r.last = p
	}
	if r.actor = a.process; a.process != nil {
		r.rested = false
	}
	r.skipped = a.deed == pause && a.pause > 0
	switch a.deed {
	case start:
		if !a.forced {
			r.tell(step{process: a.process, result: "starts"})
		}
		a.process.launch()
	case serve:
		return r.serve(a)
	case deliver, forget:
		r.late = slices.DeleteFunc(r.late, func(c *call) bool { return c == a.call })
		s := step{process: a.process, action: a, request: a.call.request}
		if a.deed == deliver {
			s.status, s.body, _ = r.apply(a)
		}
		r.tell(s)
	case elapse:
		return r.wake(a)
	case pause:
		return r.pause(a)
	}
	return true
}

// pause lets time pass, for the time of the action or until the next timer. It reports false if
// there is no timer.
func (r *run) pause(a *action) bool {
	if a.pause == 0 {
		if !r.idleFor(maxWait) {
			return false
		}
	} else {
		<-time.After(a.pause)
		r.rested = false
		r.tell(step{result: "time passes: " + a.pause.String()})
	}
	r.acted(Pause)
	return true
}

// serve lets the fault act on a waiting request, or serves it. It reports false if the fault could
// not act.
func (r *run) serve(a *action) bool {
	s := step{process: a.process, action: a, request: a.call.request}
	if a.fault == Crash {
		r.acted(Crash)
		r.tell(s)
		a.process.crash()
		return true
	}
	a.process.remove(a.call)
	if a.call.request == endOfClient {
		a.process.phase = ended
		return true
	}
	if a.call.request == beginOperation {
		a.process.extend(a.call.number, r.history.returned(), 0)
		r.tell(step{process: a.process, result: a.call.label})
		a.call.reply <- reply{}
		return true
	}
	answer := reply{err: errReset}
	switch a.fault {
	case LostRequest:
	case LateRequest:
		r.late = append(r.late, a.call)
	case LostReply:
		s.status, s.body, _ = r.apply(a)
	case StaleRead:
		s.status, s.body, answer.response = send(a.version.db, a.call)
	default:
		rules := r.addRules(a)
		s.status, s.body, answer.response = r.apply(a)
		s.plain = !r.removeRules(rules) // the request was invalid, or its token was used
	}
	if a.fault != 0 && !s.plain {
		r.acted(a.fault)
	}
	r.tell(s)
	if answer.response != nil {
		answer.err = nil
		a.process.extend(a.call.number, s.body, s.status)
	} else {
		a.process.extend(a.call.number, nil, resetStatus)
	}
	a.call.reply <- answer
	return !s.plain
}

// acted counts a fault that has acted.
func (r *run) acted(k Kind) { r.acts[k]++ }

// addRules adds the rules for a fault that is an effect on the execution or on the reply.
func (r *run) addRules(a *action) []*ddbtest.Rule {
	var effect ddbtest.Effect
	switch a.fault {
	case Throttle:
		effect = ddbtest.Throttle()
	case Conflict:
		return r.addConflict(a)
	case ServerError:
		effect = ddbtest.InternalError
	case ServerErrorAfter:
		effect = ddbtest.AfterCommit(ddbtest.InternalError)
	case Unprocessed:
		return r.addUndone(a)
	default:
		return nil
	}
	return []*ddbtest.Rule{r.db.Fail(ddbtest.Op(a.call.request.name), effect)}
}

// addConflict adds a rule for a conflict on the item of a write, or on one of a transaction.
func (r *run) addConflict(a *action) []*ddbtest.Rule {
	options := []ddbtest.RuleOption{ddbtest.Op(a.call.request.name), ddbtest.Conflict}
	if a.part > 0 {
		part := a.call.request.parts[a.part]
		if key, ok := r.keyOf(part); ok {
			options = append(options, ddbtest.OnTable(part.Table), ddbtest.OnKey(sdkvalue.Attributes(key)))
		}
	}
	return []*ddbtest.Rule{r.db.Fail(options...)}
}

// addUndone adds a rule for each part of a batch that is left undone.
func (r *run) addUndone(a *action) []*ddbtest.Rule {
	var rules []*ddbtest.Rule
	for i, part := range a.call.request.parts {
		if key, ok := r.keyOf(part); ok && a.undone(i) {
			rules = append(rules, r.db.Fail(ddbtest.Op(a.call.request.name), ddbtest.OnTable(part.Table),
				ddbtest.OnKey(sdkvalue.Attributes(key)), ddbtest.Unprocessed(1)))
		}
	}
	return rules
}

// keyOf returns the key of a part of a request.
func (r *run) keyOf(part engine.Target) (key value.Map, ok bool) {
	schema, ok := keySchema(r.db, part.Table)
	if !ok || !schema.Holds(part.Key) {
		return nil, false
	}
	return schema.Pick(part.Key), true
}

// removeRules removes the rules. It reports false if none of them acted.
func (r *run) removeRules(rules []*ddbtest.Rule) bool {
	if rules == nil {
		return true
	}
	acted := slices.ContainsFunc(rules, func(rule *ddbtest.Rule) bool { return rule.Hits() > 0 })
	r.db.ClearFaults()
	return acted
}

// apply sends a request to the database, and notes what it changed.
func (r *run) apply(a *action) (status int, body []byte, response *http.Response) {
	c := a.call
	if !c.request.writes {
		status, body, response = send(r.db, c)
		r.search.stats.reply(c, status, body)
		return status, body, response
	}
	// Of each search, only the first change needs a proof.
	compare := !r.changed && !r.search.asked
	var before [32]byte
	if compare {
		before = r.db.Hash()
	}
	status, body, response = send(r.db, c)
	r.search.stats.reply(c, status, body)
	r.changed = r.changed || !compare || r.db.Hash() != before
	if status == http.StatusOK || a.fault == ServerErrorAfter {
		r.keepVersion()
		if token := c.request.token; token != "" {
			r.applied = append(r.applied, token+" "+r.elapsed().String()+" "+c.request.canonical)
		}
	}
	return status, body, response
}

// send sends a request to a database.
func send(db *ddbtest.DB, c *call) (status int, body []byte, response *http.Response) {
	h := c.http.WithContext(context.Background()) // the client may have canceled its own
	h.Body, h.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
	response, err := db.HTTPClient().Transport.RoundTrip(h)
	if err != nil { // cannot happen without faults
		return 0, []byte(err.Error()), &http.Response{StatusCode: http.StatusInternalServerError, Body: http.NoBody}
	}
	body, err = io.ReadAll(response.Body)
	if err != nil {
		body = nil
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response.StatusCode, body, response
}

// version is an earlier content of the database.
type version struct {
	db      *ddbtest.DB
	replies map[*request][]byte
}

// keepVersion keeps the current content for stale reads.
func (r *run) keepVersion() {
	if r.search.options.Faults[StaleRead] > 0 {
		r.versions = append(r.versions, &version{db: r.db.Fork(), replies: map[*request][]byte{}})
	}
}

// reply returns what a read sees in this version.
func (v *version) reply(c *call) []byte {
	if body, ok := v.replies[c.request]; ok {
		return body
	}
	_, body, _ := send(v.db, c)
	v.replies[c.request] = body
	return body
}

// staleReads returns a fault for each reply that a read of an earlier version has, and that differs
// from the others.
func (r *run) staleReads(p *process, c *call) []*action {
	versions := r.versions
	if len(c.request.strong) > 0 {
		versions = r.mixedVersions(c.request)
	}
	newest := versions[len(versions)-1].reply(c)
	seen := map[string]bool{string(newest): true}
	var list []*action
	for i := len(versions) - 2; i >= 0; i-- {
		body := string(versions[i].reply(c))
		if seen[body] {
			continue
		}
		seen[body] = true
		list = append(list, &action{deed: serve, process: p, call: c, fault: StaleRead, variant: digest(body), version: versions[i]})
	}
	return list
}

// mixedVersions returns versions of the database in which the tables that the request reads
// strongly have their current content.
func (r *run) mixedVersions(q *request) (list []*version) {
	now := inspect.Store(r.db).Snapshot()
	for _, v := range r.versions {
		mixed := v.db.Fork()
		_ = inspect.Store(mixed).Update(func(s *store.State) error { // cannot fail
			for _, name := range q.strong {
				s.Tables[name] = now.Tables[name]
			}
			return nil
		})
		list = append(list, &version{db: mixed, replies: map[*request][]byte{}})
	}
	return list
}

// digest returns a short hash of a text.
func digest(text string) string {
	sum := hash([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// idleFor lets time pass until something happens, and for at most d. It reports false if nothing
// happened.
func (r *run) idleFor(d time.Duration) bool {
	from := r.elapsed()
	woken := r.waitEvent(d)
	r.rested = !woken
	r.tell(step{result: fmt.Sprint("time passes: ", r.elapsed()-from)})
	return woken
}
