package explore

// actions returns everything that may happen next. The actions without a fault come first, and
// those of the process that acted last before the others.
func (r *run) actions() []*action {
	if a := r.eagerStart(); a != nil {
		return []*action{a}
	}
	var plain, faults []*action
	add := func(p *process) {
		switch {
		case r.canStart(p):
			plain = append(plain, &action{deed: start, process: p})
		case p.phase == running || p.phase == ended:
			for _, c := range p.waiting {
				plain = append(plain, &action{deed: serve, process: p, call: c})
			}
		}
		faults = append(faults, r.faultsOf(p)...)
	}
	if r.last != nil {
		add(r.last)
	}
	for _, p := range r.processes {
		if p != r.last {
			add(p)
		}
	}
	requests := len(plain) > 0
	for _, c := range r.late {
		plain = append(plain, &action{deed: deliver, process: c.process, call: c})
		if c.abandoned {
			plain = append(plain, &action{deed: forget, process: c.process, call: c})
		}
	}
	if len(plain) > 0 && !r.rested && r.pending() {
		if d := r.longestWait(requests); d > 0 {
			plain = append(plain, &action{deed: elapse, pause: d, beside: requests})
		}
	}
	return append(append(plain, faults...), r.pauses(len(plain) > 0)...)
}

// eagerStart returns the start of a client that has not started, if starts need not be chosen: a
// start only matters if it depends on the time, or on what other clients have done outside the
// database.
func (r *run) eagerStart() *action {
	if r.search.options.Faults[Pause] > 0 || r.search.options.Backoff > 0 || r.search.together {
		return nil
	}
	for _, p := range r.processes {
		if r.canStart(p) {
			return &action{deed: start, process: p, forced: true}
		}
	}
	return nil
}

func (r *run) canStart(p *process) bool {
	return p.phase == unstarted && (p.restartOf == nil || p.restartOf.phase == crashed)
}

// allowed reports whether the run may have another fault of the kind.
func (r *run) allowed(k Kind) bool {
	o := &r.search.options
	return r.used[k] < o.Faults[k] && (o.MaxFaults == 0 || r.faults < o.MaxFaults) && r.faults < r.search.limit.faults
}

// faultsOf returns the faults that may happen to the waiting requests of a process.
func (r *run) faultsOf(p *process) []*action {
	if p.phase != running && p.phase != ended {
		return nil
	}
	var list []*action
	for i, c := range p.waiting {
		for k := Kind(1); k < Pause; k++ {
			if !r.allowed(k) || !k.possible(c.request) {
				continue
			}
			switch k {
			case Crash:
				if i > 0 || p.restartOf != nil || p.phase == ended {
					continue
				}
				list = append(list, &action{deed: serve, process: p, call: c, fault: Crash})
			case Unprocessed:
				list = append(list, unprocessed(p, c)...)
			case StaleRead:
				list = append(list, r.staleReads(p, c)...)
			case Conflict:
				list = append(list, conflicts(p, c)...)
			default:
				list = append(list, &action{deed: serve, process: p, call: c, fault: k})
			}
		}
	}
	return list
}

// conflicts returns the conflicts on the item of a write, or on each item of a transaction.
func conflicts(p *process, c *call) []*action {
	list := []*action{{deed: serve, process: p, call: c, fault: Conflict}}
	for i := 1; i < len(c.request.parts); i++ {
		list = append(list, &action{deed: serve, process: p, call: c, fault: Conflict, variant: itoa(i + 1), part: i})
	}
	return list
}

// unprocessed returns the ways to leave parts of a batch undone: each single part, and all parts
// but one.
func unprocessed(p *process, c *call) []*action {
	n := len(c.request.parts)
	var list []*action
	add := func(variant string, undone func(int) bool) {
		list = append(list, &action{deed: serve, process: p, call: c, fault: Unprocessed, variant: variant, undone: undone})
	}
	for i := range n {
		add(itoa(i+1), func(part int) bool { return part == i })
	}
	for i := range n {
		if n > 2 {
			add("all-but-"+itoa(i+1), func(part int) bool { return part != i })
		}
	}
	return list
}

// pauses returns the ways to let time pass while something else can happen.
func (r *run) pauses(busy bool) []*action {
	if !r.allowed(Pause) || !busy {
		return nil
	}
	var list []*action
	if r.pending() && !r.rested {
		list = append(list, &action{deed: pause, fault: Pause, variant: "next"})
	}
	for _, d := range r.search.options.Pauses {
		list = append(list, &action{deed: pause, fault: Pause, variant: d.String(), pause: d})
	}
	return list
}
