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

// Spec describes a rule. A zero field means no condition.
type Spec struct {
	Operations []string // any of these
	Table      string   // uses this table
	Index      string   // reads this index, or writes to its table
	Key        value.Map
	Match      []func(info any) bool // all of these

	Nth   int     // only the n-th matching request, from 1
	Every int     // every n-th matching request
	First int     // only the first n matching requests
	Times int     // act at most n times
	Rate  float64 // act with this probability
	Never bool    // the probability is 0

	For  time.Duration // act only for this time
	From time.Time     // start of that time

	Effects []Effect
	Errs    []error // errors found while the Spec was built
}

// check returns all errors of the rule without duplicates.
func (s *Spec) check() error {
	faults := slices.Clone(s.Errs)
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
		if e.err != nil {
			faults = append(faults, e.err)
		}
		if e.decides {
			deciding = append(deciding, e.name)
		}
	}
	if s.needsIndex() && s.Index == "" {
		faults = append(faults, errors.New("which index is it that cannot take the writes? Name it by OnIndex"))
	}
	if len(deciding) > 1 {
		faults = append(faults, fmt.Errorf("a request can end in one way only: %s", strings.Join(deciding, ", ")))
	}
	return faults
}

// checkOperations finds rules that can never act. An operation may not support a part of the rule,
// or no operation supports all parts.
func (s *Spec) checkOperations() []error {
	var faults []error
	known := false
	for _, name := range s.Operations {
		if err := CheckOperation(name); err != nil {
			faults = append(faults, err)
			continue
		}
		known = true
		for _, d := range s.requirements() {
			if operations[name]&d.on == 0 {
				faults = append(faults, fmt.Errorf("%s is for %s, not for %s", d.part, d.on, name))
			}
		}
	}
	if !known && len(s.Effects) > 0 && s.operationsOf() == 0 {
		faults = append(faults, s.incompatible())
	}
	return faults
}

// incompatible returns the error that no operation supports all parts.
func (s *Spec) incompatible() error {
	var parts []string
	for _, d := range s.requirements() {
		if d.on != anywhere {
			parts = append(parts, fmt.Sprintf("%s is for %s", d.part, d.on))
		}
	}
	return fmt.Errorf("no request can have it all: %s", strings.Join(parts, "; "))
}

// operationsOf returns the operations that support all parts of the rule, ignoring Operations.
func (s *Spec) operationsOf() class {
	on := anywhere
	for _, d := range s.requirements() {
		on &= d.on
	}
	return on
}

// requirement is a part of a rule with the operations that support it.
type requirement struct {
	part string
	on   class
}

func (s *Spec) requirements() []requirement {
	all := make([]requirement, 0, len(s.Effects)+3)
	for _, e := range s.Effects {
		if e.err == nil {
			all = append(all, requirement{e.name, e.operations})
		}
	}
	if s.Table != "" {
		all = append(all, requirement{"OnTable", ofTables})
	}
	switch {
	case s.Index != "" && s.needsIndex():
		all = append(all, requirement{"OnIndex", page | writes})
	case s.Index != "":
		all = append(all, requirement{"OnIndex", page})
	}
	if s.Key != nil {
		all = append(all, requirement{"OnKey", keyed})
	}
	return all
}
