package explore

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Clients should share nothing but the database. The state that identifies what was searched before
// has the replies that each client got, and no memory that clients share. If the search finds that
// clients share memory, it starts again and runs all orders.

// observe collects the requests of a client right after a step of the run, before time passes, and
// checks that they depend on the replies to the client, and not on other clients.
func (r *run) observe(p *process) {
	calls, lived, state := p.calls, p.lives(), p.exactState()
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
	if did == nil {
		return
	}
	if p != r.actor {
		r.search.share(fmt.Sprintf("client %s goes on when client %s gets a reply", p.name, r.actor.name))
		return
	}
	text := strings.Join(did, "\x00")
	if before, known := r.search.events[state]; known && before != text {
		r.search.share(fmt.Sprintf("client %s does not always do the same after the same replies", p.name))
	}
	r.search.events[state] = text
}

// share notes that clients share memory.
func (s *search) share(how string) {
	if s.shared == "" {
		s.shared = how
	}
}

// exactState identifies all that a client has seen, with the exact times.
func (p *process) exactState() localState {
	return localState(sha256.Sum256(fmt.Appendf(nil, "%s %d %x", p.name, p.calls, p.exact)))
}
