package write

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// counts holds the number of times that a run reached each case.
type counts struct {
	calls, applied, failed, rejected, itemErrors int
	members                                      int // calls that change a member of an index
	absent                                       int // of these, calls that make a member absent
	vanished                                     int // of these, calls that remove an index entry
	keyOnly                                      int // calls that change a key-only field
	// missing counts updates that fail because of unknown fields, completed those that succeed when
	// all these fields are given, and minimal those that need every one of them.
	missing, completed, minimal int
	// asRead counts applied updates of an item as it was read, zeros those that depend on a zero.
	asRead, zeros int
	// read counts updates that read first, replanned those planned again after a concurrent write.
	read, replanned int
	// idempotent counts actions applied twice, fresh items compared with a put of themselves.
	idempotent, putAgain int
	created              int // new items
	// pairs counts transactions of two operations, misfits those whose operations do not fit,
	// guarded and counted the guards and the changes of counts that were checked, taken and
	// uncounted the operations that failed because of one.
	pairs, misfits, guarded, counted, taken, uncounted int
	// dead counts operations with expired items by the kind of their error, buried the expired
	// items that an operation deleted.
	dead   map[string]int
	buried int
}

// count records the effects of an applied call on the indexes.
func (sim *simulation) count(res result, s *call, entries int) {
	c := &sim.counts
	was, now := sim.keyOnlyValues(res.before, &call{}), sim.keyOnlyValues(res.before, s)
	if _, n, _ := sim.expectedIndexKeys(res.before, was); entries < n {
		c.vanished++
	}
	changed, absent := false, false
	for _, f := range sim.plan.Shape.Fields() {
		if !sim.plan.IndexMember(f) {
			continue
		}
		old, _ := sim.member(res.before, f, was)
		v, _ := sim.member(res.after, f, now)
		if !old.Equal(v) {
			changed, absent = true, absent || v.IsAbsent()
			if f.KeyOnly {
				c.keyOnly++
			}
		}
	}
	if changed {
		c.members++
	}
	if absent {
		c.absent++
	}
}

// condsHold reports whether the item satisfies the call's own conditions.
func (s *call) condsHold(item op.Item) bool {
	return !slices.ContainsFunc(s.modelConds, func(d modelCond) bool { return item[d.attribute] == nil || !same(item[d.attribute], d.value) })
}

// checkSuccess checks that a write that was applied was allowed.
func (sim *simulation) checkSuccess(res result, s *call) error {
	exists, versioned := res.before != nil, sim.plan.Version != nil
	switch {
	case !s.condsHold(res.before):
		return fmt.Errorf("%s was applied although its condition does not hold", s.verb)
	case s.verb == "create" && exists, s.verb == "update" && !exists:
		return fmt.Errorf("%s was applied although the item exists: %t", s.verb, exists)
	case versioned && s.verb == "put" && sim.versionIn(res.before) != s.version, versioned && s.verb == "put" && (s.version == 0) == exists:
		return fmt.Errorf("put was applied to another version")
	case versioned && s.version != 0 && s.verb != "overwrite" && s.verb != "create" && sim.versionIn(res.before) != s.version:
		return fmt.Errorf("%s was applied to another version", s.verb)
	}
	return nil
}

// checkFailure checks that a failed condition had to fail, and that the error is of the right kind.
func (sim *simulation) checkFailure(res result, s *call, got error) error {
	if sim.itemsOnly {
		return nil
	}
	exists := res.before != nil
	current := sim.plan.Version != nil && sim.versionIn(res.before) == s.version && exists
	checks := sim.plan.Version != nil && s.version != 0 && s.verb != "create" && s.verb != "overwrite"
	var want error
	switch {
	case s.verb == "create":
		want = errs.Exists
	case (s.verb == "update" || s.verb == "delete") && !exists:
		want = errs.NotFound
	case checks && !current, s.verb == "put" && sim.plan.Version != nil && s.version == 0 && exists:
		want = errs.Stale
	default:
		want = errs.Condition
	}
	if !errors.Is(got, want) {
		return fmt.Errorf("the failure of a %s is %q in place of %q", s.verb, got, want)
	}
	if errors.Is(want, errs.Condition) && s.condsHold(res.before) && (!sim.exampleHasValues(s) || sim.exampleMatches(res, s)) {
		return fmt.Errorf("the %s failed without a reason", s.verb)
	}
	return nil
}

