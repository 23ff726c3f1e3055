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
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
)

// condition is a part that selects requests or limits how often a rule acts.
type condition struct {
	name   string // without its arguments
	text   string // with its arguments, but without values
	advice string // the advice if a rule has it twice; "" if that is allowed
	set    func(*fault.Spec) error
}

func (c condition) String() string { return c.text }

func (c condition) unique() (what, advice string) {
	if c.advice == "" {
		return "", ""
	}
	return c.name, c.advice
}

func (c condition) addTo(s *fault.Spec) {
	if err := c.set(s); err != nil {
		s.Errs = append(s.Errs, fmt.Errorf("%s: %w", c.text, err))
	}
}

const oneRuleForEach = "use a rule for each"

// Op matches the named operations, such as "UpdateItem". A rule without Op matches every operation
// to which its effects apply. A request of PartiQL matches both its own name, such as
// "ExecuteStatement", and that of the operation as which it runs, such as "Scan".
func Op(operations ...string) RuleOption {
	return condition{"Op", fmt.Sprintf("Op(%s)", quoted(operations)), "use one Op with several operations", func(s *fault.Spec) error {
		if len(operations) == 0 {
			return errors.New("no operation: omit Op to match all operations")
		}
		s.Operations = operations
		return nil
	}}
}

// OnTable matches requests that use the table. In a batch or a transaction it matches only the
// parts for that table.
func OnTable(name string) RuleOption {
	return condition{"OnTable", fmt.Sprintf("OnTable(%q)", name), oneRuleForEach, func(s *fault.Spec) error {
		if name == "" {
			return errors.New("the name is empty: omit OnTable to match all tables")
		}
		s.Table = name
		return nil
	}}
}

// OnIndex matches queries and scans of an index, also those of PartiQL. With an index write limit
// of [Throttle], such as "IndexWriteKeyRangeThroughputExceeded", it matches writes to the table of
// the index.
func OnIndex(name string) RuleOption {
	return condition{"OnIndex", fmt.Sprintf("OnIndex(%q)", name), oneRuleForEach, func(s *fault.Spec) error {
		if name == "" {
			return errors.New("the name is empty: omit OnIndex to match tables and indexes")
		}
		s.Index = name
		return nil
	}}
}

// OnKey matches requests for items whose key has these attributes. The partition key alone is
// enough. In a batch or a transaction it matches only those parts. It never matches a query or a
// scan.
func OnKey(key map[string]types.AttributeValue) RuleOption {
	text := fmt.Sprintf("OnKey(%s)", strings.Join(slices.Sorted(maps.Keys(key)), ", "))
	return condition{"OnKey", text, oneRuleForEach, func(s *fault.Spec) error {
		if len(key) == 0 {
			return errors.New("no attribute: omit OnKey to match all items")
		}
		var err error
		s.Key, err = sdkvalue.Key(key)
		return err
	}}
}

// Matching matches requests for which f returns true. The database calls f before the request is
// applied, without holding a lock.
func Matching(f func(Request) bool) RuleOption {
	return condition{"Matching", "Matching", "", func(s *fault.Spec) error {
		if f == nil {
			return errors.New("the function is nil")
		}
		s.Match = append(s.Match, func(info any) bool {
			r, ok := info.(Request)
			return ok && f(r)
		})
		return nil
	}}
}

// Nth acts only on the n-th request, counted from 1. Each attempt of a call is a request.
func Nth(n int) RuleOption { return countOption("Nth", n, func(s *fault.Spec) { s.Nth = n }) }

// Every acts on every n-th request.
func Every(n int) RuleOption { return countOption("Every", n, func(s *fault.Spec) { s.Every = n }) }

// First acts on the first n requests. Each attempt of a call is a request: First(3) fails a call
// with the SDK's default of three attempts.
func First(n int) RuleOption { return countOption("First", n, func(s *fault.Spec) { s.First = n }) }

// Times acts at most n times.
func Times(n int) RuleOption { return countOption("Times", n, func(s *fault.Spec) { s.Times = n }) }

// For acts only during the time d from now on, measured by the database's clock.
func For(d time.Duration) RuleOption {
	return condition{"For", fmt.Sprintf("For(%s)", d), oneRuleForEach, func(s *fault.Spec) error {
		if d <= 0 {
			return errors.New("the duration is not positive")
		}
		s.For = d
		return nil
	}}
}

func countOption(name string, n int, set func(*fault.Spec)) RuleOption {
	return condition{name, fmt.Sprintf("%s(%d)", name, n), oneRuleForEach, func(s *fault.Spec) error {
		if n <= 0 {
			return errors.New("requests are counted from 1")
		}
		set(s)
		return nil
	}}
}

// Rate acts on each request with this probability, from 0 to 1. The result is the same for the same
// seed, the same rules and the same order of requests.
func Rate(probability float64) RuleOption {
	return condition{"Rate", fmt.Sprintf("Rate(%g)", probability), oneRuleForEach, func(s *fault.Spec) error {
		if !(probability >= 0 && probability <= 1) { // NaN fails the comparison
			return errors.New("the probability is not from 0 to 1")
		}
		s.Rate, s.Never = probability, probability == 0
		return nil
	}}
}

// quoted returns a list of quoted names.
func quoted(names []string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(texts, ", ")
}
