package explore

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Clients should share nothing but the database: the state that identifies what was searched before
// has what each client was told, and no memory that they share. A search that sees that clients
// share memory starts again, and runs all orders.

// observe collects the requests of a client right after a step of the run, before time passes, and
// checks that they depend on what the client was told, and not on other clients.
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
