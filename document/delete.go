package document

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

func (s *store) delete(ctx context.Context, example any) error {
	doc, rootKey, err := s.example(example)
	outcome := trestle.NotApplied
	if err == nil {
		outcome, err = s.deleteDocument(ctx, doc, rootKey)
	}
	return s.failed(opDelete, outcome, err)
}

// deleteDocument deletes a document. The outcome is Applied as soon as readers do not find it any
// more.
func (s *store) deleteDocument(ctx context.Context, doc reflect.Value, rootKey op.Item) (trestle.Outcome, error) {
	root, err := s.rootItem(ctx, doc)
	if err != nil {
		return trestle.NotApplied, err
	}
	d := &deletion{store: s, doc: doc, root: root, rootKey: rootKey, name: s.root.rootOf(root).Deleting}
	if d.name == "" {
		if outcome, err := d.hide(ctx); err != nil {
			return outcome, err
		}
	}
	return trestle.Applied, d.run(ctx)
}

// finishDeletion finishes a deletion that has hidden the document. It reports whether there was
// one, and it is finished.
func (s *store) finishDeletion(ctx context.Context, doc reflect.Value) bool {
	_, rootKey, err := s.example(doc.Addr().Interface())
	if err != nil {
		return false
	}
	root, err := s.rootItem(ctx, doc)
	if err != nil || s.root.rootOf(root).Deleting == "" {
		return false
	}
	d := &deletion{store: s, doc: doc, root: root, rootKey: rootKey, name: s.root.rootOf(root).Deleting}
	return d.run(ctx) == nil
}

// deletion is a deletion of a document.
type deletion struct {
	*store
	doc, root reflect.Value
	rootKey   op.Item
	name      string // the root has it
	items     map[string]found
	intents   []*intent
}

// hide finishes the log of the document, and marks the document as being deleted.
func (d *deletion) hide(ctx context.Context) (trestle.Outcome, error) {
	if err := d.checkVersion(d.doc, d.root); err != nil {
		return trestle.NotApplied, err
	}
	if log := d.store.root.rootOf(d.root).Log; log != nil {
		if err := d.finish(ctx, opDelete, d.rootKey, log); err != nil {
			return trestle.NotApplied, err
		}
	}
	var err error
	if d.name, err = d.config.Random.Text(); err != nil {
		return trestle.NotApplied, err
	}
	return d.mark(ctx)
}

// run deletes the items of the document. What it reads belongs to the document only if the root
// still has the name afterwards: otherwise another program has deleted the document, and perhaps
// another one has created it again.
func (d *deletion) run(ctx context.Context) (err error) {
	if d.items, err = d.heads(ctx, d.doc, d.parts, true); err != nil {
		return err
	}
	d.store.root.rootOf(d.root).dropExpiring(d.items)
	if d.intents, err = d.listIntents(ctx, opDelete, d.rootKey); err != nil {
		return err
	}
	root, err := d.rootItem(ctx, d.doc)
	switch {
	case errors.Is(err, errs.NotFound):
		return nil
	case err != nil:
		return err
	case d.store.root.rootOf(root).Deleting != d.name:
		return nil
	}
	if err := d.deleteParts(ctx); err != nil {
		return unlessGone(err)
	}
	if err := d.settle(ctx, opDelete, d.intents, d.settles); err != nil {
		return err
	}
	named := []*expr.Cond{d.has(attrDeleting, &d.name)}
	return unlessGone(again(ctx, func() error {
		return d.repo(d.store.root).Op(repo.Delete, d.bare(d.root).Interface(), named).Do(ctx, repo.Result{})
	}))
}

// settles reports whether a deletion settles an intent: all except the young ones of saves that
// create the document again. The others cannot be applied any more.
func (d *deletion) settles(i *intent) bool { return !i.Creates || d.settled(i) }

// unlessGone returns nil if the root does not have the name of the deletion any more, because
// another program has finished it.
func unlessGone(err error) error {
	if errors.Is(err, errs.Condition) || errors.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// bare returns a root without a version, which is not checked then.
func (s *store) bare(root reflect.Value) reflect.Value {
	own := reflect.New(s.root.plan.Type)
	own.Elem().Set(root.Elem())
	own.Elem().FieldByIndex(s.root.plan.Version.Index).SetZero()
	return own
}

// checkVersion checks the version of a document that was read.
func (s *store) checkVersion(doc, root reflect.Value) error {
	at := s.snapshotOf(doc)
	if at == nil {
		return nil
	}
	stored, err := s.version(root)
	if err == nil && (!reflect.DeepEqual(at.version, stored) || at.revision(s.layout) != s.root.rootOf(root).Revision) {
		err = errReplaced
	}
	return err
}

// mark marks the root as being deleted, so that nobody reads or saves the document any more.
func (d *deletion) mark(ctx context.Context) (trestle.Outcome, error) {
	version, err := d.version(d.root)
	if err != nil {
		return trestle.NotApplied, err
	}
	mark := op.Action{Verb: op.Update, Key: d.rootKey}
	stored := d.store.root.plan.Version.Name
	mark.Change().ChangeAttribute(expr.Set, attrDeleting, text(d.name))
	mark.Change().ChangeAttribute(expr.Add, stored, number("1"))
	mark.Require(condition(clause.Value(stored, version)))
	if revision := d.store.root.rootOf(d.root).Revision; revision != "" { // the version of a new document begins with 1
		mark.Require(condition(clause.Value(attrRevision, text(revision))))
	}
	err = d.do(ctx, opDelete, mark)
	outcome := trestle.OutcomeOf(err)
	switch {
	case outcome == trestle.NotApplied && errors.Is(err, errs.Condition):
		return outcome, errReplaced
	case outcome == trestle.Unknown:
		if now, failure := d.rootItem(ctx, d.doc); failure == nil && d.store.root.rootOf(now).Deleting == d.name {
			return trestle.Applied, nil
		}
	}
	return outcome, err
}

// deleteParts deletes the chunks, and then all items except the root. Each transaction checks the
// name in the root, so that it deletes nothing of a document that is created later.
func (d *deletion) deleteParts(ctx context.Context) error {
	refs := d.store.root.references(d.root)
	var ops []*repo.Op
	most := 1 // the actions of one item
	for _, sort := range slices.Sorted(maps.Keys(d.items)) {
		i := d.items[sort]
		if refs = append(refs, i.part.references(i.entity)...); !i.part.isRoot {
			ops = append(ops, d.repo(i.part).Op(repo.Delete, i.entity.Interface(), nil))
			most = max(most, 1+i.part.companions())
		}
	}
	if err := d.deleteChunks(ctx, opDelete, refs); err != nil {
		return err
	}
	size := max(1, min(d.settings.MaxActions-1, 24, (trestle.MaxTransactionActions-1)/most))
	for some := range slices.Chunk(ops, size) {
		check := d.own(opDelete, op.Action{
			Verb: op.Check, Key: d.rootKey, Clauses: []clause.Clause{condition(clause.Value(attrDeleting, text(d.name)))},
		})
		var capacity trestle.Capacity
		var attempts int
		t := repo.NewTransaction(append([]*repo.Op{check}, some...))
		if err := t.Do(ctx, repo.Result{Capacity: &capacity, Attempts: &attempts}); err != nil {
			return err
		}
	}
	return nil
}
