package document

import (
	"context"
	"errors"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/write"
)

var typeOfIntent = reflect.TypeFor[intent]()

func (s *store) save(ctx context.Context, d any) error {
	v := reflect.ValueOf(d)
	switch {
	case s.writable() != nil:
		return s.failed(opSave, trestle.NotApplied, s.writable())
	case v.IsNil():
		return s.failed(opSave, trestle.NotApplied, errNil)
	}
	c, outcome, err := s.saveAgain(ctx, v.Elem())
	if errors.Is(err, errs.Exists) && outcome == trestle.NotApplied && s.finishDeletion(ctx, c.doc) {
		c, outcome, err = s.saveAgain(ctx, v.Elem())
	}
	if outcome == trestle.Applied && c != nil {
		at, failure := s.snapshot(c.doc, c.read)
		if failure != nil {
			return s.failed(opSave, outcome, failure)
		}
		s.setSnapshot(c.doc, at)
		v.Elem().Set(c.doc)
	}
	return s.failed(opSave, outcome, err)
}

// saveChanges saves what has changed in a document. The changes are nil if it is invalid.
func (s *store) saveChanges(ctx context.Context, doc reflect.Value) (*changes, trestle.Outcome, error) {
	c, err := s.changes(doc)
	if err != nil {
		return nil, trestle.NotApplied, err
	}
	if c.base != nil && s.now().Contains(s.root.expires(c.base.root)) {
		return nil, trestle.NotApplied, errExpired
	}
	if c.empty() {
		return nil, trestle.Applied, nil
	}
	outcome, err := c.run(ctx)
	return c, outcome, err
}

// intentError is the error of the put of an intent. Nothing of the save is stored, except for the
// intent if its outcome is unknown.
type intentError struct {
	error
	key op.Item
}

// Unwrap returns the error of the put.
func (e intentError) Unwrap() error { return e.error }

// maxIntents is the maximum number of intents that a save stores, each after a lost reply to the
// last one.
const maxIntents = 3

// saveAgain is saveChanges, with another intent and other chunks if the reply to the put of an
// intent is lost. It then deletes the intents that may be stored.
func (s *store) saveAgain(ctx context.Context, doc reflect.Value) (c *changes, outcome trestle.Outcome, err error) {
	var lost []op.Item
	for range maxIntents {
		var failed intentError
		c, outcome, err = s.saveChanges(ctx, doc)
		if !errors.As(err, &failed) || trestle.OutcomeOf(failed.error) != trestle.Unknown || ctx.Err() != nil {
			break
		}
		lost = append(lost, failed.key)
	}
	for _, key := range lost {
		if failure := s.deleteIntent(ctx, opSave, key); outcome == trestle.Applied { // otherwise Clean deletes it
			err = errors.Join(err, failure)
		}
	}
	return c, outcome, err
}

// run saves the changes.
func (c *changes) run(ctx context.Context) (trestle.Outcome, error) {
	rootKey, err := c.root.key(c.doc.Field(c.root.index).Addr())
	if err != nil {
		return trestle.NotApplied, err
	}
	if c.base != nil {
		if log := c.base.pending(c.layout); log != nil {
			if err := c.finish(ctx, opSave, rootKey, log); err != nil {
				return trestle.NotApplied, err
			}
		}
	}
	c.stamp()
	fits, err := c.fits()
	if err != nil {
		return trestle.NotApplied, err
	}
	if fits && len(c.blobs)+len(c.garbage) == 0 {
		return c.commit(ctx, append([]*repo.Op{c.rootOp()}, c.partOps()...))
	}
	return c.runWithIntent(ctx, rootKey, fits)
}

// runWithIntent saves changes with chunks.
func (c *changes) runWithIntent(ctx context.Context, rootKey op.Item, fits bool) (trestle.Outcome, error) {
	i := &intent{State: stateOpen, At: c.config.Now().UnixMilli(), Old: c.garbage, Creates: c.base == nil, key: c.intentKey(rootKey, c.revision)}
	for _, b := range c.blobs {
		i.New = append(i.New, b.ref)
	}
	blobs, parts := c.blobs, c.partOps()
	if !fits {
		log, err := c.logOf(c.revision)
		if err != nil {
			return trestle.NotApplied, err
		}
		c.places.take(&log.ref)
		i.Log = &log.ref
		c.root.rootOf(c.doc.Field(c.root.index).Addr()).Log = i.Log
		blobs, parts = append(blobs, log), nil
	}
	if err := c.putIntent(ctx, i); err != nil {
		return trestle.NotApplied, intentError{err, i.key}
	}
	if err := c.putChunks(ctx, opSave, blobs); err != nil {
		return trestle.NotApplied, errors.Join(err, c.giveUp(ctx, i, trestle.OutcomeOf(err) == trestle.Unknown))
	}
	ops := append([]*repo.Op{c.rootOp()}, parts...)
	outcome, err := c.commit(ctx, append(ops, c.own(opSave, i.settle(stateDone))))
	switch outcome {
	case trestle.NotApplied:
		if c.giveUp(ctx, i, false) != nil {
			return outcome, err // Clean deletes the rest
		}
	case trestle.Applied:
		return outcome, c.complete(ctx, rootKey, i)
	}
	return outcome, err
}

