package write

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// part is a call of a transaction with its operation. One part alone is no transaction of several.
type part struct {
	call      *call
	operation op.Operation
}

// sending is an operation that is sent to a store until it is decided, as the executor does.
type sending struct {
	store *store
	parts []part
	other func(*store) error // another writer, between the read and the write; nil: none
	edit  func([]op.Action) []op.Action
	// stored has the item of each part that was read, and after each the slots of the part.
	stored []op.Item
	before *store // before the last attempt
	first  []int  // the index in stored of each part's item; -1: the part reads nothing

	replanned, buried int
}

// reply is how a sending ended: it was applied, or a part failed.
type reply struct {
	actions []op.Action
	results []result // of the actions
	part    int      // the part that failed; -1: the parts do not fit together
	failed  int      // the action that failed; -1: none
	err     error    // of planning, or the kind of a failed condition
}

// applied reports whether the actions were applied.
func (r *reply) applied() bool { return r.err == nil }

// kind returns the kind of the error, or "".
func (r *reply) kind() string {
	var invalid *errs.ValidationError
	for name, kind := range map[string]error{
		"not found": errs.NotFound, "exists": errs.Exists, "stale": errs.Stale, "condition": errs.Condition, "taken": errs.Taken, "limit": errs.Limit,
	} {
		if errors.Is(r.err, kind) {
			return name
		}
	}
	switch {
	case r.err == nil:
		return ""
	case errors.As(r.err, &invalid):
		return "invalid"
	default:
		return "error"
	}
}

// send sends the operation. The error is that of a request that DynamoDB rejects.
func (s *sending) send() (reply, error) {
	if err := s.read(); err != nil {
		return reply{}, err
	}
	if s.other != nil {
		if err := s.other(s.store); err != nil {
			return reply{}, err
		}
	}
	for range 8 {
		r, planned := s.plan()
		if !planned {
			return r, nil
		}
		s.before = s.store.clone()
		var err error
		if r.results, err = s.store.transact(r.actions); err != nil {
			return r, err
		}
		again := s.judge(&r)
		if !again {
			return r, nil
		}
	}
	return reply{}, errors.New("the operation is not decided after 8 attempts")
}

// read reads the items that the parts depend on. An expired item is none.
func (s *sending) read() error {
	s.stored, s.first = nil, nil
	for _, p := range s.parts {
		pre := p.operation.PreRead
		if pre == nil {
			s.first = append(s.first, -1)
			continue
		}
		s.first = append(s.first, len(s.stored))
		read := &pre.Reads[0]
		item, err := s.store.read(read)
		if err != nil {
			return err
		}
		s.stored = append(append(s.stored, read.Expiry.Alive(read.Plan, item)), make([]op.Item, pre.Slots)...)
	}
	return nil
}

// plan plans the actions of all parts, and combines those on one item.
func (s *sending) plan() (r reply, planned bool) {
	r.failed = -1
	for i, p := range s.parts {
		actions := p.operation.Actions
		if pre := p.operation.PreRead; pre != nil {
			from := s.first[i]
			var err error
			if actions, err = pre.Plan(slices.Clone(s.stored[from : from+1+pre.Slots])); err != nil {
				r.part, r.err = i, err
				return r, false
			}
		}
		for _, a := range actions {
			a.Member, a.Clauses = i, slices.Clone(a.Clauses)
			for n := range a.Clauses {
				a.Clauses[n].Read += s.first[i]
			}
			r.actions = append(r.actions, a)
		}
	}
	if s.edit != nil {
		r.actions = s.edit(r.actions)
	}
	if r.actions, r.err = Combine(r.actions, ""); r.err == nil {
		r.err = op.CheckTransaction(r.actions, len(s.parts), "")
	}
	if r.err != nil {
		r.part = -1
	}
	return r, r.err == nil
}

// judge sets what failed. It returns true if the operation is undecided: it has then set what has
// changed, and deleted the expired items.
func (s *sending) judge(r *reply) (again bool) {
	judgements := make([]op.Judgement, len(r.actions))
	var failed, depends, changed, unseen bool
	for i := range r.actions {
		if !r.results[i].failed {
			continue
		}
		all := r.actions[i].Judge(r.results[i].before)
		j := all[0]
		judgements[i], depends = j, depends || len(all) > 1 // what it counts depends on operations, too
		failed, depends = failed || j.Then == clause.Fail, depends || j.Then == clause.Depend
		changed, unseen = changed || j.Outdated || j.Then == clause.Replan, unseen || j.Then == clause.Bury
	}
	switch {
	case !failed && !depends && !changed && !unseen:
		return false
	case changed && failed && !depends, !changed && (failed || depends):
		r.blame(judgements)
		return false
	}
	for i, j := range judgements {
		if r.results[i].failed && j.Then == clause.Bury && !failed && !depends {
			s.buried++
			delete(s.store.items, s.store.keyText(r.results[i].key))
		}
	}
	s.setChanged(r, judgements)
	if changed {
		s.replanned++
	}
	return true
}

