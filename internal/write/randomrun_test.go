package write

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/op"
)

// runCall runs one random call, sometimes in a transaction with a second one, and checks the
// result. Another writer may run between its read and its write.
func (sim *simulation) runCall() error {
	if chance(sim.r, 20) {
		if err := sim.removeNumber(); err != nil {
			return err
		}
	}
	s := sim.randomCall()
	sim.now = sim.now.Add(1234567 * time.Microsecond)
	sim.counts.calls++
	o, err := sim.operation(s)
	if err != nil {
		sim.counts.rejected++
		return sim.checkPlanError(s, err)
	}
	parts := []part{{s, o}}
	if p, ok := sim.secondPart(s); ok {
		sim.counts.pairs++
		parts = append(parts, p)
	}
	return sim.runParts(parts)
}

// secondPart returns a second part of a transaction: a call for another item, or an operation on an
// item that counts.
func (sim *simulation) secondPart(first *call) (part, bool) {
	switch {
	case sim.itemsOnly || !sim.plan.Companions() || !chance(sim.r, 30):
		return part{}, false
	case sim.groups != nil && chance(sim.r, 70):
		return sim.groupPart()
	}
	s := sim.randomCall()
	o, err := sim.operation(s)
	if err != nil || same(sim.itemOf(s), sim.itemOf(first)) {
		return part{}, false
	}
	return part{s, o}, true
}

// itemOf returns the key of the item of a call as one value.
func (sim *simulation) itemOf(s *call) types.AttributeValue {
	key, _ := Key(sim.plan, codec.PtrOf(s.entity.Elem()))
	return &types.AttributeValueMemberM{Value: key}
}

// runParts sends an operation without the items that have expired, and checks the result. If there
// are any, it also sends the operation with them, and compares.
func (sim *simulation) runParts(parts []part) error {
	alone, otherDead := func(*store) error { return nil }, func(*store) error { return nil }
	if chance(sim.r, 40) && slices.ContainsFunc(parts, func(p part) bool { return p.operation.PreRead != nil }) {
		if other, ok := sim.otherWriter(); ok {
			alone = func(*store) error { _, err := sim.sendChecked([]part{other}, nil); return err }
			otherDead = func(s *store) error { _, err := (&sending{store: s, parts: []part{other}}).send(); return err }
		}
	}
	stored := sim.store
	sim.store = sim.withoutDead()
	died := len(sim.store.items) < len(stored.items)
	r, err := sim.sendChecked(parts, alone)
	if err != nil || !died || sim.itemsOnly {
		return err
	}
	alive := sim.store
	sim.store = stored
	err = sim.checkDead(parts, otherDead, &r, alive)
	sim.store = alive
	if err != nil {
		return fmt.Errorf("%w, after %s", err, parts[0].call)
	}
	return nil
}

// otherWriter returns a call of another writer, which does not read first.
func (sim *simulation) otherWriter() (part, bool) {
	s := sim.randomCall()
	s.readFirst = false
	if s.verb == "overwrite" {
		s.verb = "put"
	}
	o, err := sim.operation(s)
	return part{s, o}, err == nil
}

// sendChecked sends an operation, and checks the result.
func (sim *simulation) sendChecked(parts []part, other func(*store) error) (reply, error) {
	s := sending{store: sim.store, parts: parts, other: other, edit: sim.edit}
	r, err := s.send()
	sim.counts.replanned += s.replanned
	var misfit *itemError
	switch {
	case errors.As(err, &misfit):
		sim.counts.itemErrors++
		r.err = err
		return r, nil
	case err != nil:
		return r, fmt.Errorf("%w, in %s", err, parts[0].call)
	case !r.applied():
		err = sim.checkFailed(&s, &r)
		return r, err
	}
	for i, p := range parts {
		if p.operation.PreRead != nil {
			sim.counts.read++
		}
		n := slices.IndexFunc(r.actions, func(a op.Action) bool { return a.Member == i })
		if p.call == nil || n < 0 {
			continue
		}
		if err := sim.checkApplied(sim.lively(r.results[n]), p.call, &r.actions[n]); err != nil {
			return r, fmt.Errorf("%w, after %s, which did %q if %q", err, p.call, r.actions[n].Expressions().Update, r.actions[n].Expressions().Condition)
		}
	}
	if !sim.itemsOnly {
		if err := sim.checkCompanions(s.before, &r); err != nil {
			return r, fmt.Errorf("%w, after %s", err, parts[0].call)
		}
	}
	err = sim.checkIdempotent(&s, &r)
	return r, err
}

