package ddbtest

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// RuleOption is one option of a rule. It selects requests ([Op], [OnTable], [OnIndex], [OnKey],
// [Matching]), limits how often the rule acts ([Nth], [Every], [First], [Times], [For], [Rate]), or
// is an [Effect].
type RuleOption interface {
	fmt.Stringer
	addTo(*fault.Spec)
	// unique returns what a rule can have only once, and the advice if it has it twice. It returns
	// "" for a option that a rule can have any number of times.
	unique() (what, advice string)
}

// Effect is what a rule does to a request: a [Fault], or the result of [Throttle], [Delay],
// [AfterCommit] and others.
type Effect interface {
	RuleOption
	effect() fault.Effect
}

// Rule is a rule that [DB.Fail] added.
type Rule struct {
	db       *DB
	rule     *fault.Rule
	spec     *fault.Spec
	text     string
	line     string      // file and line of the Fail call
	reported atomic.Bool // it was reported that the rule never acted
	named    atomic.Bool // the table and the index that it names have existed
}

// Fail adds a rule. The rule acts on a request that matches all its conditions, and then applies
// all its effects. A rule has at most one option of each kind, except for [Matching] and [Cancel].
//
// Rules are evaluated in the order in which they were added. The first rule that determines the
// reply is the last one evaluated for a request. A rule that only delays the request or changes its
// execution does not stop the evaluation. [Nth], [Every] and [First] count the requests that reach
// the rule and match its other conditions. Each attempt of a call is a request. An invalid request
// matches no rule.
//
// A rule may name a table or an index that is created later. If it is never created, the test fails
// at its end.
//
// Fail does not add a rule that can never act, such as [Unprocessed] on GetItem. It fails the test
// of the database and reports everything that is wrong; [Rule.Err] returns the same. To check that
// a rule acted, use [Rule.MustHit].
func (db *DB) Fail(options ...RuleOption) *Rule {
	db.test().Helper()
	spec := db.specOf(options)
	r := &Rule{db: db, spec: spec, text: "Fail(" + optionTexts(options) + ")", line: caller()}
	r.rule = fault.Compile(*spec, db.options.Seed, db.rulesMade.Add(1))
	if db.checkPlace() != nil {
		return r
	}
	if err := r.rule.Err(); err != nil {
		db.report(fmt.Errorf("%s: the rule is invalid:\n%s\n%w", r.line, r, err))
		return r
	}
	r.checkTable()
	db.rules.Add(r.rule)
	db.addRule(r)
	return r
}

// CheckRule returns everything that is wrong with a rule of these options, or nil. It adds no rule
// and fails no test. Programs use it for rules that come from their users.
func (db *DB) CheckRule(options ...RuleOption) error {
	return fault.Compile(*db.specOf(options), 0, 0).Err()
}

// specOf converts the options to a specification of a rule that begins now.
func (db *DB) specOf(options []RuleOption) *fault.Spec {
	spec := &fault.Spec{From: db.data.Clock.Now()}
	if err := db.misplaced(time.Now()); err != nil {
		spec.Errs = append(spec.Errs, err)
	}
	first := map[string]RuleOption{}
	for i, p := range options {
		if p == nil {
			spec.Errs = append(spec.Errs, fmt.Errorf("option %d is nil", i+1))
			continue
		}
		what, advice := p.unique()
		if before, again := first[what]; again {
			spec.Errs = append(spec.Errs, fmt.Errorf("%s and %s: %s", before, p, advice))
			continue
		}
		if what != "" {
			first[what] = p
		}
		p.addTo(spec)
	}
	if err := spec.CheckKey(db.data.Store); err != nil {
		spec.Errs = append(spec.Errs, err)
	}
	return spec
}

// optionTexts returns the options as source text.
func optionTexts(options []RuleOption) string {
	texts := make([]string, len(options))
	for i, p := range options {
		if texts[i] = "nil"; p != nil {
			texts[i] = p.String()
		}
	}
	return strings.Join(texts, ", ")
}

// ClearFaults removes all rules. Requests that they hold for later remain: see [DB.DeliverLate].
func (db *DB) ClearFaults() {
	db.test().Helper()
	if db.checkPlace() == nil {
		db.rules.Clear()
	}
}

// Err returns everything that is wrong with the rule.
func (r *Rule) Err() error { return r.rule.Err() }

// Hits returns how often the rule acted. A request does not count if the effects could not apply to
// it. For example, a query of a table without a sort key has no empty page.
func (r *Rule) Hits() int { return r.rule.Hits() }

// MustHit fails the test at its end if the rule has not acted by then. It returns the rule. A
// [LateDuplicate] has acted when the first attempt is lost. [DB.Pending] shows whether the
// duplicate is still held.
func (r *Rule) MustHit(t TB) *Rule {
	requireTest(t)
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		if r.Err() == nil && r.Hits() == 0 {
			r.reported.Store(true)
			t.Errorf("ddbtest: %s", r.neverActed())
		}
	})
	return r
}

// CheckHit returns nil if the rule has acted, and otherwise an error with the reason. It is
// [Rule.MustHit] without a test, for programs that serve a database to other processes.
func (r *Rule) CheckHit() error {
	if err := r.Err(); err != nil {
		return err
	}
	if r.Hits() > 0 {
		return nil
	}
	return errors.New("the rule never acted: " + r.whyNever())
}

// Remove removes the rule.
func (r *Rule) Remove() { r.db.rules.Remove(r.rule) }

// String returns the rule as source text, without values.
func (r *Rule) String() string { return r.text }

// neverActed returns the message that the rule never acted, with the reason.
func (r *Rule) neverActed() string {
	return fmt.Sprintf("%s: the rule never acted: %s: %s", r.line, r, r.whyNever())
}

// whyNever returns why the rule never acted.
func (r *Rule) whyNever() string {
	count := r.rule.Count()
	if err := r.spec.CheckNames(r.db.data.Store); count.Matched == 0 && err != nil {
		return err.Error()
	}
	if count.Inapplicable > 0 {
		return plural(float64(count.Inapplicable), "request") + " matched its conditions, but its effects did not apply"
	}
	if nearest := r.rule.Nearest(); count.Matched == 0 && nearest != "" {
		return "no request matched its conditions; the nearest: " + nearest
	}
	return plural(float64(count.Matched), "request") + " matched its conditions"
}
