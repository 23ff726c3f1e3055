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
	errs := slices.Clone(s.Errs)
	if len(s.Effects) == 0 {
		errs = append(errs, errors.New("the rule has no effect"))
	}
	errs = append(errs, s.checkCounts()...)
	errs = append(errs, s.checkEffects()...)
	errs = append(errs, s.checkOperations()...)
	seen := map[string]bool{}
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool {
		text := err.Error()
		before := seen[text]
		seen[text] = true
		return before
	})...)
}

func (s *Spec) checkCounts() []error {
	var errs []error
	if min(s.Nth, s.Every, s.First, s.Times) < 0 {
		errs = append(errs, errors.New("requests are counted from 1"))
	}
	if s.Rate < 0 || s.Rate > 1 || math.IsNaN(s.Rate) {
		errs = append(errs, fmt.Errorf("the probability %g is not from 0 to 1", s.Rate))
	}
	if s.Nth > 0 && (s.Every > 0 || s.First > 0 || s.Times > 0) {
		errs = append(errs, errors.New("a rule with Nth acts once: it cannot have Every, First or Times"))
	}
	if s.Every > 0 && s.First > 0 && s.First < s.Every {
		errs = append(errs, fmt.Errorf("First(%d) excludes every %d-th request", s.First, s.Every))
	}
	return errs
}

func (s *Spec) checkEffects() []error {
	var errs []error
	var deciding []string
	for _, e := range s.Effects {
		if e.err != nil {
			errs = append(errs, e.err)
		}
		if e.endsRequest {
			deciding = append(deciding, e.name)
		}
	}
	if s.needsIndex() && s.Index == "" {
		errs = append(errs, errors.New("a limit of index writes needs OnIndex"))
	}
	if len(deciding) > 1 {
		errs = append(errs, fmt.Errorf("only one effect can determine the reply: %s", strings.Join(deciding, ", ")))
	}
	return errs
}

// checkOperations finds rules that can never act. An operation may not support a part of the rule,
// or no operation supports all parts.
func (s *Spec) checkOperations() []error {
	var errs []error
	known := false
	for _, name := range s.Operations {
		if err := CheckOperation(name); err != nil {
			errs = append(errs, err)
			continue
		}
		known = true
		suitable := true
		for _, r := range s.requirements() {
			if operations[name]&r.operations == 0 {
				errs = append(errs, fmt.Errorf("%s is for %s, not for %s", r.option, r.operations, name))
				suitable = false
			}
		}
		if suitable && operations[name]&s.supported() == 0 { // only PartiQL runs as several operations
			errs = append(errs, s.incompatible())
		}
	}
	if !known && len(s.Effects) > 0 && s.supported() == 0 {
		errs = append(errs, s.incompatible())
	}
	return errs
}

// incompatible returns the error that no operation supports all parts.
func (s *Spec) incompatible() error {
	var parts []string
	for _, r := range s.requirements() {
		if r.operations != allOperations {
			parts = append(parts, fmt.Sprintf("%s is for %s", r.option, r.operations))
		}
	}
	return fmt.Errorf("no operation supports all parts of the rule: %s", strings.Join(parts, "; "))
}

// supported returns the operations that support all parts of the rule, ignoring Operations.
func (s *Spec) supported() operationSet {
	set := allOperations
	for _, r := range s.requirements() {
		set &= r.operations
	}
	return set
}

// requirement is a part of a rule with the operations that support it.
type requirement struct {
	option     string
	operations operationSet
}

func (s *Spec) requirements() []requirement {
	all := make([]requirement, 0, len(s.Effects)+3)
	for _, e := range s.Effects {
		if e.err == nil {
			all = append(all, requirement{e.name, e.operations})
		}
	}
	if s.Table != "" {
		all = append(all, requirement{"OnTable", onTable})
	}
	switch {
	case s.Index != "" && s.needsIndex():
		all = append(all, requirement{"OnIndex", page | writes})
	case s.Index != "":
		all = append(all, requirement{"OnIndex", page})
	}
	if s.Key != nil {
		all = append(all, requirement{"OnKey", onItems})
	}
	return all
}