// setChanged sets the items that are others than when they were read. What was found for an earlier
// state of an item is forgotten.
func (s *sending) setChanged(r *reply, judgements []op.Judgement) {
	var forgotten []int // parts
	for i, j := range judgements {
		for _, p := range r.actions[i].Clauses {
			if !r.results[i].failed || p.Then != clause.Replan || p.Pred.Holds(j.Met) {
				continue
			}
			met := j.Met
			if part := slices.Index(s.first, p.Read); part >= 0 {
				forgotten = append(forgotten, part)
			} else if met == nil {
				met = op.Item{} // a slot that is nil is unknown
			}
			s.stored[p.Read] = met
		}
	}
	for _, part := range forgotten {
		at := s.first[part]
		clear(s.stored[at+1 : at+1+s.parts[part].operation.PreRead.Slots])
	}
}

// blame sets the error of the action that tells most: one that failed in any case, and of these the
// first one.
func (r *reply) blame(judgements []op.Judgement) {
	for _, verdict := range []clause.Then{clause.Fail, clause.Depend} {
		for i, j := range judgements {
			if r.results[i].failed && j.Then == verdict && r.failed < 0 {
				r.failed, r.err, r.part = i, j.Kind, r.actions[i].Member
				if len(j.Members) > 0 {
					r.part = j.Members[0]
				}
			}
		}
	}
}

// transact applies all actions, or none if a condition fails.
func (s *store) transact(actions []op.Action) ([]result, error) {
	all, failed, keys := s.clone(), false, map[string]bool{}
	results := make([]result, len(actions))
	for i := range actions {
		key := s.keyText(s.keyOf(&actions[i]))
		if keys[key] {
			return nil, &requestError{"two actions on one item"}
		}
		keys[key] = true
		var err error
		if results[i], err = all.apply(&actions[i]); err != nil {
			return nil, err
		}
		failed = failed || results[i].failed
	}
	if !failed {
		s.items = all.items
	}
	return results, nil
}

// dead reports whether an item has expired, of any type.
func (sim *simulation) dead(item op.Item) bool {
	return slices.ContainsFunc(sim.schema.Plans, func(p *core.Plan) bool { return p.TTL != nil && sim.expiry().Contains(item[p.TTL.Name]) })
}

// lively returns a result with an expired item before it as none.
func (sim *simulation) lively(r result) result {
	if sim.dead(r.before) {
		r.before = nil
	}
	return r
}

func (sim *simulation) expiry() core.Expiry { return core.ExpiryAt(sim.now) }

// withoutDead returns the store without the items that have expired.
func (sim *simulation) withoutDead() *store {
	s := sim.store.clone()
	for at, item := range s.items {
		if sim.dead(item) {
			delete(s.items, at)
		}
	}
	return s
}

// checkDead checks that an operation has the same result for expired items as without them. alive
// is the store after it was sent without them.
func (sim *simulation) checkDead(parts []part, other func(*store) error, want *reply, alive *store) error {
	s := sending{store: sim.store.clone(), parts: parts, other: other, edit: sim.edit}
	got, err := s.send()
	if err != nil {
		return fmt.Errorf("with an expired item: %w", err)
	}
	if got.kind() != want.kind() {
		return fmt.Errorf("with an expired item, the result is %q, and without it %q", got.kind(), want.kind())
	}
	for at, item := range s.store.items {
		before := sim.store.items[at]
		if untouched := alive.items[at] == nil && reflect.DeepEqual(item, before) && sim.dead(before); !untouched && !reflect.DeepEqual(item, alive.items[at]) {
			return fmt.Errorf("an item is stored differently where one has expired")
		}
	}
	for at := range alive.items {
		if s.store.items[at] == nil {
			return fmt.Errorf("an item is missing where one has expired")
		}
	}
	sim.counts.dead[got.kind()]++
	sim.counts.buried += s.buried
	return nil
}
