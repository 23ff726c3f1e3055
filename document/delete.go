package document

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

func (s *store) delete(ctx context.Context, example any) error {
	doc, rootKey, err := s.example(example)
	marked := false
	if err == nil {
		marked, err = s.deleteDocument(ctx, doc, rootKey)
	}
	return s.failed(opDelete, applied(marked), err)
}

// deleteDocument deletes a document. marked reports whether readers do not find it any more.
func (s *store) deleteDocument(ctx context.Context, doc reflect.Value, rootKey op.Item) (marked bool, err error) {
	root, err := s.rootItem(ctx, doc)
	if err != nil {
		return false, err
	}
	state := s.root.rootOf(root)
	if !state.Deleting {
		if err := s.checkVersion(doc, root); err != nil {
			return false, err
		}
		if state.Log != nil {
			if err := s.finish(ctx, opDelete, rootKey, state.Log); err != nil {
				return false, err
			}
		}
		if err := s.mark(ctx, root, rootKey); err != nil {
			return false, err
		}
	}
	if err := s.deleteParts(ctx, doc, root); err != nil {
		return true, err
	}
	if err := s.settleAll(ctx, opDelete, rootKey, func(*intent) bool { return true }); err != nil {
		return true, err
	}
	return true, s.repo(s.root).Op(repo.Delete, s.bare(root).Interface(), nil).Do(ctx, repo.Result{})
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
	if err == nil && !reflect.DeepEqual(at.version, stored) {
		err = errReplaced
	}
	return err
}

// mark marks the root as being deleted, so that nobody reads or saves the document any more.
func (s *store) mark(ctx context.Context, root reflect.Value, rootKey op.Item) error {
	version, err := s.version(root)
	if err != nil {
		return err
	}
	name := s.root.plan.Version.Name
	_, err = s.do(ctx, opDelete, op.Action{
		Verb: op.Update, Key: rootKey, Update: "SET #deleting = :true, #version = #version + :one", Condition: "#version = :version",
		Names:  map[string]string{"#deleting": "doc_deleting", "#version": name},
		Values: op.Item{":true": boolean(true), ":one": number("1"), ":version": version},
	})
	if errors.Is(err, errs.Condition) {
		return errReplaced
	}
	if trestle.OutcomeOf(err) == trestle.Unknown {
		if now, failure := s.rootItem(ctx, s.asDocument(root)); failure == nil && s.root.rootOf(now).Deleting {
			return nil
		}
	}
	return err
}

// asDocument returns a document with that root.
func (s *store) asDocument(root reflect.Value) reflect.Value {
	doc := reflect.New(s.typ).Elem()
	doc.Field(s.root.index).Set(root.Elem())
	return doc
}

// deleteParts deletes all items of a document except the root. The chunks of an item are deleted
// before it.
func (s *store) deleteParts(ctx context.Context, doc, root reflect.Value) error {
	items, err := s.heads(ctx, doc, s.parts, true)
	if err != nil {
		return err
	}
	refs := s.root.references(root)
	for _, i := range items {
		refs = append(refs, i.part.references(i.entity)...)
	}
	if err := s.deleteChunks(ctx, opDelete, refs); err != nil {
		return err
	}
	return repo.WriteMany(ctx, func(yield func(any, *repo.Op) bool) {
		for _, sort := range slices.Sorted(maps.Keys(items)) {
			i := items[sort]
			if i.part.isRoot {
				continue
			}
			if !yield(i.entity.Elem().Interface(), s.repo(i.part).Op(repo.Delete, i.entity.Interface(), nil)) {
				return
			}
		}
	}, repo.BatchOptions{Concurrency: s.settings.Concurrency})
}

// settleAll settles the intents of a document for which which returns true: it gives up saves that
// are not applied, and deletes the garbage of all.
func (s *store) settleAll(ctx context.Context, operation string, rootKey op.Item, which func(*intent) bool) error {
	list, err := s.listIntents(ctx, operation, rootKey)
	if err != nil {
		return err
	}
	return s.settleEach(ctx, operation, list, which)
}

func (s *store) settleEach(ctx context.Context, operation string, list []*intent, which func(*intent) bool) error {
	for _, i := range list {
		if !which(i) {
			continue
		}
		committed := i.State == stateDone
		if !committed {
			dead, err := s.kill(ctx, operation, i)
			if err != nil {
				return err
			}
			if !dead {
				continue // applied meanwhile, or settled by another program
			}
		}
		if err := s.forget(ctx, operation, i, committed); err != nil {
			return err
		}
	}
	return nil
}
