package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
)

// run is one execution of the clients, in a bubble of testing/synctest. One goroutine, the
// scheduler, lets one thing happen at a time and then waits until all clients wait.
type run struct {
	search *search
	driver driver
	db     *ddbtest.DB
	began  time.Time

	processes []*process
	always    []func(*ddbtest.DB) error
	finally   []func(*ddbtest.DB) error
	faulty    []error // mistakes of the declarations
	declared  bool    // the declarations are complete

	used     [kinds]int // faults so far
	acts     [kinds]int // those that acted
	faults   int        // sum of used
	switches int        // how often the process changed from step to step
	last     *process   // of the last step
	late     []*call    // requests that are applied later
	versions []*version // what stale reads may see, the oldest first
	applied  []string   // transactions with tokens that were applied, and when
	changed  bool       // a write was applied
	rested   bool       // time has passed last, and nobody woke
	skipped  bool       // time has passed last, and somebody may have woken more than once
	wakes    int        // how often time has passed beside requests that wait, without a fault
	probe    bool       // the run only showed that nobody wakes
	again    bool       // the run must be repeated, now that more is known
	actor    *process   // of the last step; nil: time has passed
	steps    []step
	trace    []string // names of the chosen actions
	cut      string   // why the run did not end
	leaked   *process // it did not end after the run

	// These are guarded by mu, because clients use them.
	mu       sync.Mutex
	event    chan struct{} // has a value after something happened
	failure  *broken
	closed   bool // the run has ended: later failures do not count
	cleanups []func()
	notes    []string
	sources  uint64
	history  *History
}

// broken is what is wrong in a failed run.
type broken struct {
	what      string
	divergent bool // a client does not repeat itself
}

// maxWait is how long the clock may go on without a request. A client that waits longer hangs.
const maxWait time.Duration = 30 * 24 * time.Hour

// play executes the run.
func (r *run) play(body func(*World)) {
	r.began, r.event = time.Now(), make(chan struct{}, 1)
	defer r.stop()
	w := &World{r}
	r.await("the declaration", func() { body(w) })
	if r.failed() || !r.check() {
		return
	}
	r.keepVersion()
	for !r.failed() && r.step() {
		if len(r.steps) > r.search.options.MaxSteps {
			r.cut = fmt.Sprintf("a run of more than %d steps", r.search.options.MaxSteps)
			return
		}
	}
}

// step lets one thing happen. It reports false at the end of the run.
func (r *run) step() bool {
	r.settle()
	r.search.progress.Add(1)
	if !r.driver.repeats() {
		r.ask("Always", r.always)
	}
	if r.failed() {
		return false
	}
	actions := r.actions()
	if len(actions) == 0 {
		if r.pending() {
			return r.pass()
		}
		r.ask("Finally", r.finally)
		return false
	}
	if actions[0].forced {
		return r.execute(actions[0])
	}
	a, ok := r.driver.next(r, actions)
	if !ok || r.failed() {
		r.learnAtEnd(actions)
		return false
	}
	r.trace = append(r.trace, a.name())
	return r.execute(a) || !r.probe && !r.driver.prunes()
}

// settle waits until all clients wait for replies or timers. A timer of zero, as the SDK has
// between two attempts, expires only if time passes.
func (r *run) settle() {
	for first := true; ; first = false {
		synctest.Wait()
		before, idle := r.arrivals(), false
		for _, p := range r.processes {
			r.observe(p, first && r.actor != nil)
			idle = idle || p.idle()
		}
		if !idle {
			break
		}
		<-time.After(1)
		synctest.Wait()
		if r.arrivals() == before {
			break
		}
	}
	for _, p := range r.processes {
		p.collect()
		if p.phase != crashed {
			r.dropAbandoned(p)
		}
	}
}

// arrivals counts the requests and the ends of clients so far.
func (r *run) arrivals() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, p := range r.processes {
		n += p.calls + len(p.arrived)
		if p.over {
			n++
		}
	}
	return n
}

// dropAbandoned moves the writes whose client no longer waits to those that are applied later.
func (r *run) dropAbandoned(p *process) {
	for i := 0; i < len(p.waiting); {
		c := p.waiting[i]
		if c.gone == nil || c.gone() == nil {
			i++
			continue
		}
		p.remove(c)
		p.extend(c.number, nil, goneStatus)
		r.search.stats.gaveUp[p.name] = true
		r.tell(step{process: p, request: c.request, result: "the client no longer waits for the reply"})
		if c.request.writes {
			c.abandoned = true
			r.late = append(r.late, c)
		}
	}
}

// pending reports whether a client has not ended.
func (r *run) pending() bool {
	for _, p := range r.processes {
		if p.phase == running {
			return true
		}
	}
	return false
}

