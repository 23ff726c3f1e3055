package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/trestledb/trestle/ddbtest"
)

// Sample runs the clients in [Options.MaxRuns] random orders, for searches that are too large for
// [Run]. In each run every client has a random priority, which changes at few random steps (PCT:
// Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs"),
// and faults act at random steps. What it finds is shortened like a failure of Run.
//
// The seed is random unless [Options.Seed] is set; the log has it.
func Sample(t ddbtest.TB, o Options, f func(w *World)) *Report {
	t.Helper()
	report := sample(t, o, f)
	report.log(t)
	return report
}

func sample(t ddbtest.TB, o Options, f func(*World)) *Report {
	for o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	s := newSearch(t, o.withDefaults(defaultSamples), f)
	return s.report(func() {
		if o.Replay != "" {
			s.replay(o.Replay)
			return
		}
		s.sampleAll()
	})
}

func (s *search) sampleAll() {
	random := rand.New(rand.NewPCG(s.options.Seed, 0))
	s.ordered, s.random = true, true // nothing is reduced
	s.cutOff = fmt.Sprintf("%d random runs, seed %d", s.options.MaxRuns, s.options.Seed)
	steps := 10 // a guess of the length of a run, for the first one
	for range s.options.MaxRuns {
		seed := random.Uint64()
		r := &run{probe: true}
		for r.probe { // again, now that it is known who does not wake
			r = s.play(newPriorities(rand.New(rand.NewPCG(seed, 0)), steps, s.options.Faults))
		}
		if s.invalid != nil || s.ended(r) {
			break
		}
		steps = max(steps, len(r.trace))
	}
	if s.found != nil {
		s.shorten()
	}
}

// maxChanges is at how many steps of a run the priorities change, at most.
const maxChanges = 3

// priorities is a driver that takes the action of the client with the highest priority.
type priorities struct {
	random  *rand.Rand
	of      map[string]int // by client
	lowest  int
	changes map[int]bool // steps at which the current client gets the lowest priority
	faults  map[int]bool // steps at which a fault acts, if one can
	step    int
}

func newPriorities(random *rand.Rand, steps int, faults Faults) *priorities {
	p := &priorities{random: random, of: map[string]int{}, changes: map[int]bool{}, faults: map[int]bool{}}
	for range random.IntN(maxChanges + 1) {
		p.changes[random.IntN(steps)] = true
	}
	most := 0
	for _, n := range faults {
		most += n
	}
	for range random.IntN(most + 1) {
		p.faults[random.IntN(steps)] = true
	}
	return p
}

// repeats implements driver.
func (p *priorities) repeats() bool { return false }

// prunes implements driver.
func (p *priorities) prunes() bool { return false }

// next implements driver.
func (p *priorities) next(r *run, actions []*action) (*action, bool) {
	const priorities = 1 << 30
	best := actions[0]
	actions = slices.DeleteFunc(actions, func(a *action) bool { return a.beside && !r.invites(a) })
	for _, a := range actions {
		owner := a.owner()
		if _, known := p.of[owner]; !known {
			p.of[owner] = 1 + p.random.IntN(priorities)
		}
		if p.of[owner] > p.of[best.owner()] {
			best = a
		}
	}
	if p.changes[p.step] {
		p.lowest--
		p.of[best.owner()] = p.lowest
	}
	var faults []*action
	for _, a := range actions {
		if a.fault != 0 && (a.process == nil || a.process == best.process) {
			faults = append(faults, a)
		}
	}
	if p.faults[p.step] {
		if len(faults) > 0 {
			best = faults[p.random.IntN(len(faults))]
		} else {
			p.faults[p.step+1] = true // later
		}
	}
	p.step++
	return best, true
}

// owner returns what has the priority of the action: its client, or a request that is applied
// later, or time.
func (a *action) owner() string {
	switch {
	case a.process == nil:
		return "time"
	case a.isLate():
		return a.name()
	default:
		return a.process.name
	}
}
