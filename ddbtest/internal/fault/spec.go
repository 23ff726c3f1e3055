package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Spec is a rule as it is written down. Zero values ask nothing.
type Spec struct {
	Operations []string // one of these
	Table      string   // touching this table,
	Index      string   // reading this index,
	Key        value.Map
	Match      []func(info any) bool // and all of these

	Nth   int     // of the requests that match: only this one, from 1
	Every int     // each one that is a multiple of this
	First int     // only so many
	Times int     // act so often at most
	Rate  float64 // act by chance

	Effects []Effect
	Faults  []error // what was found wrong while it was written down
}

// check returns all that is wrong with the rule.
func (s *Spec) check() error {
	faults := append([]error(nil), s.Faults...)
	if len(s.Effects) == 0 {
		faults = append(faults, errors.New("the rule has no effect"))
	}
	faults = append(faults, s.checkCounts()...)
	faults = append(faults, s.checkEffects()...)
	return errors.Join(append(faults, s.checkOperations()...)...)
}

func (s *Spec) checkCounts() []error {
	var faults []error
	if min(s.Nth, s.Every, s.First, s.Times) < 0 {
		faults = append(faults, errors.New("requests are counted from 1"))
	}
	if s.Rate != 0 && !isProbability(s.Rate) {
		faults = append(faults, fmt.Errorf("a rate is above 0 and at most 1: this is %g", s.Rate))
	}
	if s.Nth > 0 && (s.Every > 0 || s.First > 0 || s.Times > 0) {
		faults = append(faults, errors.New("the n-th request is one: beside Nth there is nothing left for Every, First and Times"))
	}
	if s.Every > 0 && s.First > 0 && s.First < s.Every {
		faults = append(faults, fmt.Errorf("among the first %d there is no %d-th", s.First, s.Every))
	}
	return faults
}

func (s *Spec) checkEffects() []error {
	var faults []error
	var deciding []string
	for _, e := range s.Effects {
		if e.setup != nil {
			faults = append(faults, e.setup)
		}
		if e.decides {
			deciding = append(deciding, e.name)
		}
	}
	if len(deciding) > 1 {
		faults = append(faults, fmt.Errorf("a request can end in one way only: %s", strings.Join(deciding, ", ")))
	}
	return faults
}

// checkOperations looks for what can never fire: an operation where an effect has no meaning, or that touches nothing that the rule speaks of.
func (s *Spec) checkOperations() []error {
	var faults []error
	possible := s.possible()
	for _, name := range s.Operations {
		of, known := operations[name]
		switch {
		case !known:
			faults = append(faults, fmt.Errorf("there is no operation %q; the nearest is %q", name, nearest(name)))
		case of&possible == 0:
			faults = append(faults, fmt.Errorf("%s: no request can have %s", name, s.demands()))
		}
	}
	if possible == 0 {
		faults = append(faults, fmt.Errorf("no request can have %s", s.demands()))
	}
	return faults
}

// possible is where the rule can fire, whatever operations it names.
func (s *Spec) possible() class {
	on := anywhere
	for _, e := range s.Effects {
		on &= e.on
	}
	if s.Table != "" {
		on &= ofTables
	}
	if s.Index != "" {
		on &= page
	}
	if s.Key != nil {
		on &= keyed
	}
	return on
}

// demands names what a request must have for the rule to fire.
func (s *Spec) demands() string {
	var parts []string
	for _, e := range s.Effects {
		parts = append(parts, e.name)
	}
	if s.Table != "" {
		parts = append(parts, "OnTable")
	}
	if s.Index != "" {
		parts = append(parts, "OnIndex")
	}
	if s.Key != nil {
		parts = append(parts, "OnKey")
	}
	return strings.Join(parts, " and ")
}
