package ddbtest

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Part is a part of a rule: which requests it speaks of ([Op], [OnTable], [OnIndex], [OnKey], [Matching]), how often it acts ([Nth], [Every],
// [First], [Times], [For], [Rate]), or what it does (an [Effect]).
type Part interface {
	fmt.Stringer
	join(*fault.Spec)
	sole() (what, cure string) // what a rule can have once only, and the cure where it has it twice; "" for any number
}

// Effect is what a rule does to a request: a [Fault], or what [Throttle], [Delay], [AfterCommit] and others return.
type Effect interface {
	Part
	effect() fault.Effect
}

// Rule is a rule in use.
type Rule struct {
	db    *DB
	rule  *fault.Rule
	spec  *fault.Spec
	text  string
	place string      // where it was made
	told  atomic.Bool // that it never acted
}

// Fail adds a rule: what goes wrong with which requests. All its conditions must hold, and all its effects happen; but for [Matching] and [Cancel] a
// rule has one part of a kind.
//
// Rules are asked in the order in which they were added. A rule that settles what the client gets is the last one that a request meets; after
// one that only delays it, or steers what it does, the next is asked too. [Nth], [Every] and [First] count the requests that meet the rule and
// match its other conditions: each attempt of a call is one. A request that cannot be read meets none.
//
// A rule that can never act, such as [Unprocessed] on GetItem, is not added: the test of the database fails with all that is wrong with it, and
// [Rule.Err] tells the same. Whether a rule has acted is for the test to ask: see [Rule.MustHit].
func (db *DB) Fail(parts ...Part) *Rule {
	db.testing().Helper()
	spec := specOf(parts)
	r := &Rule{db: db, spec: spec, text: "Fail(" + list(parts) + ")", place: caller()}
	if err := db.checkKey(spec); err != nil {
		spec.Faults = append(spec.Faults, err)
	}
	spec.From = db.clock.Now()
	r.rule = fault.Compile(*spec, db.options.Seed, db.ruleSeed.Add(1))
	if err := r.rule.Err(); err != nil {
		db.report(fmt.Errorf("%s: this rule cannot work:\n%s\n%w", r.place, r, err))
		return r
	}
	db.rules.Add(r.rule)
	db.remember(r)
	return r
}

// specOf writes down what the parts say.
func specOf(parts []Part) *fault.Spec {
	spec := new(fault.Spec)
	first := map[string]Part{}
	for i, p := range parts {
		if p == nil {
			spec.Faults = append(spec.Faults, fmt.Errorf("part %d of the rule is nil", i+1))
			continue
		}
		what, cure := p.sole()
		if before, again := first[what]; again {
			spec.Faults = append(spec.Faults, fmt.Errorf("%s and %s: %s", before, p, cure))
			continue
		}
		if what != "" {
			first[what] = p
		}
		p.join(spec)
	}
	return spec
}

// list is the parts as they were written.
func list(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		if texts[i] = "nil"; p != nil {
			texts[i] = p.String()
		}
	}
	return strings.Join(texts, ", ")
}

// ClearFaults removes all rules. What they hold for later stays: see [DB.DeliverLate].
func (db *DB) ClearFaults() { db.rules.Clear() }

// Err tells all that is wrong with the rule.
func (r *Rule) Err() error { return r.rule.Err() }

// Hits is how often the rule has acted. Where a request had nothing that its effects could happen to, such as a query of a table
// without a sort key, which has no page that could be empty, it has not.
func (r *Rule) Hits() int { return r.rule.Hits() }

// MustHit fails the test, in its end, if the rule has never acted by then: a rule that never does tests nothing. It returns the rule. A [LateDuplicate]
// has acted when the first attempt is lost: whether the duplicate has come by then is for [DB.Pending] to tell.
func (r *Rule) MustHit(t TB) *Rule {
	demand(t)
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		if r.Err() == nil && r.Hits() == 0 {
			r.told.Store(true)
			t.Errorf("ddbtest: %s", r.idle())
		}
	})
	return r
}

// Remove takes the rule away.
func (r *Rule) Remove() { r.db.rules.Remove(r.rule) }

// String is the rule as it was written, but for values.
func (r *Rule) String() string { return r.text }

// idle says that the rule never acted, and why.
func (r *Rule) idle() string {
	count := r.rule.Count()
	why := plural(float64(count.Met), "request") + " met its conditions"
	if err := r.db.strange(r.spec); count.Met == 0 && err != nil {
		why = err.Error()
	} else if count.Unfit > 0 {
		why = plural(float64(count.Unfit), "request") + " met its conditions, but could not have its effects"
	}
	return fmt.Sprintf("%s: this rule never acted: %s: %s", r.place, r, why)
}
