package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// A client that pauses may wake between any two steps of the others: it waits for a timer, and
// requests take any time. To let it wake is one more choice of the search in each state.
//
// Whether a client has a timer is not known in advance. The search lets time pass in order to learn
// it. If nobody wakes, the run ends there, and the search does not try it again in a state in which
// all clients have seen the same.

// defaultWakes is how often clients of a run wake beside requests that wait. A client that polls
// could wake without an end.
const defaultWakes = 4

// maxLate is how long time passes at once before a late request is applied.
const maxLate = time.Hour

// longestWait returns how long time may pass without a fault, until a client wakes. 0 means that no
// time may pass. No deadline of a request that waits runs out.
func (r *run) longestWait(beside bool) time.Duration {
	o := &r.search.options
	switch {
	case !beside: // only late requests: they may be later than the next timer
		return maxLate
	case o.Wakes > 0 && r.wakes >= o.Wakes:
		return 0
	case o.Backoff > 0:
		return o.Backoff
	}
	d := maxWait
	for _, p := range r.processes {
		if p.phase == crashed {
			continue
		}
		for _, c := range p.waiting {
			if at, ok := c.deadline(); ok {
				d = min(d, time.Until(at).Truncate(time.Millisecond)-time.Millisecond)
			}
		}
	}
	return max(d, 0)
}

// deadline returns the end of the time for which the client waits for the reply.
func (c *call) deadline() (time.Time, bool) {
	if c.http == nil {
		return time.Time{}, false
	}
	return c.http.Context().Deadline()
}

// callKey is the key of a context whose deadline is that of one attempt of a call. The value is the
// context of the call. The contexts of Trestle have it: Trestle repeats an attempt that took too
// long.
const callKey = "trestle: the context of the call"

// timed reports whether a request of the client that waits has a deadline.
func (p *process) timed() bool {
	return slices.ContainsFunc(p.waiting, func(c *call) bool {
		_, timed := c.deadline()
		return timed
	})
}

// timed reports whether the client gives up if it waits for too long.
func (c *call) timed() bool {
	if c.http == nil {
		return false
	}
	ctx := c.http.Context()
	if parent, ok := ctx.Value(callKey).(context.Context); ok {
		ctx = parent
	}
	_, timed := ctx.Deadline()
	return timed
}

// wake lets time pass until a client wakes. It reports false if the run ends there: nobody woke, or
// clients woke too often.
func (r *run) wake(a *action) bool {
	from := r.elapsed()
	before, end := r.runningStates(), from+a.pause
	woke := r.idleFor(a.pause)
	switch {
	case woke:
		end = r.elapsed()
	case a.pause == maxWait:
		end = never
	}
	r.learn(before, end)
	if !woke {
		p := r.passingFrom(a, from)
		if !r.search.unforeseen() && p.isUnknown(r.search) {
			r.learnLater(p)
			r.again = true
		}
		if r.again || r.search.unforeseen() || r.search.isVain(p) {
			r.probe = true
			return false
		}
	}
	if a.beside {
		r.wakes++
	}
	if r.wakes > defaultWakes && r.search.wakesByDefault() {
		r.search.tired = true
		return false
	}
	return true
}

// wakesByDefault reports whether the options do not say how often clients wake.
func (s *search) wakesByDefault() bool { return s.options.Wakes == 0 && s.options.Backoff == 0 }

func (r *run) anyIdle() bool { return slices.ContainsFunc(r.processes, (*process).idle) }

// localState identifies all that a client has seen, and how many requests it has sent.
type localState [32]byte

func (p *process) localState() localState {
	h := sha256.New()
	h.Write(p.chain[:])
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(p.calls))
	h.Write(b[:])
	h.Write([]byte(p.name))
	return localState(h.Sum(nil))
}

// runningStates returns the states of the clients that run.
func (r *run) runningStates() map[*process]localState {
	states := map[*process]localState{}
	for _, p := range r.processes {
		if p.lives() {
			states[p] = p.localState()
		}
	}
	return states
}

// never is later than any time of a run.
const never = 1 << 62

// learn notes that clients do nothing by themselves before the time, those which have done nothing,
// and that the others do something then.
func (r *run) learn(before map[*process]localState, until time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, state := range before {
		if !p.acted() {
			r.search.quiet[state] = max(r.search.quiet[state], until)
		} else {
			r.search.quiet[state] = max(r.search.quiet[state], until-time.Millisecond)
		}
	}
}

