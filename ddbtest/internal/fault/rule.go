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

	mu   sync.Mutex
	rand *rand.Rand
	seen int
	hits int
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
func (r *Rule) Hits() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hits
}

// meet adds to the plan what the rule does to the request, and tells whether that settles how it ends.
func (r *Rule) meet(p *Plan, request *Request, arn ARN) (settled bool) {
	targets, ok := r.matches(request)
	if !ok {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.fires() {
		return false
	}
	m := &meeting{Request: request, targets: targets, chance: r.rand.Float64, arn: arn}
	for _, e := range r.spec.Effects {
		e.apply(p, m)
		p.names = append(p.names, e.name)
	}
	return r.decides
}

// matches tells whether the rule speaks of the request, and of which of its targets. It holds no lock: it asks functions of the user's.
func (r *Rule) matches(request *Request) (targets []int, ok bool) {
	s := &r.spec
	if operations[request.Operation]&r.on == 0 || len(s.Operations) > 0 && !slices.Contains(s.Operations, request.Operation) {
		return nil, false
	}
	if targets, ok = s.matching(request); !ok {
		return nil, false
	}
	for _, e := range s.Effects {
		if e.fits != nil && !e.fits(request, targets) {
			return nil, false
		}
	}
	for _, match := range s.Match {
		if !match(request.Info) {
			return nil, false
		}
	}
	return targets, true
}

// fires counts a request that matches, and tells whether the rule acts on it.
func (r *Rule) fires() bool {
	s := &r.spec
	r.seen++
	switch {
	case s.Nth > 0 && r.seen != s.Nth,
		s.Every > 0 && r.seen%s.Every != 0,
		s.First > 0 && r.seen > s.First,
		s.Times > 0 && r.hits >= s.Times,
		s.Rate > 0 && r.rand.Float64() >= s.Rate:
		return false
	}
	r.hits++
	return true
}
