package fault

import (
	"math/rand/v2"
	"sync"
)

// Rule is a compiled rule. It is safe for concurrent use.
type Rule struct {
	spec        Spec
	err         error
	on          operationSet
	endsRequest bool

	mu         sync.Mutex
	rand       *rand.Rand
	usedRandom bool
	count      Count
	misses     misses
}

// Count counts the requests that reached a rule.
type Count struct {
	Inapplicable int // the effects could not apply, for example there is no third action
	Matched      int // all conditions held
	Hits         int // the rule acted
}

// Compile makes a rule. [Rule.Err] returns the errors of the Spec, and [Rules.Add] ignores an
// invalid rule. The seeds determine the random decisions.
func Compile(spec Spec, seed1, seed2 uint64) *Rule {
	r := &Rule{spec: spec, err: spec.check(), on: spec.supported(), rand: rand.New(rand.NewPCG(seed1, seed2))}
	for _, e := range spec.Effects {
		r.endsRequest = r.endsRequest || e.endsRequest
	}
	return r
}

// Err returns the errors of the rule.
func (r *Rule) Err() error { return r.err }

// Hits returns how often the rule acted.
func (r *Rule) Hits() int { return r.Count().Hits }

// Count returns the counts so far.
func (r *Rule) Count() Count {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// UsedRandom reports whether the rule made a random decision.
func (r *Rule) UsedRandom() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.usedRandom
}

// random returns a random number in [0,1). The caller holds the lock.
func (r *Rule) random() float64 {
	r.usedRandom = true
	return r.rand.Float64()
}

// undoHit undoes a hit whose effects the operation did not carry out.
func (r *Rule) undoHit() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.Hits--
	r.count.Inapplicable++
}

// apply adds the rule's effects to the plan, if the rule acts. It reports whether they determine
// the reply.
func (r *Rule) apply(p *Plan, request *Request) (settled bool) {
	targets, ok := r.match(request)
	if !ok {
		r.addMiss(request, ofMatch)
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.countMatch() {
		return false
	}
	m := &match{Request: request, targets: targets, random: r.random, index: r.spec.Index}
	a := hit{rule: r}
	for _, e := range r.spec.Effects {
		p.overrides = 0
		e.apply(p, m)
		a.effects = append(a.effects, appliedEffect{e.name, p.overrides})
	}
	p.hits, p.overrides = append(p.hits, a), 0
	return r.endsRequest
}

// match reports whether the rule matches the request, and returns the positions of the matching
// targets. It holds no lock, because it calls functions of the user.
func (r *Rule) match(request *Request) (targets []int, ok bool) {
	s := &r.spec
	if s.ended(request) || request.class()&r.on == 0 || !s.hasOperation(request) {
		return nil, false
	}
	if targets, ok = s.matchingTargets(request); !ok {
		return nil, false
	}
	for _, match := range s.Match {
		if !match(request.Info) {
			return nil, false
		}
	}
	for _, e := range s.Effects {
		if e.applicable != nil && !e.applicable(request, targets) {
			r.countInapplicable()
			return nil, false
		}
	}
	return targets, true
}

// countInapplicable counts a request to which an effect could not apply.
func (r *Rule) countInapplicable() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.Inapplicable++
}

// countMatch counts a matching request and reports whether the rule acts on it.
func (r *Rule) countMatch() bool {
	s := &r.spec
	r.count.Matched++
	switch {
	case s.Never,
		s.Nth > 0 && r.count.Matched != s.Nth,
		s.Every > 0 && r.count.Matched%s.Every != 0,
		s.First > 0 && r.count.Matched > s.First,
		s.Times > 0 && r.count.Hits >= s.Times,
		s.Rate > 0 && r.random() >= s.Rate:
		return false
	}
	r.count.Hits++
	return true
}
