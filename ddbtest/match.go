package ddbtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// condition is a part that says which requests a rule speaks of, or how often it acts.
type condition struct {
	name  string // without its arguments
	text  string // with them, but for values
	alone string // the cure where a rule has it twice; "" where it may
	set   func(*fault.Spec) error
}

func (c condition) String() string { return c.text }

func (c condition) sole() (what, cure string) {
	if c.alone == "" {
		return "", ""
	}
	return c.name, c.alone
}

func (c condition) join(s *fault.Spec) {
	if err := c.set(s); err != nil {
		s.Faults = append(s.Faults, fmt.Errorf("%s: %w", c.text, err))
	}
}

const ruleForEach = "make a rule for each"

// Op is about these operations, such as "UpdateItem": any one of them. Without it a rule is about all where its effects have a meaning.
func Op(operations ...string) Part {
	return condition{"Op", fmt.Sprintf("Op(%s)", quoted(operations)), "one Op takes several operations", func(s *fault.Spec) error {
		if len(operations) == 0 {
			return errors.New("it names no operation: leave it out to mean all")
		}
		s.Operations = operations
		return nil
	}}
}

// OnTable is about requests that touch the table; of a batch or a transaction, about that part.
func OnTable(name string) Part {
	return condition{"OnTable", fmt.Sprintf("OnTable(%q)", name), ruleForEach, func(s *fault.Spec) error {
		if name == "" {
			return errors.New("it names no table: leave it out to mean all")
		}
		s.Table = name
		return nil
	}}
}

// OnIndex is about pages of an index; with the reasons of [Throttle] that an index's writes have, about writes to its table.
func OnIndex(name string) Part {
	return condition{"OnIndex", fmt.Sprintf("OnIndex(%q)", name), ruleForEach, func(s *fault.Spec) error {
		if name == "" {
			return errors.New("it names no index: leave it out to mean tables and indexes")
		}
		s.Index = name
		return nil
	}}
}

// OnKey is about requests for the item with these attributes in its key, be it a partition key alone; of a batch or a transaction, about that
// part. A page has no key.
func OnKey(key map[string]types.AttributeValue) Part {
	text := fmt.Sprintf("OnKey(%s)", strings.Join(slices.Sorted(maps.Keys(key)), ", "))
	return condition{"OnKey", text, ruleForEach, func(s *fault.Spec) error {
		if len(key) == 0 {
			return errors.New("it names no attribute: leave it out to mean all items")
		}
		var err error
		s.Key, err = keyOf(key)
		return err
	}}
}

// Matching is about requests for which the function returns true. It is asked before a request is applied, without a lock.
func Matching(f func(Request) bool) Part {
	return condition{"Matching", "Matching", "", func(s *fault.Spec) error {
		if f == nil {
			return errors.New("it has no function")
		}
		s.Match = append(s.Match, func(info any) bool {
			r, ok := info.(Request)
			return ok && f(r)
		})
		return nil
	}}
}

// Nth acts on the n-th request, from 1, and on no other. Each attempt of a call is a request.
func Nth(n int) Part { return counted("Nth", n, func(s *fault.Spec) { s.Nth = n }) }

// Every acts on each n-th request.
func Every(n int) Part { return counted("Every", n, func(s *fault.Spec) { s.Every = n }) }

// First acts on the first n requests. Each attempt of a call is a request: First(3) fails a call of the SDK's default of three attempts.
func First(n int) Part { return counted("First", n, func(s *fault.Spec) { s.First = n }) }

// Times acts n times at most.
func Times(n int) Part { return counted("Times", n, func(s *fault.Spec) { s.Times = n }) }

// For acts within this time from now on, by the database's clock.
func For(d time.Duration) Part {
	return condition{"For", fmt.Sprintf("For(%s)", d), ruleForEach, func(s *fault.Spec) error {
		if d <= 0 {
			return errors.New("it is over already")
		}
		s.For = d
		return nil
	}}
}

func counted(name string, n int, set func(*fault.Spec)) Part {
	return condition{name, fmt.Sprintf("%s(%d)", name, n), ruleForEach, func(s *fault.Spec) error {
		if n <= 0 {
			return errors.New("requests are counted from 1")
		}
		set(s)
		return nil
	}}
}

// Rate acts by chance, on this share of the requests: on all with 1, on none with 0. With the same seed and the same rules, requests in the same
// order meet the same fate.
func Rate(share float64) Part {
	return condition{"Rate", fmt.Sprintf("Rate(%g)", share), ruleForEach, func(s *fault.Spec) error {
		if !(share >= 0 && share <= 1) { // which NaN is not either
			return errors.New("a share is from 0 to 1")
		}
		s.Rate, s.Never = share, share == 0
		return nil
	}}
}

// quoted is a list of names.
func quoted(names []string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(texts, ", ")
}