// passing is an action that lets time pass in a state.
type passing struct {
	action     int          // its position among the actions of the state
	clients    []localState // that run
	paused     []localState // those that have no such deadline, if a deadline ends the time
	from, time time.Duration
	left, most int  // how often clients may wake yet, and in all
	last       bool // no more wakes are allowed after it
}

func (r *run) passing(a *action, position int) *passing {
	p := r.passingFrom(a, r.elapsed())
	p.action = position
	return p
}

func (r *run) passingFrom(a *action, from time.Duration) *passing {
	p := &passing{from: from, time: a.pause, last: a.beside && r.wakes == defaultWakes && r.search.wakesByDefault()}
	for client, state := range r.runningStates() {
		p.clients = append(p.clients, state)
		if !client.timed() && a.beside && a.pause < maxWait && r.search.options.Backoff == 0 {
			p.paused = append(p.paused, state)
		}
	}
	p.most = cmp.Or(r.search.options.Wakes, defaultWakes)
	p.left = p.most - r.wakes
	return p
}

// isUnknown reports whether a client pauses beyond the time of which it is not known when it wakes.
func (p *passing) isUnknown(s *search) bool {
	return slices.ContainsFunc(p.paused, func(state localState) bool { return !s.sought[state] })
}

// rests returns how often time must pass until a client wakes, if each time ends at the deadline of
// a request, as this one. It returns 0 if no client that pauses wakes.
func (p *passing) rests(s *search) int {
	first := time.Duration(never)
	for _, state := range p.paused {
		first = min(first, s.quiet[state])
	}
	if first == never {
		return 0
	}
	return int((first - p.from + p.time - 1) / p.time)
}

// learnLater learns when clients wake that pause beyond the deadline of a request. The run ends
// with it.
func (r *run) learnLater(p *passing) {
	r.close()
	paused := map[*process]localState{}
	for client, state := range r.runningStates() {
		if slices.Contains(p.paused, state) {
			paused[client] = state
			r.search.sought[state] = true
		}
	}
	const mostEvents = 1_000 // of clients whose deadlines pass meanwhile
	end := time.Duration(never)
	for range mostEvents {
		if !r.waitEvent(maxWait) {
			break
		}
		if r.anyActed(paused) {
			end = r.elapsed()
			break
		}
	}
	r.learn(paused, end)
}

// anyActed reports whether one of the clients has sent a request or ended.
func (r *run) anyActed(clients map[*process]localState) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range clients {
		if p.acted() {
			return true
		}
	}
	return false
}

// unforeseen reports whether it is never known that a client does not wake: what it does depends on
// others. A Sample proves nothing, so it does not try again what was in vain.
func (s *search) unforeseen() bool { return s.together && !s.random }

// isVain reports whether it is known that no client wakes, or that clients wake too often.
func (s *search) isVain(p *passing) bool {
	switch {
	case p.last && s.tired:
		return true
	case s.unforeseen():
		return false
	}
	if slices.ContainsFunc(p.clients, func(state localState) bool { return s.quiet[state] < p.from+p.time }) {
		return false
	}
	if len(p.paused) == 0 {
		return true
	}
	if p.isUnknown(s) {
		return false
	}
	n := p.rests(s)
	if n > p.left {
		s.stats.outOfReach = s.stats.outOfReach || n > p.most
		s.tired = s.tired || n <= p.most && s.wakesByDefault()
	}
	return n == 0 || n > p.left
}

// learnAtEnd learns which clients have timers, at the end of a run that led to a known state.
func (r *run) learnAtEnd(actions []*action) {
	i := slices.IndexFunc(actions, func(a *action) bool { return a.deed == elapse })
	if i < 0 || r.failed() || r.search.isVain(r.passing(actions[i], i)) {
		return
	}
	r.close()
	before, end := r.runningStates(), r.elapsed()+actions[i].pause
	switch {
	case r.waitEvent(actions[i].pause):
		end = r.elapsed()
	case actions[i].pause == maxWait:
		end = never
	}
	r.learn(before, end)
}

// tooOften is why a search is not complete in which clients woke too often.
func tooOften() string {
	return fmt.Sprintf("clients that pause: they woke more than %d times in a run while requests waited; "+
		"name the number in Options.Wakes, or the longest pause in Options.Backoff", defaultWakes)
}

// invites reports whether a random run may let time pass: a client pauses, and may wake.
func (r *run) invites(a *action) bool {
	return r.anyIdle() && !r.search.isVain(r.passing(a, 0)) && (!r.search.wakesByDefault() || r.wakes < defaultWakes)
}
