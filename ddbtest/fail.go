package ddbtest

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Part is a part of a rule: which requests it speaks of ([Op], [OnTable], [OnIndex], [OnKey], [Matching]), how often it acts ([Nth], [Every],
// [First], [Times], [Rate]), or what it does (an [Effect]).
type Part interface{ join(*fault.Spec) }

// Effect is what a rule does to a request: a [Fault], or what [Throttle], [Delay], [AfterCommit] and others return.
type Effect interface {
	Part
	effect() fault.Effect
}

// Rule is a rule in use.
type Rule struct {
	db   *DB
	rule *fault.Rule
}

// Fail adds a rule: what goes wrong with which requests. All its conditions must hold, and all its effects happen.
//
// Rules are asked in the order in which they were added. A rule that settles what the client gets is the last one that a request meets; after
// one that only delays it, or steers what it does, the next is asked too. [Nth], [Every] and [First] count the requests that meet the rule and
// match its other conditions. A request that cannot be read meets none.
//
// A rule that can never act, such as [Unprocessed] on GetItem, is not added: [Rule.Err] tells why, and the test of the database fails.
func (db *DB) Fail(parts ...Part) *Rule {
	var spec fault.Spec
	for i, p := range parts {
		if p == nil {
			spec.Faults = append(spec.Faults, fmt.Errorf("part %d is nil", i+1))
			continue
		}
		p.join(&spec)
	}
	r := &Rule{db: db, rule: fault.Compile(spec, db.options.Seed, db.ruleSeed.Add(1))}
	if err := r.rule.Err(); err != nil {
		db.report(fmt.Errorf("a rule that cannot work: %w", err))
	}
	db.rules.Add(r.rule)
	return r
}

// ClearFaults removes all rules. What they hold for later stays: see [DB.DeliverLate].
func (db *DB) ClearFaults() { db.rules.Clear() }

// Err tells what is wrong with the rule.
func (r *Rule) Err() error { return r.rule.Err() }

// Hits is how often the rule has acted.
func (r *Rule) Hits() int { return r.rule.Hits() }

// Remove takes the rule away.
func (r *Rule) Remove() { r.db.rules.Remove(r.rule) }
