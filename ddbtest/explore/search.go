package explore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
)

// Run runs the clients that f declares, again and again: each time with another order of their
// requests and with other faults, until every order was run or the search is cut off. f is called
// at the start of each run and declares the same each time.
//
// The first run that breaks an invariant ends the search and fails the test. The log shows its
// steps, and the schedule that repeats it ([Options.Replay]). The test also fails if it proves
// nothing: see [Report.Lacks]. A search that was cut off is logged, but fails the test only with
// [Report.Complete].
func Run(t ddbtest.TB, o Options, f func(w *World)) *Report {
	t.Helper()
	report := searchAll(t, o, f)
	report.log(t)
	return report
}

// Search is [Run] without a test: the report has the result.
func Search(o Options, f func(w *World)) *Report { return searchAll(nil, o, f) }

func searchAll(t ddbtest.TB, o Options, f func(w *World)) *Report {
	s := newSearch(t, o.withDefaults(defaultRuns), f)
	return s.report(func() {
		if o.Replay != "" {
			s.replay(o.Replay)
			return
		}
		s.searchAll()
	})
}

// search is a search with what its runs have in common.
type search struct {
	options  Options
	testName string
	test     ddbtest.TB // nil if there is none, or if it had failed before
	body     func(*World)

	base     *ddbtest.DB   // what Setup made, or nil
	setup    time.Duration // how long Setup took on the clock of the bubble
	requests *requestCache
	limit    limit
	ordered  bool // every order of requests matters: a client reads a stream

	quiet  map[localState]time.Duration // until when clients do nothing by themselves, if it is known
	tired  bool                         // clients wake more often than the search lets them
	sought map[localState]bool          // it was tried when the client wakes

	// What clients did after a reply, and after a pause: it depends on their replies alone.
	events, wakings map[localState]event
	shared          string // how clients share memory, so that every order matters, or ""
	together        bool   // the search takes it that clients share memory
	random          bool   // it is a Sample

	stats    stats
	asked    bool         // an invariant was checked after a change of the database
	invalid  error        // what is wrong with the options or the declarations
	progress atomic.Int64 // number of steps, for the watchdog
	cutOff   string
	tooLong  bool // a run had too many steps
	found    *run // the failed run
	failure  *Failure

	shortening int  // runs that looked for a shorter failure
	shortest   *run // not nil: the search goes on after a failure, for one with fewer steps
}

// limit is a bound of the runs while a failure is shortened.
type limit struct {
	faults   int
	switches int // -1 is no limit
}

func newSearch(t ddbtest.TB, o Options, f func(*World)) *search {
	s := &search{
		options: o, body: f, requests: newRequestCache(),
		limit: limit{faults: o.MaxFaults, switches: -1}, stats: newStats(), invalid: o.check(),
		quiet: map[localState]time.Duration{}, sought: map[localState]bool{}, events: map[localState]event{}, wakings: map[localState]event{},
	}
	if t != nil {
		s.testName = t.Name()
		if !t.Failed() {
			s.test = t
		}
	}
	return s
}

// report runs a search and reports it.
func (s *search) report(run func()) *Report {
	began := time.Now()
	defer s.watch()()
	if s.invalid == nil {
		s.prepare()
	}
	if s.invalid == nil {
		run()
	}
	if s.base != nil {
		s.base.Close()
	}
	return s.newReport(time.Since(began))
}

// prepare makes the database of which each run gets a copy.
func (s *search) prepare() {
	if s.options.Setup == nil {
		return
	}
	failed := ""
	err := bubble(func() {
		began := time.Now()
		s.base = ddbtest.New(s.options.Database)
		failed = guard(func() { s.options.Setup(s.base) })
		s.setup = time.Since(began)
	})
	switch {
	case failed != "":
		s.invalid = fmt.Errorf("Options.Setup: %s", failed)
	case err != nil:
		s.invalid = fmt.Errorf("Options.Setup: %w", err)
	case s.base.Err() != nil:
		s.invalid = fmt.Errorf("Options.Setup: %w", s.base.Err())
	case inspect.HasRules(s.base):
		s.invalid = errors.New("Options.Setup: the database has rules: name the kinds of faults in Options.Faults instead")
	}
}