// exampleMatches reports whether the example equals the item.
func (sim *simulation) exampleMatches(res result, s *call) bool {
	e := reflect.New(sim.plan.Type)
	if !s.isUpdate() || res.before == nil || sim.plan.Decode(res.before, codec.PtrOf(e.Elem())) != nil {
		return false
	}
	return reflect.DeepEqual(e.Interface(), s.entity.Interface())
}

// exampleHasValues reports whether the example has values besides the key. Such values can differ
// from the item.
func (sim *simulation) exampleHasValues(s *call) bool {
	return slices.ContainsFunc(sim.plan.Shape.Fields(), func(f *codec.Field) bool {
		return f != sim.plan.Version && (s.zerosCount() || !sim.fieldOf(s.entity, f).IsZero()) && !inTableKey(sim.plan, f)
	})
}

// checkPlanError checks that an error from planning is correct.
func (sim *simulation) checkPlanError(s *call, err error) error {
	var invalid *errs.ValidationError
	if sim.itemsOnly {
		return nil
	}
	if !errors.As(err, &invalid) {
		return fmt.Errorf("a call is rejected without a ValidationError: %w", err)
	}
	if s.notAllowed || sim.outOfRange(err) {
		return nil
	}
	if !s.isUpdate() {
		return fmt.Errorf("a %s is rejected without a reason: %w", s.verb, err)
	}
	var named fieldSet
	for _, p := range invalid.Problems {
		f := sim.plan.Shape.ByName(p.Field)
		if f == nil || !sim.isUnknown(s, f) {
			return fmt.Errorf("an error names %q, which is known: %w", p.Field, err)
		}
		named.add(f)
	}
	sim.counts.missing++
	if s.readFirst {
		return fmt.Errorf("an update that may read first is rejected: %w", err)
	}
	return sim.checkUnknownFields(s, named)
}

// outOfRange reports whether the error is about a value outside the range of a format, a type or
// DynamoDB.
func (sim *simulation) outOfRange(err error) bool {
	var v *keys.ValueError
	var f *codec.FieldError
	return errors.As(err, &v) || errors.As(err, &f) || errors.Is(err, errOverflow) || errors.Is(err, errs.Limit)
}

// isUnknown reports whether the call leaves a member of an index unknown.
func (sim *simulation) isUnknown(s *call, f *codec.Field) bool {
	a, changed := s.changeOf(f)
	switch {
	case !sim.plan.IndexMember(f):
		return false
	case changed:
		return !a.field.KeyOnly && a.verb != expr.Set && a.verb != expr.Remove
	case f == sim.plan.Created && s.mayCreate(), f.KeyOnly:
		return true
	case sim.plan.TableMember(f):
		return !inTableKey(sim.plan, f)
	default:
		v, err := sim.plan.Value(f, codec.PtrOf(s.entity.Elem()))
		return err != nil || !s.zerosCount() && (v.IsAbsent() || sim.fieldOf(s.entity, f).IsZero())
	}
}

// checkUnknownFields plans a failed update again with the missing fields in the example. Planning
// must succeed with all of them. Without any one of them, the error must name that field.
func (sim *simulation) checkUnknownFields(s *call, named fieldSet) error {
	if s.verb != "update" || slices.ContainsFunc(named, func(f *codec.Field) bool { _, c := s.changeOf(f); return c || f.KeyOnly || sim.plan.TableMember(f) }) {
		return nil
	}
	completed := *s
	completed.entity = reflect.New(sim.plan.Type)
	completed.entity.Elem().Set(s.entity.Elem())
	for _, f := range named {
		sim.fieldOf(completed.entity, f).Set(sim.nonZeroValue(f))
	}
	if _, err := sim.update(sim.updateArgs(&completed)); err != nil && !sim.outOfRange(err) {
		return fmt.Errorf("an update is rejected although the example has the unknown fields: %w", err)
	}
	sim.counts.completed++
	if sim.sharesAttribute() {
		// Another index can determine an attribute that they share.
		return nil
	}
	for _, f := range named {
		was := reflect.New(f.Node.Type).Elem()
		was.Set(sim.fieldOf(completed.entity, f))
		sim.fieldOf(completed.entity, f).SetZero()
		_, err := sim.update(sim.updateArgs(&completed))
		var invalid *errs.ValidationError
		if !errors.As(err, &invalid) || !sim.outOfRange(err) && (len(invalid.Problems) != 1 || invalid.Problems[0].Field != f.Name) {
			return fmt.Errorf("an update reports %s as unknown and does not need it: %w", f.Name, err)
		}
		sim.fieldOf(completed.entity, f).Set(was)
	}
	sim.counts.minimal++
	return nil
}

