package explore

import (
	"fmt"
	"strings"
)

// schedule is a driver that repeats one run.
type schedule struct {
	steps    []string
	position int
}

func (s *search) replay(text string) {
	s.together = strings.HasPrefix(text, "+") // otherwise starts are a choice anyway
	r := s.play(&schedule{steps: strings.Fields(text)})
	s.stats.add(r)
	s.cutOff = "the replay of one run, which broke no invariant"
	if r.failed() {
		s.found = r
		s.failure = newFailure(r, false)
	}
}

// repeats implements driver.
func (s *schedule) repeats() bool { return false }

// prunes implements driver.
func (s *schedule) prunes() bool { return false }

// next implements driver. After the schedule it takes the first action.
func (s *schedule) next(r *run, actions []*action) (*action, bool) {
	if s.position == len(s.steps) {
		return actions[0], true
	}
	want := s.steps[s.position]
	var names []string
	for _, a := range actions {
		if a.name() == want {
			s.position++
			return a, true
		}
		names = append(names, a.name())
	}
	r.search.invalid = fmt.Errorf("Options.Replay: step %d is %q, but only these are possible: %s", s.position+1, want, strings.Join(names, " "))
	return nil, false
}
