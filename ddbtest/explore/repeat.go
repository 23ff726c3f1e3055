package explore

import (
	"fmt"
	"strings"
)

// offer is a request that waits in a state.
type offer struct {
	process string
	request *request
}

// offersOf returns the requests that wait.
func offersOf(r *run) []offer {
	var list []offer
	for _, p := range r.processes {
		for _, c := range p.waiting {
			list = append(list, offer{p.name, c.request})
		}
	}
	return list
}

// matches compares the state with the one that an earlier run reached by the same steps. If they
// differ, the clients do not repeat themselves, and the run fails.
func (n *node) matches(r *run, actions []*action) bool {
	now := offersOf(r)
	for i := range max(len(n.offers), len(now)) {
		var before, after offer
		if i < len(n.offers) {
			before = n.offers[i]
		}
		if i < len(now) {
			after = now[i]
		}
		if before != after {
			r.diverge(before, after)
			return false
		}
	}
	same := len(n.names) == len(actions)
	for i := 0; same && i < len(actions); i++ {
		same = n.names[i] == actions[i].name()
	}
	if !same {
		r.diverged("after the same steps, something else can happen than in an earlier run")
	}
	return same
}

// diverge fails the run because a client sent another request than in an earlier run.
func (r *run) diverge(before, after offer) {
	switch {
	case before.request == nil:
		r.diverged(after.process + " sent a request that it did not send in an earlier run after the same steps: " + r.words(after.request))
	case after.request == nil:
		r.diverged(before.process + " did not send a request that it sent in an earlier run after the same steps: " + r.words(before.request))
	default:
		r.diverged(after.process + " sent another request than in an earlier run after the same steps:\n" +
			"  before: " + r.words(before.request) + "\n" +
			"  now:    " + r.words(after.request) + "\n" +
			difference(before.request, after.request))
	}
}

// repeatAdvice says what to do about clients that do not repeat themselves.
const repeatAdvice = "\nA client must repeat itself. Take random numbers from World.Rand and the time from time.Now,\n" +
	"which is that of the database, and sort what comes from a map. Open a table of Trestle with the\n" +
	"option entity.Random, and a source with a fixed seed for each client. Timers that end at the\n" +
	"same moment can end in either order: give them different lengths, such as the timeout of an\n" +
	"attempt (entity.Timeout) and the Lease of a lock."

func (r *run) diverged(what string) {
	r.fail(nil, what+repeatAdvice)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure.divergent = true
}

// difference describes where the bodies of two requests differ.
func difference(a, b *request) string {
	const around = 30
	i := 0
	for i < min(len(a.canonical), len(b.canonical)) && a.canonical[i] == b.canonical[i] {
		i++
	}
	excerpt := func(text string) string {
		from, to := max(0, i-around), min(len(text), i+around)
		return strings.ToValidUTF8(text[from:to], "?")
	}
	return fmt.Sprintf("  the bodies differ at …%s… and …%s…", excerpt(a.canonical), excerpt(b.canonical))
}
