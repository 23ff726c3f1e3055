package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// phase is how far a process is.
type phase uint8

const (
	unstarted phase = iota
	running
	ended
	crashed
)

// process is a client in one run, or the client that is started again after its crash.
type process struct {
	run       *run
	name      string
	body      func(context.Context, *dynamodb.Client)
	options   []func(*dynamodb.Options)
	restartOf *process // the client after whose crash it starts, or nil

	// The scheduler reads and writes these, while the process waits.
	phase   phase
	chain   [32]byte  // hash of the replies so far, and of their times
	exact   [32]byte  // the same with the times in nanoseconds
	ending  bool      // its function has ended, and it may crash
	calls   int       // number of requests so far
	rests   time.Time // since when it has done nothing
	waiting []*call   // in the order of their numbers
	tokens  tokens    // that the SDK's client made
	cancel  context.CancelFunc
	done    chan struct{}

	// The goroutines of the process write these. They are guarded by run.mu.
	arrived []*call
	dead    bool // it has crashed, or the run has ended
	stopped bool // the run has ended: all requests fail
	refused int  // requests since then
	over    bool // its function has ended
	gaveUp  bool // it no longer waits for a reply
}

// acted reports whether the process has done something since the last step.
func (p *process) acted() bool { return len(p.arrived) > 0 || p.over || p.gaveUp }

// origin returns the client that the process continues, or the process itself.
func (p *process) origin() *process {
	if p.restartOf != nil {
		return p.restartOf
	}
	return p
}

// call is a request that waits for its reply.
type call struct {
	process *process
	number  int // among the requests of its process, from 1
	request *request
	http    *http.Request
	body    []byte
	reply   chan reply   // has room for the one reply
	gone    func() error // the error of the client's context: it no longer waits

	label     string // of an operation of a history: what the story tells
	abandoned bool   // the client no longer waits, and the request may be applied later or never
}

// reply is what the client gets for a request.
type reply struct {
	response *http.Response
	err      error
}

// launch starts the goroutine of the process.
func (p *process) launch() {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), processKey{}, p))
	p.phase, p.cancel, p.done = running, cancel, make(chan struct{})
	p.extend(0, nil, 0)
	go func() {
		defer close(p.done)
		problem := guard(func() { p.body(ctx, dynamodb.New(p.sdkOptions(), p.options...)) })
		p.run.mu.Lock()
		p.over = true
		p.run.mu.Unlock()
		if problem != "" {
			p.run.fail(p, problem)
		}
		p.run.notify()
	}()
}

// The status of a request without a reply.
const (
	resetStatus = 1
	goneStatus  = 2 // the client no longer waits
)

// extend adds the reply to one of its requests to the history of the process.
func (p *process) extend(number int, body []byte, status int) {
	reply := sha256.New()
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], uint64(status))
	binary.BigEndian.PutUint64(b[8:], uint64(number))
	reply.Write(b[:])
	reply.Write(body)
	next := func(chain *[32]byte, at time.Duration) {
		h := sha256.New()
		h.Write(chain[:])
		binary.BigEndian.PutUint64(b[:], uint64(at))
		h.Write(b[:8])
		h.Write(reply.Sum(nil))
		h.Sum(chain[:0])
	}
	next(&p.chain, p.run.elapsed())
	next(&p.exact, time.Since(p.run.began))
	p.rests = time.Now()
}

// collect numbers the requests that arrived since the last step. Those of one moment are in the
// order of their text, because the order of goroutines does not repeat itself.
func (p *process) collect() {
	p.run.mu.Lock()
	if p.dead {
		p.run.mu.Unlock()
		return
	}
	arrived := p.arrived
	if p.acted() && p.idle() {
		p.run.search.stats.paused = max(p.run.search.stats.paused, time.Since(p.rests).Truncate(time.Millisecond))
	}
	p.arrived, p.gaveUp = nil, false
	ends := p.over && p.phase == running
	p.run.mu.Unlock()
	if ends {
		defer p.end()
	}
	if len(arrived) == 0 {
		return
	}
	requests := p.run.search.requests
	for _, c := range arrived {
		if c.request == nil {
			c.request = requests.get(p.run.db, c.http, p.tokens.hide(c.body))
		}
	}
	slices.SortStableFunc(arrived, func(a, b *call) int { return cmp.Compare(a.request.canonical, b.request.canonical) })
	for _, c := range arrived {
		p.calls++
		c.number = p.calls
		if c.http != nil {
			c.body = p.tokens.replace(c.body)
			c.request = requests.get(p.run.db, c.http, c.body)
		}
		p.run.search.stats.send(c)
	}
	p.waiting = append(p.waiting, arrived...)
}

