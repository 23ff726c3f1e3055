package explore

import "slices"

// driver chooses the next action of a run. It reports false to end the run.
type driver interface {
	next(r *run, actions []*action) (*action, bool)
	// repeats reports whether an earlier run took the same steps so far.
	repeats() bool
	// prunes reports whether a run ends at an action that has the same effect as another one.
	prunes() bool
}

// depthFirst searches all runs, depth first. Each run repeats the choices of the stack and then
// takes the first action in each further state.
//
// It does not explore what is known to lead to the same states. An action is asleep in a state if
// all runs that begin with it are covered by an earlier branch, because the actions between commute
// with it (sleep sets). A state that was seen before is only explored by the actions that were
// asleep then and are not asleep now. Both follow Godefroid, "Partial-Order Methods for the
// Verification of Concurrent Systems", chapter 5. All states are reached, so invariants of states
// hold if they hold in all states that are reached.
type depthFirst struct {
	stack   []*node
	depth   int
	reduces bool
	asleep  map[stateKey]map[string]bool // what was asleep in the states seen so far
	states  int
	first   []node // of the first run
	fixed   bool   // the run must be that of the stack
}

// node is a choice of the current run.
type node struct {
	names  []string // of all actions
	todo   []int    // actions to explore, the current one first
	asleep []effect
	effect effect // of the current action
	offers []offer
	time   *passing // the action that lets time pass; nil: there is none
}

func newDepthFirst(reduces bool) *depthFirst {
	return &depthFirst{reduces: reduces, asleep: map[stateKey]map[string]bool{}}
}

// next implements driver.
func (d *depthFirst) next(r *run, actions []*action) (*action, bool) {
	actions = r.withinSwitches(actions)
	if d.depth == len(d.stack) {
		if d.fixed {
			r.diverged("a run went on after the end of an earlier run with the same steps")
			return nil, false
		}
		n := d.arrive(r, actions)
		if n == nil {
			return nil, false
		}
		d.stack = append(d.stack, n)
	}
	n := d.stack[d.depth]
	d.depth++
	if !n.matches(r, actions) {
		return nil, false
	}
	a := actions[n.todo[0]]
	n.effect = a.effect()
	return a, true
}

// keepFirst keeps the choices of the first run.
func (d *depthFirst) keepFirst() {
	d.first = []node{}
	for _, n := range d.stack {
		d.first = append(d.first, *n)
	}
}

// repeats implements driver.
func (d *depthFirst) repeats() bool { return d.depth < len(d.stack) }

// prunes implements driver.
func (d *depthFirst) prunes() bool { return true }

// arrive returns the node of a state that the run reaches, or nil if nothing is left to explore.
func (d *depthFirst) arrive(r *run, actions []*action) *node {
	n := &node{offers: offersOf(r)}
	for i, a := range actions {
		n.names = append(n.names, a.name())
		if a.deed == elapse {
			n.time = r.passing(a, i)
		}
	}
	if !d.reduces {
		d.states++
		for i := range actions {
			n.todo = append(n.todo, i)
		}
		return n.orNil(r.search)
	}
	if d.depth > 0 && !r.search.ordered && r.search.limit.switches < 0 {
		n.asleep = d.stack[d.depth-1].inherit()
	}
	ids := make([]string, len(actions))
	for i, a := range actions {
		ids[i] = a.effect().id
	}
	now := map[string]bool{}
	for _, e := range n.asleep {
		now[e.id] = true
	}
	key := r.key()
	before, known := d.asleep[key]
	if !known {
		d.states++
		d.asleep[key] = now
		for i, id := range ids {
			if !now[id] {
				n.todo = append(n.todo, i)
			}
		}
		return n.orNil(r.search)
	}
	both := map[string]bool{}
	for i, id := range ids {
		switch {
		case before[id] && now[id]:
			both[id] = true
		case before[id]:
			n.todo = append(n.todo, i)
		}
	}
	n.asleep = slices.DeleteFunc(n.asleep, func(e effect) bool { return !before[e.id] })
	d.asleep[key] = both
	return n.orNil(r.search)
}

// orNil returns the node, or nil if nothing is left to do in it.
func (n *node) orNil(s *search) *node {
	if n.skipVain(s); len(n.todo) == 0 {
		return nil
	}
	return n
}

// skipVain skips the next action if it is known by now to change nothing.
func (n *node) skipVain(s *search) {
	if len(n.todo) > 0 && n.time != nil && n.todo[0] == n.time.action && s.isVain(n.time) {
		n.todo = n.todo[1:]
	}
}

// inherit returns what is asleep after the current action of the node: what commutes with it.
func (n *node) inherit() []effect {
	var list []effect
	for i := range n.asleep {
		if !dependent(&n.asleep[i], &n.effect) {
			list = append(list, n.asleep[i])
		}
	}
	return list
}

// advance moves to the next run. It reports false if there is none.
func (d *depthFirst) advance(s *search) bool {
	d.depth = 0
	for len(d.stack) > 0 {
		n := d.stack[len(d.stack)-1]
		n.asleep = append(n.asleep, n.effect)
		n.todo = n.todo[1:]
		if n.skipVain(s); len(n.todo) > 0 {
			return true
		}
		d.stack = d.stack[:len(d.stack)-1]
	}
	return false
}

// withinSwitches returns the actions that do not exceed the number of switches between clients.
func (r *run) withinSwitches(actions []*action) []*action {
	most := r.search.limit.switches
	if most < 0 {
		return actions
	}
	var list []*action
	for _, a := range actions {
		other := a.process != nil && !a.isLate() && r.last != nil && a.process != r.last
		if !other || r.switches < most {
			list = append(list, a)
		}
	}
	return list
}