// giveUp deletes the chunks of a save that is not applied and never will be, also if Clean or
// Delete has deleted the intent before. It keeps the intent, for Clean, if a chunk may arrive late.
// It deletes nothing if the save is applied after all, by a request that the network repeated.
func (c *changes) giveUp(ctx context.Context, i *intent, late bool) error {
	if state, err := c.kill(ctx, opSave, i); err != nil || state == stateDone {
		return err
	}
	return c.forget(ctx, opSave, i, false, late)
}

// complete applies the log of a save that is applied, and deletes the garbage.
func (c *changes) complete(ctx context.Context, rootKey op.Item, i *intent) error {
	if i.Log != nil {
		if err := c.finish(ctx, opSave, rootKey, i.Log); err != nil {
			return err
		}
		c.root.rootOf(c.doc.Field(c.root.index).Addr()).Log = nil
	}
	return c.forget(ctx, opSave, i, true, false)
}

// commit sends the write of the root, alone or with others in a transaction. After a lost reply, it
// reads the root, which tells whether the save was applied.
func (c *changes) commit(ctx context.Context, ops []*repo.Op) (trestle.Outcome, error) {
	var err error
	if len(ops) == 1 {
		err = ops[0].Do(ctx, repo.Result{})
	} else {
		var capacity trestle.Capacity
		var attempts int
		err = repo.NewTransaction(ops).Do(ctx, repo.Result{Capacity: &capacity, Attempts: &attempts})
	}
	outcome := trestle.OutcomeOf(err)
	if outcome != trestle.Unknown {
		return outcome, c.rejection(err)
	}
	stored, failure := c.rootItem(ctx, c.doc)
	switch {
	case failure == nil && c.root.rootOf(stored).Revision == c.revision:
		c.adopt(stored)
		return trestle.Applied, nil
	case failure == nil && c.superseded(stored):
		return trestle.NotApplied, errReplaced
	default:
		return outcome, err
	}
}

// adopt sets the version of the root to the one that the save has stored, and its timestamps to the
// stored ones. The stored version may be newer: another repository may have updated the root since.
func (c *changes) adopt(stored reflect.Value) {
	root, plan := c.doc.Field(c.root.index), c.root.plan
	for _, f := range []*codec.Field{plan.Created, plan.Updated} {
		if f != nil {
			root.FieldByIndex(f.Index).Set(stored.Elem().FieldByIndex(f.Index))
		}
	}
	version := root.FieldByIndex(plan.Version.Index)
	if next := c.nextVersion(); version.CanInt() {
		version.SetInt(int64(next)) //nolint:gosec // it was an integer of this type
	} else {
		version.SetUint(next)
	}
}

// nextVersion returns the version that the save stores.
func (c *changes) nextVersion() uint64 {
	if c.base == nil {
		return 1
	}
	return versionNumber(c.root, c.base.root) + 1
}

// superseded reports whether the root has the version that the save would have stored, from another
// writer of the same document. Then the save is not applied, and never will be.
func (c *changes) superseded(stored reflect.Value) bool {
	same := birthOf(c.root.rootOf(stored).Revision) == birthOf(c.revision)
	return c.base != nil && same && versionNumber(c.root, stored) == c.nextVersion()
}

func versionNumber(p *part, root reflect.Value) uint64 {
	v := root.Elem().FieldByIndex(p.plan.Version.Index)
	if v.CanInt() {
		return uint64(v.Int()) //nolint:gosec // it is only compared and incremented
	}
	return v.Uint()
}

// rejection returns the error of the document for that of its transaction.
func (c *changes) rejection(err error) error {
	var failure *exec.ConditionFailure
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errs.Stale):
		return errReplaced
	case c.base != nil && errors.Is(err, errs.Condition) && errors.As(err, &failure) && failure.Plan == c.root.plan:
		return errReplaced
	default:
		return err
	}
}

// itemSize returns the size of the item of an entity.
func (s *store) itemSize(p *part, entity reflect.Value) (int, error) {
	item, err := write.Item(p.plan, codec.PtrOf(entity.Elem()))
	return codec.ItemSize(item), err
}
