package explore

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// Clients should share nothing but the database. The state that identifies what was searched before
// has the replies that each client got, and no memory that clients share. If the search finds that
// clients share memory, it starts again and runs all orders.

// observe collects the requests of a client and checks that they depend on the replies to the
// client, and on the time, and not on other clients. Right after a step of a client, no time has
// passed.
func (r *run) observe(p *process, afterStep bool) {
	calls, lived, state, local := p.calls, p.lives(), p.exactState(), p.localState()
	p.collect()
	var did []string
	for _, c := range p.waiting {
		if c.number > calls && c.request != endOfClient {
			did = append(did, c.request.canonical)
		}
	}
	if lived && !p.lives() {
		did = append(did, "ends")
	}
	now := event{text: strings.Join(did, "\x00"), at: time.Since(r.began)}
	switch {
	case did == nil:
	case !afterStep:
		if r.search.quiet[local] > r.elapsed() {
			r.search.share(fmt.Sprintf("client %s goes on earlier than its timer", p.name))
		}
		if !r.skipped {
			r.expect(p, r.search.wakings, state, now)
		}
	case p != r.actor:
		r.search.share(fmt.Sprintf("client %s goes on when client %s gets a reply", p.name, r.actor.name))
	default:
		r.expect(p, r.search.events, state, now)
	}
}

// event is what a client did, and when.
type event struct {
	text string
	at   time.Duration
}

// expect checks that a client does in a state what it did before.
func (r *run) expect(p *process, known map[localState]event, state localState, now event) {
	before, is := known[state]
	if is && (before.text != now.text || (before.at-now.at).Abs() > time.Millisecond) {
		r.search.share(fmt.Sprintf("client %s does not always do the same after the same replies", p.name))
	}
	known[state] = now
}

// share notes that clients share memory.
func (s *search) share(how string) {
	if s.shared == "" {
		s.shared, s.together = how, s.together || s.random
	}
}

// exactState identifies all that a client has seen, with the exact times.
func (p *process) exactState() localState {
	return localState(sha256.Sum256(fmt.Appendf(nil, "%s %d %x", p.name, p.calls, p.exact)))
}
