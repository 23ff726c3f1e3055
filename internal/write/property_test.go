package write

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// counts holds the number of times that a run reached each case.
type counts struct {
	steps, applied, failed, refused, unfit int
	members                                int // steps that change a member of an index
	absent                                 int // of these, steps that make a member absent
	vanished                               int // of these, steps that remove an index entry
	keyOnly                                int // steps that change a key-only field
	// missing counts updates that fail because of unknown fields, told those that succeed when all
	// these fields are given, and minimal those that need every one of them.
	missing, told, minimal int
	// asRead counts applied updates of an item as it was read, zeros those that depend on a zero.
	asRead, zeros int
	// read counts updates that read first, replanned those planned again after a concurrent write.
	read, replanned int
	// idempotent counts actions applied twice, fresh items compared with a put of themselves.
	idempotent, fresh int
}

// count records the effects of an applied step on the indexes.
func (w *world) count(fx effect, s *step, entries int) {
	c := &w.counts
	was, now := w.keyOnly(fx.before, &step{}), w.keyOnly(fx.before, s)
	if _, n, _ := w.rendered(fx.before, was); entries < n {
		c.vanished++
	}
	changed, absent := false, false
	for _, f := range w.plan.Shape.Fields() {
		if !w.plan.IndexMember(f) {
			continue
		}
		old, _ := w.member(fx.before, f, was)
		v, _ := w.member(fx.after, f, now)
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

// play runs one step and checks the result. Another writer may run between its read and its write.
func (w *world) play() error {
	if chance(w.r, 20) {
		if err := w.lose(); err != nil {
			return err
		}
	}
	s := w.step()
	w.now = w.now.Add(1234567 * time.Microsecond)
	w.counts.steps++
	o, err := w.operation(s)
	if err != nil {
		w.counts.refused++
		return w.refused(s, err)
	}
	if o.PreRead == nil {
		return w.apply(s, &o.Primary)
	}
	return w.readThenWrite(s, o.PreRead)
}

// readThenWrite reads, plans and writes as the executor does.
func (w *world) readThenWrite(s *step, pre *op.PreRead) error {
	w.counts.read++
	met, err := w.store.read(&pre.Read)
	if err != nil {
		return err
	}
	if chance(w.r, 40) {
		if err := w.intrude(); err != nil {
			return err
		}
	}
	for range 3 {
		act, err := pre.Plan(met)
		if err != nil {
			return w.refusedLater(s, met, err)
		}
		fx, err := w.store.copied().apply(&act)
		if err != nil || !fx.failed || !overtaken(&act, fx.before) {
			return w.apply(s, &act)
		}
		w.counts.replanned++
		met = fx.before
	}
	return fmt.Errorf("the guards of an action fail although it was planned from the item that it meets")
}

// intrude runs a step of another writer.
func (w *world) intrude() error {
	s := w.step()
	s.readFirst = false
	if s.verb == "overwrite" {
		s.verb = "put"
	}
	if o, err := w.operation(s); err == nil {
		return w.apply(s, &o.Primary)
	}
	return nil
}

func overtaken(a *op.Action, met op.Item) bool {
	for _, g := range a.Why.Guards {
		if !same(met[g.Attribute], g.Value) {
			return true
		}
	}
	return false
}

// apply applies an action and checks the result.
func (w *world) apply(s *step, act *op.Action) error {
	again := w.store.copied()
	fx, err := w.store.apply(act)
	var misfit *unfit
	switch {
	case errors.As(err, &misfit):
		w.counts.unfit++
		return nil
	case err != nil:
		return err
	case s.illegal && !w.itemsOnly:
		return fmt.Errorf("a change that no update may make was planned")
	case fx.failed:
		w.counts.failed++
		return w.checkFailure(fx, s, act)
	}
	w.counts.applied++
	if s.updates() && s.zerosGiven() {
		w.counts.asRead++
		if strings.Contains(act.Condition, "attribute_type(") {
			w.counts.zeros++
		}
	}
	if err := w.checkSuccess(fx, s); err != nil {
		return err
	}
	if err := w.check(fx, s); err != nil {
		return fmt.Errorf("%w, after %s, which did %q if %q", err, s, act.Update, act.Condition)
	}
	if act.Idempotent {
		w.counts.idempotent++
		for range 2 {
			if twice, err := again.apply(act); err != nil || twice.failed {
				return fmt.Errorf("an idempotent action cannot be repeated: %v, failed %t", err, twice.failed)
			}
		}
		if !reflect.DeepEqual(again.items, w.store.items) {
			return fmt.Errorf("an idempotent action applied twice is not the same as once")
		}
	}
	return nil
}

// meets reports whether the item satisfies the step's own conditions.
func (s *step) meets(item op.Item) bool {
	return !slices.ContainsFunc(s.asks, func(d demand) bool { return item[d.attribute] == nil || !same(item[d.attribute], d.value) })
}

// checkSuccess checks that a write that was applied was allowed.
func (w *world) checkSuccess(fx effect, s *step) error {
	exists, versioned := fx.before != nil, w.plan.Version != nil
	switch {
	case !s.meets(fx.before):
		return fmt.Errorf("%s was applied although its condition does not hold", s.verb)
	case s.verb == "create" && exists, s.verb == "update" && !exists:
		return fmt.Errorf("%s was applied although the item exists: %t", s.verb, exists)
	case versioned && s.verb == "put" && w.versionIn(fx.before) != s.version, versioned && s.verb == "put" && (s.version == 0) == exists:
		return fmt.Errorf("put was applied to another version")
	case versioned && s.version != 0 && s.verb != "overwrite" && s.verb != "create" && w.versionIn(fx.before) != s.version:
		return fmt.Errorf("%s was applied to another version", s.verb)
	}
	return nil
}

// checkFailure checks that a failed condition had to fail, and that the error is of the right kind.
func (w *world) checkFailure(fx effect, s *step, act *op.Action) error {
	if w.itemsOnly {
		return nil
	}
	exists := fx.before != nil
	current := w.plan.Version != nil && w.versionIn(fx.before) == s.version && exists
	checks := w.plan.Version != nil && s.version != 0 && s.verb != "create" && s.verb != "overwrite"
	var want error
	switch {
	case s.verb == "create":
		want = fail.Exists
	case (s.verb == "update" || s.verb == "delete") && !exists:
		want = fail.NotFound
	case checks && !current, s.verb == "put" && w.plan.Version != nil && s.version == 0 && exists:
		want = fail.Stale
	default:
		want = fail.Condition
	}
	if got := act.Why.Kind(fx.before); !errors.Is(got, want) {
		return fmt.Errorf("the failure of a %s is called %q, and is %q", s.verb, got, want)
	}
	if errors.Is(want, fail.Condition) && s.meets(fx.before) && (!w.claims(s) || w.truthful(fx, s)) {
		return fmt.Errorf("the %s failed, and nothing asked for it", s.verb)
	}
	return nil
}

// truthful reports whether the example equals the item.
func (w *world) truthful(fx effect, s *step) bool {
	e := reflect.New(w.plan.Type)
	if !s.updates() || fx.before == nil || w.plan.Decode(fx.before, codec.PtrOf(e.Elem())) != nil {
		return false
	}
	return reflect.DeepEqual(e.Interface(), s.entity.Interface())
}

// claims reports whether the example has values besides the key. Such values can differ from the
// item.
func (w *world) claims(s *step) bool {
	return slices.ContainsFunc(w.plan.Shape.Fields(), func(f *codec.Field) bool {
		return f != w.plan.Version && (s.zerosGiven() || !w.fieldOf(s.entity, f).IsZero()) && !certain(w.plan, f)
	})
}

// refused checks that an error from planning is correct.
func (w *world) refused(s *step, err error) error {
	var refusal *fail.Refusal
	if w.itemsOnly {
		return nil
	}
	if !errors.As(err, &refusal) {
		return fmt.Errorf("a call is refused with something else than a refusal: %w", err)
	}
	if s.illegal || w.outOfRange(err) {
		return nil
	}
	if !s.updates() {
		return fmt.Errorf("a %s is refused for no reason: %w", s.verb, err)
	}
	var named fieldSet
	for _, p := range refusal.Problems {
		f := w.plan.Shape.ByName(p.Field)
		if f == nil || !w.unknown(s, f) {
			return fmt.Errorf("a refusal names %q, which is known: %w", p.Field, err)
		}
		named.add(f)
	}
	w.counts.missing++
	if s.readFirst {
		return fmt.Errorf("an update that may read first is refused: %w", err)
	}
	return w.checkMissing(s, named)
}

// outOfRange reports whether the error is about a value outside the range of a format, a type or
// DynamoDB.
func (w *world) outOfRange(err error) bool {
	var v *keys.ValueError
	var f *codec.FieldError
	return errors.As(err, &v) || errors.As(err, &f) || errors.Is(err, errOverflow) || errors.Is(err, fail.Limit)
}

// unknown reports whether the step leaves a member of an index unknown.
func (w *world) unknown(s *step, f *codec.Field) bool {
	a, changed := s.of(f)
	switch {
	case !w.plan.IndexMember(f):
		return false
	case changed:
		return !a.field.KeyOnly && a.verb != expr.Set && a.verb != expr.Remove
	case f == w.plan.Created && s.verb == "upsert", f.KeyOnly:
		return true
	case w.plan.TableMember(f):
		return !certain(w.plan, f)
	default:
		v, err := w.plan.Value(f, codec.PtrOf(s.entity.Elem()))
		return err != nil || !s.zerosGiven() && (v.IsAbsent() || w.fieldOf(s.entity, f).IsZero())
	}
}

// checkMissing plans a failed update again with the missing fields in the example. Planning must
// succeed with all of them. Without any one of them, the error must name that field.
func (w *world) checkMissing(s *step, named fieldSet) error {
	if s.verb != "update" || slices.ContainsFunc(named, func(f *codec.Field) bool { _, c := s.of(f); return c || f.KeyOnly || w.plan.TableMember(f) }) {
		return nil
	}
	told := *s
	told.entity = reflect.New(w.plan.Type)
	told.entity.Elem().Set(s.entity.Elem())
	for _, f := range named {
		w.fieldOf(told.entity, f).Set(w.telling(f))
	}
	if _, err := w.plans(w.args(&told)); err != nil && !w.outOfRange(err) {
		return fmt.Errorf("an update is refused although it is told what it asked for: %w", err)
	}
	w.counts.told++
	if w.sharing() {
		// Another index can determine an attribute that they share.
		return nil
	}
	for _, f := range named {
		was := reflect.New(f.Node.Type).Elem()
		was.Set(w.fieldOf(told.entity, f))
		w.fieldOf(told.entity, f).SetZero()
		_, err := w.plans(w.args(&told))
		var refusal *fail.Refusal
		if !errors.As(err, &refusal) || !w.outOfRange(err) && (len(refusal.Problems) != 1 || refusal.Problems[0].Field != f.Name) {
			return fmt.Errorf("an update asks for %s and does without: %w", f.Name, err)
		}
		w.fieldOf(told.entity, f).Set(was)
	}
	w.counts.minimal++
	return nil
}

// telling returns a value that is not zero and is stored.
func (w *world) telling(f *codec.Field) reflect.Value {
	p, _ := w.part(f)
	return reflect.ValueOf(p.values[1])
}

// sharing reports whether two indexes share a rendered attribute.
func (w *world) sharing() bool {
	return slices.ContainsFunc(w.plan.Attrs, func(a *core.KeyAttr) bool {
		n := 0
		for _, x := range w.plan.Indexes {
			if x.Key.Has(a) {
				n++
			}
		}
		return a.Rendered() && n > 1
	})
}

// refusedLater checks that an error from planning after a read is correct.
func (w *world) refusedLater(s *step, met op.Item, err error) error {
	switch {
	case errors.Is(err, fail.NotFound) && met == nil && s.verb == "update":
		w.counts.failed++
	case errors.Is(err, fail.Stale) && met == nil && s.verb == "upsert" && s.version != 0:
		w.counts.failed++
	case w.outOfRange(err), w.itemsOnly:
		w.counts.refused++
	default:
		return fmt.Errorf("a %s that has read is refused: %w", s.verb, err)
	}
	return nil
}

// campaign is a test run with random schemas.
type campaign struct {
	seed           uint64
	schemas, steps int
	plans          func(UpdateArgs) (op.Operation, error)
	// itemsOnly restricts the checks to stored items, without errors and requests.
	itemsOnly bool
	counts    counts
}

// play runs schemas until one fails. It returns the number of schemas.
func (c *campaign) play() (played int, err error) {
	for i := 0; played < c.schemas; i++ {
		r := rand.New(rand.NewPCG(c.seed, uint64(i)))
		made := draw(r).compile()
		if made == nil {
			continue
		}
		played++
		w := &world{campaign: c, compiled: made, r: r, store: newStore(made.schema, !c.itemsOnly), now: noon, paths: map[string]*core.Path{}}
		for n := range c.steps {
			if err := w.play(); err != nil {
				return played, fmt.Errorf("schema %d, step %d of %v: %w", i, n, w.drawing, err)
			}
		}
	}
	return played, nil
}

// String returns the keys of a drawing.
func (d *drawing) String() string { return fmt.Sprintf("%+v %+v", d.spec, d.config.Indexes) }

// TestIndexesAreNeverStale applies random writes to items of random schemas. It checks that each
// index attribute equals a new rendering of the item's fields, and that nothing else changes.
func TestIndexesAreNeverStale(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	run := campaign{seed: seed, schemas: testsize.Pick(300, 1_000, 10_000), steps: testsize.Pick(60, 100), plans: Update}
	_, err := run.play()
	require.NoError(t, err)
	c := run.counts
	t.Logf("%+v", c)
	require.Greater(t, c.members*100, 20*c.steps, "steps that change a member of an index")
	require.Greater(t, c.absent*100, 5*c.steps, "steps that make a member absent")
	require.Greater(t, c.refused*100, 5*c.steps, "steps that are refused")
	for name, n := range map[string]int{
		"as read": c.asRead, "zeros": c.zeros, "vanished": c.vanished, "read": c.read, "replanned": c.replanned, "idempotent": c.idempotent, "fresh": c.fresh,
		"told": c.told, "minimal": c.minimal, "failed": c.failed, "only in keys": c.keyOnly,
	} {
		require.Greater(t, n*1000, c.steps, name)
	}
}
