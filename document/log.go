package document

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// The attributes of the root.
const (
	attrLog   = "doc_log"
	attrLogID = "id"
)

// entry is a change in a log: a put, or a delete if it has no item.
type entry struct{ key, item op.Item }

// logOf returns the log of the changes of the parts, and stamps their entities.
func (c *changes) logOf(id string) (*blob, error) {
	data := []byte(nil)
	now := c.config.Now().UTC().Round(0)
	var wrong errs.Problems
	for _, put := range c.puts {
		if put.part.plan.Companions() {
			wrong.AddErr(put.part.name, errCompanions)
			continue
		}
		o, _, err := write.Put(write.PutArgs{Plan: put.part.plan, Entity: codec.PtrOf(put.entity.Elem()), Now: now})
		if err != nil {
			wrong.AddAt(put.part.name, err)
			continue
		}
		data = appendText(data, appendItem(nil, o.Actions[0].Item.Map()))
	}
	data = binary.AppendUvarint(data, 0) // an empty text ends the puts
	for _, d := range c.deletes {
		if d.part.plan.Companions() {
			wrong.AddErr(d.part.name, errCompanions)
		}
		data = appendText(data, appendItem(nil, d.key))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return newBlob(id, data, true)
}

var errCompanions = &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{
	Reason: "the save exceeds a transaction, and this part has unique values or counts", Hint: "save fewer changes at a time", Limit: true,
}}}

// readLog reads a log. The error is errMoved if it is deleted, and errDamaged if it cannot be read.
func (s *store) readLog(ctx context.Context, log *Reference, strong bool) (list []entry, err error) {
	contents, err := s.load(ctx, []Reference{*log}, strong)
	if err != nil {
		return nil, err
	}
	if err := contents[0].err; err != nil {
		return nil, err
	}
	p, deletes := &parser{rest: contents[0].data}, false
	for len(p.rest) > 0 {
		data := p.bytes()
		if len(data) == 0 && !deletes {
			deletes = true
			continue
		}
		item, err := parseItem(data)
		if err != nil {
			return nil, err
		}
		e := entry{key: s.schema.KeyOf(core.NewRow(item))}
		if !deletes {
			e.item = item
		}
		list = append(list, e)
	}
	if p.failed {
		return nil, errDamaged
	}
	return list, nil
}

// overlay applies a log to the items that were read.
func (s *store) overlay(ctx context.Context, log *Reference, wanted []*part, items map[string]found, strong bool) error {
	list, err := s.readLog(ctx, log, strong)
	if err != nil {
		return err
	}
	for _, e := range list {
		sort := s.sortKey(e.key)
		if e.item == nil {
			delete(items, sort)
			continue
		}
		p := s.of[s.schema.PlanOf(core.NewRow(e.item))]
		if !slices.Contains(wanted, p) {
			continue
		}
		entity := reflect.New(p.plan.Type)
		if err := p.plan.Decode(e.item, codec.PtrOf(entity.Elem())); err != nil {
			return errs.Undecodable(err)
		}
		items[sort] = found{p, entity}
	}
	return nil
}

// finish applies a log to the items of the document, if the root still has it, and removes it from
// the root.
func (s *store) finish(ctx context.Context, operation string, rootKey op.Item, log *Reference) error {
	list, err := s.readLog(ctx, log, true)
	if isLost(err) {
		return nil // another writer has finished it, or nobody can
	}
	if err != nil {
		return err
	}
	err = s.apply(ctx, operation, rootKey, log, list)
	if errors.Is(err, errs.Condition) {
		return nil // likewise
	}
	return err
}

// apply sends the changes of a log in transactions, each of which checks that the root has the log.
// So a late request cannot undo a later save.
func (s *store) apply(ctx context.Context, operation string, rootKey op.Item, log *Reference, list []entry) error {
	for len(list) > 0 {
		actions := []op.Action{s.onLog(op.Action{Verb: op.Check}, rootKey, log)}
		size := 0
		for len(list) > 0 && len(actions) < s.settings.MaxActions {
			e := list[0]
			size += codec.ItemSize(e.key) + codec.ItemSize(e.item)
			if size > trestle.MaxTransactionSize-(64<<10) && len(actions) > 1 {
				break
			}
			actions, list = append(actions, e.action()), list[1:]
		}
		if err := again(ctx, func() error { return s.do(ctx, operation, actions...) }); err != nil {
			return err
		}
	}
	remove := s.onLog(op.Action{Verb: op.Update, Idempotent: true}, rootKey, log)
	remove.Change().ChangeAttribute(expr.Remove, attrLog, nil)
	return again(ctx, func() error { return s.do(ctx, operation, remove) })
}

// again sends a write, and once more if its outcome is unknown. Writing twice has the result of
// once, or the condition of the write fails if it was applied.
func again(ctx context.Context, send func() error) error {
	err := send()
	if trestle.OutcomeOf(err) == trestle.Unknown && ctx.Err() == nil {
		return send()
	}
	return err
}

func (e entry) action() op.Action {
	if e.item == nil {
		return op.Action{Verb: op.Delete, Key: e.key, Idempotent: true}
	}
	return op.Action{Verb: op.Put, Item: op.NewContent(e.item), Idempotent: true}
}

// onLog makes an action on the root conditional on its log.
func (s *store) onLog(a op.Action, rootKey op.Item, log *Reference) op.Action {
	a.Key = rootKey
	a.Require(condition(clause.Test{Is: clause.Eq, At: &core.BoundPath{Attribute: attrLog, Elements: []core.PathElement{{Name: attrLogID}}}, Values: []core.AV{text(log.ID)}}))
	return a
}

// condition returns a clause of a write on the library's own items.
func condition(p clause.Pred) clause.Clause {
	return clause.Clause{Pred: p, Fails: errs.Condition, Rank: clause.Called}
}
