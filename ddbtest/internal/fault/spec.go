package fault

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

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
	Never bool    // the chance is 0

	For  time.Duration // act so long only
	From time.Time     // from then on

	Effects []Effect
	Faults  []error // what was found wrong while it was written down
}

// check returns all that is wrong with the rule, each fault once.
func (s *Spec) check() error {
	faults := slices.Clone(s.Faults)
	if len(s.Effects) == 0 {
		faults = append(faults, errors.New("the rule has no effect: nothing would go wrong"))
	}
	faults = append(faults, s.checkCounts()...)
	faults = append(faults, s.checkEffects()...)
	faults = append(faults, s.checkOperations()...)
	told := map[string]bool{}
	return errors.Join(slices.DeleteFunc(faults, func(err error) bool {
		text := err.Error()
		before := told[text]
		told[text] = true
		return before
	})...)
}

func (s *Spec) checkCounts() []error {
	var faults []error
	if min(s.Nth, s.Every, s.First, s.Times) < 0 {
		faults = append(faults, errors.New("requests are counted from 1"))
	}
	if s.Rate < 0 || s.Rate > 1 || math.IsNaN(s.Rate) {
		faults = append(faults, fmt.Errorf("a rate is a share from 0 to 1, not %g", s.Rate))
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
	if s.ofIndex() && s.Index == "" {
		faults = append(faults, errors.New("which index is it that cannot take the writes? Name it by OnIndex"))
	}
	if len(deciding) > 1 {
		faults = append(faults, fmt.Errorf("a request can end in one way only: %s", strings.Join(deciding, ", ")))
	}
	return faults
}

// checkOperations looks for what can never fire: an operation where a part of the rule has no meaning, or parts that no operation has together.
func (s *Spec) checkOperations() []error {
	var faults []error
	known := false
	for _, name := range s.Operations {
		if err := CheckOperation(name); err != nil {
			faults = append(faults, err)
			continue
		}
		known = true
		for _, d := range s.demands() {
			if operations[name]&d.on == 0 {
				faults = append(faults, fmt.Errorf("%s is for %s, not for %s", d.part, d.on, name))
			}
		}
	}
	if !known && len(s.Effects) > 0 && s.possible() == 0 {
		faults = append(faults, s.incompatible())
	}
	return faults
}

// incompatible says that no request can have all parts.
func (s *Spec) incompatible() error {
	var parts []string
	for _, d := range s.demands() {
		if d.on != anywhere {
			parts = append(parts, fmt.Sprintf("%s is for %s", d.part, d.on))
		}
	}
	return fmt.Errorf("no request can have it all: %s", strings.Join(parts, "; "))
}

// possible is where the rule can fire, whatever operations it names.
func (s *Spec) possible() class {
	on := anywhere
	for _, d := range s.demands() {
		on &= d.on
	}
	return on
}

// demand is a part of a rule with the operations where it has a meaning.
type demand struct {
	part string
	on   class
}

func (s *Spec) demands() []demand {
	all := make([]demand, 0, len(s.Effects)+3)
	for _, e := range s.Effects {
		if e.setup == nil {
			all = append(all, demand{e.name, e.on})
		}
	}
	if s.Table != "" {
		all = append(all, demand{"OnTable", ofTables})
	}
	switch {
	case s.Index != "" && s.ofIndex():
		all = append(all, demand{"OnIndex", page | writes})
	case s.Index != "":
		all = append(all, demand{"OnIndex", page})
	}
	if s.Key != nil {
		all = append(all, demand{"OnKey", keyed})
	}
	return all
}