// pass lets time pass until something happens.
func (r *run) pass() bool {
	r.actor, r.skipped = nil, false
	from := r.elapsed()
	if !r.waitEvent(maxWait) {
		var names []string
		for _, p := range r.processes {
			if p.phase == running {
				names = append(names, p.name)
			}
		}
		r.fail(nil, fmt.Sprintf("%v: waits for something that never happens", names))
		return false
	}
	synctest.Wait()
	if d := r.elapsed() - from; d > 0 {
		r.tell(step{result: "time passes: " + d.String()})
	}
	return true
}

// waitEvent waits until a client sends a request or ends, and for at most d.
func (r *run) waitEvent(d time.Duration) bool {
	select {
	case <-r.event: // of an earlier step
	default:
	}
	timer := time.NewTimer(d + sameMoment)
	defer timer.Stop()
	select {
	case <-r.event:
		<-time.After(sameMoment)
		return true
	case <-timer.C:
		return false
	}
}

// sameMoment is how far apart timers may be that expire at the same moment: the steps between their
// starts take some nanoseconds.
const sameMoment = 10 * time.Microsecond

func (r *run) notify() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notifyLocked()
}

func (r *run) notifyLocked() {
	select {
	case r.event <- struct{}{}:
	default:
	}
}

// await calls a function of the test.
func (r *run) await(name string, f func()) {
	if problem := guard(f); problem != "" {
		r.fail(nil, name+": "+problem)
	}
}

// ask checks invariants.
func (r *run) ask(name string, invariants []func(*ddbtest.DB) error) {
	if len(invariants) == 0 || r.failed() {
		return
	}
	r.search.asked = r.search.asked || r.changed
	r.await(name, func() {
		for _, f := range invariants {
			if err := f(r.db); err != nil {
				r.fail(nil, name+": "+err.Error())
				return
			}
		}
	})
}

// fail records what is wrong. Only the first failure of a run counts.
func (r *run) fail(p *process, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure != nil || r.closed {
		return
	}
	if p != nil {
		what = p.name + ": " + what
	}
	r.failure = &broken{what: what}
}

func (r *run) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure != nil
}

// invalid records a mistake of the declaration.
func (r *run) invalid(format string, args ...any) {
	r.faulty = append(r.faulty, fmt.Errorf(format, args...))
}

// declares reports whether an invariant can be declared.
func (r *run) declares(what string, isNil bool) bool {
	switch {
	case r.declared:
		r.fail(nil, "World."+what+" was called after the start of the run")
	case isNil:
		r.invalid("%s: the function is nil", what)
	default:
		return true
	}
	return false
}

// declare adds a client.
func (r *run) declare(name string, restartOf *process, f func(context.Context, *dynamodb.Client), options []func(*dynamodb.Options)) {
	switch {
	case r.declared:
		r.fail(nil, "World.Client or World.Restart was called after the start of the run")
		return
	case !isName(strings.TrimSuffix(name, restarted)):
		r.invalid("Client(%q): a name has up to %d letters, digits, hyphens and underscores", name, maxName)
	case f == nil:
		r.invalid("Client(%q): the function is nil", name)
	}
	for _, p := range r.processes {
		if p.name == name {
			r.invalid("Client(%q): the name is used twice", name)
		}
	}
	p := &process{run: r, name: name, body: f, options: options, restartOf: restartOf}
	p.tokens.name = name
	r.processes = append(r.processes, p)
}

// check validates the declarations. It reports whether the run can start.
func (r *run) check() bool {
	if len(r.processes) == 0 {
		r.invalid("there is no client: declare one with World.Client")
	}
	if len(r.always)+len(r.finally) == 0 {
		r.invalid("there is no invariant: declare one with World.Always or World.Finally")
	}
	if inspect.HasRules(r.db) {
		r.invalid("the database has rules: name the kinds of faults in Options.Faults instead")
	}
	if err := r.db.Err(); err != nil {
		r.invalid("%w", err)
	}
	r.search.invalid = errors.Join(r.faulty...)
	r.declared = true
	return r.search.invalid == nil && r.sameClients()
}

// sameClients fails the run if its clients are not those of the first run.
func (r *run) sameClients() bool {
	var names []string
	for _, p := range r.processes {
		names = append(names, p.name)
	}
	s := &r.search.stats
	if s.clients == nil {
		s.clients = names
	}
	if !slices.Equal(s.clients, names) {
		r.diverged(fmt.Sprintf("the clients of the first run were %s, and now they are %s", s.clients, names))
		return false
	}
	return true
}

// note adds a line to the story.
func (r *run) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.notes = append(r.notes, text)
	}
}

// close ends the run: later failures do not count.
func (r *run) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// stop ends all clients and the database. What clients do from now on is not part of the run.
func (r *run) stop() {
	r.close()
	for _, p := range r.processes {
		if p.done == nil {
			continue
		}
		p.stop() // one after the other, so that they never run at the same time
		select {
		case <-p.done:
		case <-time.After(maxWait):
			r.leaked = p
		}
	}
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.await("Cleanup", r.cleanups[i])
	}
	r.db.Close()
}