// nonZeroValue returns a value that is not zero and is stored.
func (sim *simulation) nonZeroValue(f *codec.Field) reflect.Value {
	p, _ := sim.specOf(f)
	return reflect.ValueOf(p.values[1])
}

// sharesAttribute reports whether two indexes share a rendered attribute.
func (sim *simulation) sharesAttribute() bool {
	return slices.ContainsFunc(sim.plan.Attrs, func(a *core.KeyAttr) bool {
		n := 0
		for _, x := range sim.plan.Indexes {
			if x.Key.Has(a) {
				n++
			}
		}
		return a.Rendered() && n > 1
	})
}

// checkReplanError checks that an error from planning after a read is correct.
func (sim *simulation) checkReplanError(s *call, stored op.Item, err error) error {
	switch {
	case errors.Is(err, errs.NotFound) && stored == nil && (s.verb == "update" || s.verb == "delete" && (s.version != 0 || len(s.conds) > 0)):
		sim.counts.failed++
	case errors.Is(err, errs.Stale) && stored == nil && s.verb == "upsert" && s.version != 0:
		sim.counts.failed++
	case sim.outOfRange(err), sim.itemsOnly:
		sim.counts.rejected++
	default:
		return fmt.Errorf("a %s that has read is rejected: %w", s.verb, err)
	}
	return nil
}

// propertyRun is a test run with random schemas.
type propertyRun struct {
	seed           uint64
	schemas, calls int
	update         func(UpdateArgs) (op.Operation, error)
	// itemsOnly restricts the checks to stored items, without errors and requests.
	itemsOnly  bool
	companions bool                          // types have unique values and counts
	edit       func([]op.Action) []op.Action // changes planned actions
	blind      string                        // a verb that takes expired items for items
	counts     counts
}

// run runs schemas until one fails. It returns the number of schemas.
func (c *propertyRun) run() (ran int, err error) {
	c.counts.dead = map[string]int{}
	for i := 0; ran < c.schemas; i++ {
		r := rand.New(rand.NewPCG(c.seed, uint64(i)))
		made := newRandomType(r, c.companions).compile()
		if made == nil {
			continue
		}
		ran++
		sim := &simulation{propertyRun: c, compiled: made, r: r, store: newStore(made.schema, !c.itemsOnly), now: noon, paths: map[string]*core.Path{}}
		for n := range c.calls {
			if err := sim.runCall(); err != nil {
				return ran, fmt.Errorf("schema %d, call %d of %v: %w", i, n, sim.randomType, err)
			}
		}
	}
	return ran, nil
}

// String returns the keys of a random type.
func (d *randomType) String() string { return fmt.Sprintf("%+v %+v", d.spec, d.config.Indexes) }

// TestIndexesAreNeverStale applies random writes to items of random schemas, alone and in
// transactions. It checks that each index attribute equals a new rendering of the item's fields,
// that each unique value has a guard, that each count is the number of the items, that nothing else
// changes, and that an operation has the same result for items that have expired as without them.
//
// The hardest mutant of TestMutantsAreCaught and TestCrossingMutantsAreCaught is found after 65
// schemas on average, so the size of continuous integration misses such a bug in less than one of a
// million runs.
func TestIndexesAreNeverStale(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	run := propertyRun{seed: seed, schemas: testsize.Pick(200, 900, 10_000), calls: 100, update: Update, companions: true}
	_, err := run.run()
	require.NoError(t, err)
	c := run.counts
	t.Logf("%+v", c)
	require.Greater(t, c.members*100, 20*c.calls, "calls that change a member of an index")
	require.Greater(t, c.absent*100, 5*c.calls, "calls that make a member absent")
	require.Greater(t, c.rejected*100, 5*c.calls, "calls that are rejected")
	for name, n := range map[string]int{
		"as read": c.asRead, "zeros": c.zeros, "vanished": c.vanished, "read": c.read, "replanned": c.replanned, "idempotent": c.idempotent, "fresh": c.putAgain, "created": c.created,
		"completed": c.completed, "minimal": c.minimal, "failed": c.failed, "only in keys": c.keyOnly,
		"pairs": c.pairs, "guarded": c.guarded, "counted": c.counted, "taken": c.taken, "buried": c.buried, "dead": c.dead[""],
	} {
		require.Greater(t, n*1000, c.calls, name)
	}
}
