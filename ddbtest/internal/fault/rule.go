package fault

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// Rule is one rule in use. It may be asked by many goroutines at once.
type Rule struct {
	spec    Spec
	err     error
	on      class
	decides bool

	mu    sync.Mutex
	rand  *rand.Rand
	drawn bool
	count Count
}

// Count is what became of requests that met a rule.
type Count struct {
	Unfit int // nothing of them could be what its effects need, such as a third action
	Met   int // all conditions held
	Hits  int // and it acted
}

// Compile makes a rule. What is wrong with it is told by [Rule.Err]; a wrong rule does nothing. The seed decides what happens by chance.
func Compile(spec Spec, seed1, seed2 uint64) *Rule {
	r := &Rule{spec: spec, err: spec.check(), on: spec.possible(), rand: rand.New(rand.NewPCG(seed1, seed2))}
	for _, e := range spec.Effects {
		r.decides = r.decides || e.decides
	}
	return r
}

// Err is what is wrong with the rule.
func (r *Rule) Err() error { return r.err }

// Hits is how often the rule has acted.
func (r *Rule) Hits() int { return r.Count().Hits }

// Count is what became of the requests so far.
func (r *Rule) Count() Count {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// Drawn tells whether chance has decided anything.
func (r *Rule) Drawn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.drawn
}

// chance is a number from 0 to 1. The rule is locked.
func (r *Rule) chance() float64 {
	r.drawn = true
	return r.rand.Float64()
}

// takeBack is for a request on which the rule acted in vain.
func (r *Rule) takeBack() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.Hits--
	r.count.Unfit++
}

// meet adds to the plan what the rule does to the request, and tells whether that settles how it ends.
func (r *Rule) meet(p *Plan, request *Request) (settled bool) {
	targets, ok := r.matches(request)
	if !ok {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.fires() {
		return false
	}
	m := &meeting{Request: request, targets: targets, chance: r.chance, index: r.spec.Index}
	a := act{rule: r}
	for _, e := range r.spec.Effects {
		p.asked = 0
		e.apply(p, m)
		a.effects = append(a.effects, applied{e.name, p.asked})
	}
	p.acts, p.asked = append(p.acts, a), 0
	return r.decides
}

// matches tells whether the rule speaks of the request, and of which of its targets. It holds no lock: it asks functions of the user's.
func (r *Rule) matches(request *Request) (targets []int, ok bool) {
	s := &r.spec
	if s.For > 0 && !request.At.Before(s.From.Add(s.For)) {
		return nil, false
	}
	if operations[request.Operation]&r.on == 0 || len(s.Operations) > 0 && !slices.Contains(s.Operations, request.Operation) {
		return nil, false
	}
	if targets, ok = s.matching(request); !ok {
		return nil, false
	}
	for _, match := range s.Match {
		if !match(request.Info) {
			return nil, false
		}
	}
	for _, e := range s.Effects {
		if e.fits != nil && !e.fits(request, targets) {
			r.passOver()
			return nil, false
		}
	}
	return targets, true
}

// passOver takes note of a request that has nothing that an effect could happen to.
func (r *Rule) passOver() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.Unfit++
}

// fires counts a request that matches, and tells whether the rule acts on it.
func (r *Rule) fires() bool {
	s := &r.spec
	r.count.Met++
	switch {
	case s.Never,
		s.Nth > 0 && r.count.Met != s.Nth,
		s.Every > 0 && r.count.Met%s.Every != 0,
		s.First > 0 && r.count.Met > s.First,
		s.Times > 0 && r.count.Hits >= s.Times,
		s.Rate > 0 && r.chance() >= s.Rate:
		return false
	}
	r.count.Hits++
	return true
}