// searchAll searches all runs, and shortens what it finds.
func (s *search) searchAll() {
	d := s.exhaust(s.options.MaxRuns)
	for s.needsOrder() && s.found == nil && s.invalid == nil {
		s.takeOrder()
		readsStream := s.stats.readsStream
		s.stats, s.asked, s.cutOff = newStats(), false, ""
		s.stats.readsStream = readsStream
		d = s.exhaust(s.options.MaxRuns)
	}
	s.stats.states = d.states
	s.repeatFirst(d.first)
	switch {
	case s.found != nil:
		s.cutOff = "a failure"
		s.takeOrder()
		s.shorten()
	case s.tired && s.cutOff == "":
		s.cutOff = tooOften()
	}
}

// needsOrder reports whether the search must start again with less reduction.
func (s *search) needsOrder() bool {
	return s.stats.readsStream && !s.ordered || s.shared != "" && !s.together
}

// takeOrder takes less reduction from now on, as far as it is needed: the order of records depends
// on the order of all writes, and clients that share memory depend on the steps of others.
func (s *search) takeOrder() {
	s.together = s.together || s.shared != ""
	s.ordered = s.ordered || s.stats.readsStream || s.together
}

// minRuns is how often the clients run at least, so that random numbers show.
const minRuns = 8

// repeatFirst repeats the first run of a short search. Its clients must send the same requests.
func (s *search) repeatFirst(nodes []node) {
	for n := s.stats.runs; n < minRuns && s.stats.runs > 0 && s.found == nil && s.invalid == nil && s.cutOff == ""; n++ {
		d := newDepthFirst(!s.options.NoReduction)
		for _, n := range nodes {
			d.stack = append(d.stack, &n)
		}
		d.fixed = true
		if r := s.play(d); s.failed(r, d) {
			s.found = r
		}
	}
}

// failed reports whether the run failed, or was not that of the driver.
func (s *search) failed(r *run, d *depthFirst) bool {
	if !r.failed() && s.invalid == nil && r.cut == "" && d.depth < len(d.stack) {
		r.failure = &broken{"the run ended, and an earlier run with the same steps did not" + repeatAdvice, true}
	}
	return r.failed()
}

// exhaust searches all runs within the limit, and at most so many runs.
func (s *search) exhaust(runs int) *depthFirst {
	d := newDepthFirst(!s.options.NoReduction)
	for n := 0; ; {
		if n == runs {
			s.cutOff = fmt.Sprintf("%d runs", runs)
			return d
		}
		r := s.play(d)
		s.failed(r, d)
		if d.first == nil {
			d.keepFirst()
		}
		if !r.probe {
			n++
		}
		if r.again && !r.failed() {
			d.depth = 0
			continue
		}
		if s.invalid != nil || s.ended(r) || !d.advance(s) {
			return d
		}
	}
}

// ended records the result of a run. It reports whether the search ends with it.
func (s *search) ended(r *run) bool {
	s.stats.add(r)
	if s.test != nil && !r.failed() && s.test.Failed() {
		r.failure = &broken{"the test failed during this run: use the World instead of the test in clients and invariants", true}
	}
	switch {
	case r.failed() && s.shortest != nil && !r.failure.divergent:
		if len(r.trace) < len(s.shortest.trace) {
			s.shortest = r
		}
		return false
	case r.failed():
		s.found = r
		return true
	case r.cut != "":
		s.cutOff, s.tooLong = r.cut, true
		return true
	default:
		return s.needsOrder()
	}
}

// play executes one run.
func (s *search) play(d driver) *run {
	r := &run{search: s, driver: d}
	err := bubble(func() {
		if s.setup > 0 {
			<-time.After(s.setup)
		}
		if s.base != nil {
			r.db = s.base.Fork()
		} else {
			r.db = ddbtest.New(s.options.Database)
		}
		r.play(s.body)
	})
	if err != nil && r.failure == nil && !r.probe {
		what := err.Error()
		if r.leaked != nil {
			what = r.leaked.name + ": " + what
		}
		r.failure = &broken{what: what}
	}
	return r
}