// endOfClient is the request for which a client waits that has returned, if it may crash before it
// does anything else, and is then started again.
var endOfClient = &request{name: "end", canonical: "end"}

// end ends the process, whose function has returned.
func (p *process) end() {
	again := slices.ContainsFunc(p.run.processes, func(other *process) bool { return other.restartOf == p })
	if !again || !p.run.allowed(Crash) {
		p.phase = ended
		return
	}
	if !p.ending {
		p.ending = true
		p.calls++
		p.waiting = append(p.waiting, &call{process: p, number: p.calls, request: endOfClient, reply: make(chan reply, 1)})
	}
}

// remove removes a call that no longer waits.
func (p *process) remove(c *call) {
	p.waiting = slices.DeleteFunc(p.waiting, func(other *call) bool { return other == c })
}

// lives reports whether the function of the process has not ended.
func (p *process) lives() bool { return p.phase == running && !p.ending }

// idle reports whether the process runs but has no request waiting: it waits for a timer, or for
// another goroutine.
func (p *process) idle() bool { return p.phase == running && len(p.waiting) == 0 }

// crash ends the process for the rest of the run: its requests are not sent, and get no reply.
func (p *process) crash() {
	p.phase = crashed
	p.run.mu.Lock()
	p.dead = true
	p.run.mu.Unlock()
}

// stop ends the goroutines of the process after the run: all requests fail.
func (p *process) stop() {
	p.run.mu.Lock()
	p.dead, p.stopped = true, true
	waiting := append(p.waiting, p.arrived...)
	p.waiting, p.arrived = nil, nil
	p.run.mu.Unlock()
	for _, c := range waiting {
		c.reply <- reply{err: context.Canceled}
	}
	if p.cancel != nil {
		p.cancel()
	}
}

// RoundTrip implements [http.RoundTripper]: the request waits until the search serves it.
func (p *process) RoundTrip(h *http.Request) (*http.Response, error) {
	body, err := readBody(h)
	if err != nil {
		return nil, err
	}
	r := p.wait(h.Context(), &call{process: p, http: h, body: body, gone: h.Context().Err})
	return r.response, r.err
}

// processKey is the key of the process in the context of its function.
type processKey struct{}

// wait waits until the search serves the call, or the context ends. A client that has crashed waits
// until the end of the run.
func (p *process) wait(ctx context.Context, c *call) reply {
	c.reply = make(chan reply, 1)
	if !p.run.arrive(c) {
		return reply{err: context.Canceled}
	}
	select {
	case r := <-c.reply:
		return r
	case <-ctx.Done():
	}
	if p.giveUp() {
		return <-c.reply
	}
	return reply{err: context.Cause(ctx)}
}

// giveUp notes that a request no longer waits. It reports whether the process has crashed: then the
// request waits nevertheless.
func (p *process) giveUp() (frozen bool) {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	if !p.dead {
		p.gaveUp = true
		p.run.notifyLocked()
	}
	return p.dead && !p.stopped
}

// Do implements the HTTP client of the SDK.
func (p *process) Do(h *http.Request) (*http.Response, error) { return p.RoundTrip(h) }

// maxRefused is how many requests of a client fail after the run before its goroutine ends: the
// client may repeat them without an end.
const maxRefused = 100

// arrive adds a call to those that wait. It reports false after the run.
func (r *run) arrive(c *call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.process.stopped {
		if c.process.refused++; c.process.refused > maxRefused {
			runtime.Goexit()
		}
		return false
	}
	c.process.arrived = append(c.process.arrived, c)
	if !c.process.dead {
		r.notifyLocked()
	}
	return true
}

// elapsed returns the time since the start of the run in milliseconds.
func (r *run) elapsed() time.Duration { return time.Since(r.began).Truncate(time.Millisecond) }
