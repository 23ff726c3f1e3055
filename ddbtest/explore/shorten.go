package explore

// shorten replaces the failed run by one with the fewest faults, and among those with the fewest
// switches between clients. It searches all runs within growing bounds.
func (s *search) shorten() {
	best, all := s.found, s.stats
	proven := !best.failure.divergent
	if proven {
		best, proven = s.fewerFaults(best)
		var fewest bool
		best, fewest = s.fewerSwitches(best)
		proven = proven && fewest
		best = s.fewerSteps(best)
	}
	s.stats = all
	s.found, s.limit = best, limit{s.options.MaxFaults, -1}
	s.cutOff = "a failure"
	s.failure = newFailure(best, proven)
}

// fewerFaults looks for a failure with fewer faults. It reports whether there is provably none with
// fewer than the result has.
func (s *search) fewerFaults(best *run) (*run, bool) {
	for n := range best.faults {
		found, complete := s.within(limit{n, -1})
		if found != nil {
			return found, true
		}
		if !complete {
			return best, false
		}
	}
	return best, true
}

// fewerSwitches looks for a failure with no more faults and fewer switches.
func (s *search) fewerSwitches(best *run) (*run, bool) {
	for n := range best.switches {
		found, complete := s.within(limit{best.faults, n})
		if found != nil {
			return found, true
		}
		if !complete {
			return best, false
		}
	}
	return best, true
}

// fewerSteps returns the failure with the fewest steps among those with no more faults and
// switches, as far as the further runs go.
func (s *search) fewerSteps(best *run) *run {
	s.shortest = best
	defer func() { s.shortest = nil }()
	if _, complete := s.within(limit{best.faults, best.switches}); !complete {
		return best
	}
	return s.shortest
}

// within looks for a failure within the limit. It reports whether it searched all runs.
func (s *search) within(l limit) (found *run, complete bool) {
	s.limit, s.found, s.cutOff = l, nil, ""
	left := s.options.MaxShorten - s.shortening
	if left <= 0 {
		return nil, false
	}
	before := s.stats.runs
	s.exhaust(left)
	s.shortening += s.stats.runs - before
	if s.found != nil && s.found.failure.divergent {
		return nil, false
	}
	return s.found, s.cutOff == "" || s.found != nil
}