// guard calls a function of the test in a goroutine of its own, because it may panic or end its
// goroutine. It returns how it ended in such a way, or "".
func guard(f func()) (failed string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			switch p := recover(); {
			case returned:
			case p != nil:
				failed = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
			default:
				failed = "its goroutine ended, as by FailNow of a test: use the World instead of the test"
			}
		}()
		f()
		returned = true
	}()
	<-done
	return failed
}

// bubble calls f in a new bubble of testing/synctest. It returns an error if goroutines of the
// bubble do not end.
func bubble(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("goroutines do not end with their client or its context: %v", p)
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) { f() })
	return nil
}

// stats counts what happened in all runs.
type stats struct {
	runs, states, longest int
	acted                 [kinds]int
	clients               []string // names, in the order of their declaration
	operations            map[string]map[string]*operationStats
	readsStream           bool

	reads   bool                     // a client reads items
	gaveUp  map[string]bool          // the clients that no longer waited for a reply
	timed   map[string]bool          // the clients whose requests have deadlines
	without map[string]map[Kind]bool // by client: the faults that cannot act on its PartiQL statements
	paused  time.Duration            // the longest pause of a client

	outOfReach bool // a client pauses beyond the deadlines of too many requests
}

// operationStats counts the requests of one operation of one client.
type operationStats struct {
	succeeded bool
	wrote     bool   // a write succeeded
	writes    bool   // a client writes by it
	refused   string // the last error that is no outcome of the data: its code and message
}

func newStats() stats {
	return stats{
		operations: map[string]map[string]*operationStats{}, timed: map[string]bool{}, gaveUp: map[string]bool{},
		without: map[string]map[Kind]bool{},
	}
}

// add counts a run.
func (s *stats) add(r *run) {
	if r.probe {
		return
	}
	s.runs++
	for k, n := range r.acts {
		s.acted[k] += n
	}
	s.longest = max(s.longest, len(r.trace))
}

// send counts a request.
func (s *stats) send(c *call) {
	name := c.process.name
	if s.operations[name] == nil {
		s.operations[name] = map[string]*operationStats{}
	}
	if c.request != beginOperation && s.operations[name][c.request.name] == nil {
		s.operations[name][c.request.name] = new(operationStats)
	}
	if c.request.changes() {
		s.operations[name][c.request.name].writes = true
	}
	s.readsStream = s.readsStream || c.request.operation.streams
	s.reads = s.reads || c.request.selects || c.request.operation.items && !c.request.operation.writes
	for _, k := range c.request.without {
		if s.without[name] == nil {
			s.without[name] = map[Kind]bool{}
		}
		s.without[name][k] = true
	}
	if c.timed() {
		s.timed[name] = true
	}
}

// reply counts a reply.
func (s *stats) reply(c *call, status int, body []byte) {
	o := s.operations[c.process.name][c.request.name]
	refused := ""
	if c.request.name == "BatchExecuteStatement" {
		refused = refusedStatements(body)
	}
	switch code := errorCode(body); {
	case refused != "":
		o.refused = refused
	case status == http.StatusOK:
		o.succeeded, o.wrote = true, o.wrote || c.request.changes()
	case !slices.Contains(outcomes, code) || bytes.Contains(body, []byte(`"ValidationError"`)):
		o.refused = code + ": " + errorMessage(body)
	}
}

// outcomes are the codes of errors that a correct request may have, depending on the data.
var outcomes = []string{
	"ConditionalCheckFailedException", "TransactionCanceledException", "TransactionConflictException",
	"TransactionInProgressException", "IdempotentParameterMismatchException", "ResourceInUseException",
}

func (s *stats) faults() Faults {
	f := Faults{}
	for k, n := range s.acted {
		if n > 0 {
			f[Kind(k)] = n
		}
	}
	return maps.Clone(f)
}