// checkApplied checks the item of a call that was applied.
func (sim *simulation) checkApplied(res result, s *call, act *op.Action) error {
	if s.notAllowed && !sim.itemsOnly {
		return fmt.Errorf("a change that no update may make was planned")
	}
	sim.counts.applied++
	if s.isUpdate() && s.zerosCount() {
		sim.counts.asRead++
		if strings.Contains(act.Expressions().Condition, "attribute_type(") {
			sim.counts.zeros++
		}
	}
	if err := sim.checkSuccess(res, s); err != nil {
		return err
	}
	return sim.checkItem(res, s)
}

// checkIdempotent checks that an idempotent action that is applied twice has the result of once. An
// item that has expired when it is stored is deleted before the second time.
func (sim *simulation) checkIdempotent(s *sending, r *reply) error {
	if len(r.actions) > 1 || !r.actions[0].Idempotent || beginsAnew(r.actions[0]) && sim.dead(r.results[0].after) {
		return nil
	}
	sim.counts.idempotent++
	again := s.before
	for range 2 {
		twice, err := again.apply(&r.actions[0])
		if err == nil && twice.failed && r.actions[0].Judge(twice.before)[0].Then == clause.Replan {
			return nil // it is planned again
		}
		if err != nil || twice.failed {
			return fmt.Errorf("an idempotent action cannot be repeated: %v, failed %t", err, twice.failed)
		}
	}
	if !reflect.DeepEqual(again.items, sim.store.items) {
		return fmt.Errorf("an idempotent action applied twice is not the same as once")
	}
	return nil
}

// beginsAnew reports whether an action is sent again after an expired item was deleted.
func beginsAnew(a op.Action) bool {
	return slices.ContainsFunc(a.Clauses, func(l clause.Clause) bool { return l.Then == clause.Bury })
}

// checkFailed checks that an operation that failed had to fail.
func (sim *simulation) checkFailed(s *sending, r *reply) error {
	switch {
	case r.part < 0 && len(s.parts) == 1 && !sim.itemsOnly:
		return fmt.Errorf("the actions of one operation cannot be combined: %w", r.err)
	case r.part < 0:
		sim.counts.misfits++
		return nil
	}
	of := s.parts[r.part].call
	switch {
	case r.failed < 0: // it cannot be planned
		if of == nil || sim.itemsOnly {
			return nil
		}
		var stored op.Item
		if at := s.first[r.part]; at >= 0 {
			stored = s.stored[at]
		}
		return sim.checkReplanError(of, stored, r.err)
	case of != nil && of.notAllowed && !sim.itemsOnly:
		return fmt.Errorf("a change that no update may make was planned")
	}
	sim.counts.failed++
	act, res := &r.actions[r.failed], sim.lively(r.results[r.failed])
	switch own := slices.IndexFunc(r.actions, func(a op.Action) bool { return a.Member == act.Member }); {
	case sim.itemsOnly:
		return nil
	case act.Unique() != "":
		sim.counts.taken++
		return sim.checkTaken(act, res)
	case act.Counts != "", act.Member != r.part: // a write of the item that counts has the count
		sim.counts.uncounted++
		return sim.checkNotCounted(r.err, res)
	case own == r.failed && of != nil:
		return sim.checkFailure(res, of, r.err)
	default:
		return nil // of an item that counts
	}
}
