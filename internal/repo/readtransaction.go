package repo

import (
	"context"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/write"
)

// ReadItem is an item that a transaction reads.
type ReadItem struct {
	From       *Repo
	Projection *Projection // what to read, if Projected is set
	Projected  bool
	Example    any // a pointer to the example
	Into       any // a pointer to a pointer to the entity or the projection
}

// ReadTransaction is items that are read together. It is immutable.
type ReadTransaction struct{ items []ReadItem }

// NewReadTransaction returns a transaction that reads items.
func NewReadTransaction(items []ReadItem) *ReadTransaction { return &ReadTransaction{items} }

// value returns the transaction; for nil, one without items.
func (t *ReadTransaction) value() ReadTransaction {
	if t == nil {
		return ReadTransaction{}
	}
	return *t
}

// plannedRead is a planned read transaction.
type plannedRead struct {
	op.Operation
	config exec.Config
	rows   [][]int // for each item, the indexes of the actions that read it, by key
}

// Do reads the items. It sets the destinations only if all items can be decoded.
func (t *ReadTransaction) Do(ctx context.Context, res Result) error {
	own := t.value()
	p, err := own.plan()
	if err != nil || len(p.Actions) == 0 {
		return err
	}
	return exec.Do(ctx, &p.config, &p.Operation, func(reply op.Reply) error {
		*res.Capacity, *res.Attempts = reply.Capacity, reply.Attempts
		return own.take(p, reply.Rows)
	})
}

// take decodes the items.
func (t *ReadTransaction) take(p *plannedRead, rows core.Rows) error {
	decoded := make([]reflect.Value, len(t.items))
	for i, item := range t.items {
		row, into := p.row(rows, i), reflect.ValueOf(item.Into).Elem()
		decoded[i] = reflect.Zero(into.Type())
		plan := item.From.typ.Plan
		if !item.From.view.sees(plan, row) {
			continue
		}
		decoded[i] = reflect.New(into.Type().Elem())
		if err := item.projection().decode(plan, row, decoded[i]); err != nil {
			return op.MemberErrors{{Member: i, Err: err}}
		}
	}
	for i, item := range t.items {
		reflect.ValueOf(item.Into).Elem().Set(decoded[i])
	}
	return nil
}

// row returns the row of an item, from the first of its keys that has one.
func (p *plannedRead) row(rows core.Rows, item int) core.Row {
	if len(p.Actions) == 1 {
		return rows.First()
	}
	for _, at := range p.rows[item] {
		if row := rows.At(at); !row.Empty() {
			return row
		}
	}
	return core.Row{}
}

// projection returns the projection to read, or nil for the whole item.
func (r *ReadItem) projection() *Projection {
	switch {
	case !r.Projected:
		return nil
	case r.Projection == nil:
		return &Projection{}
	default:
		return r.Projection
	}
}

// Input returns the SDK input of the transaction.
func (t *ReadTransaction) Input() (*dynamodb.TransactGetItemsInput, error) {
	own := t.value()
	p, err := own.plan()
	if err != nil {
		return nil, err
	}
	return op.TransactGetInput(p.Actions, p.config.Table), nil
}

// Explain explains the transaction.
func (t *ReadTransaction) Explain(assume []trestle.Assumption) (trestle.TransactionExplanation, error) {
	own := t.value()
	p, err := own.plan()
	if err != nil {
		return trestle.TransactionExplanation{}, err
	}
	x := trestle.TransactionExplanation{Actions: len(p.Actions)}
	for i := range p.Actions {
		act := p.Actions[i]
		act.Strong = true
		e := explain.Get(&act, act.Table, own.items[act.Member].From.view.hidesExpired(act.Plan), assumptionOf(assume, i))
		if e.Transaction = len(p.Actions) > 1; e.Transaction {
			e.Units.Read *= 2
		}
		x.Operations = append(x.Operations, e)
		x.Units.Add(e.Units)
	}
	return x, nil
}

// plan plans all reads. An item that is read twice is one action. It reports all problems.
func (t *ReadTransaction) plan() (*plannedRead, error) {
	p := &plannedRead{Operation: op.Operation{Name: transaction}}
	var wrong errs.Problems
	var first *exec.Config
	actions := map[string]int{} // the action that reads an item, by identity
	for i, item := range t.items {
		place := fmt.Sprintf("items[%d]", i)
		act, err := item.plan(&first)
		if err != nil {
			wrong.AddAt(place, err)
			continue
		}
		var rows []int
		for _, key := range append([]op.Item{act.Key}, act.Elsewhere...) {
			own := act
			own.Key, own.Elsewhere = key, nil
			id := own.Identity("")
			at, again := actions[id]
			switch {
			case !again:
				at, actions[id], own.Member = len(p.Actions), len(p.Actions), i
				p.Actions = append(p.Actions, own)
			case p.Actions[at].Projection != own.Projection || p.Actions[at].Plan != own.Plan:
				wrong.Add(place, "the same item is read in two forms", "read the whole item once")
			}
			rows = append(rows, at)
		}
		p.rows = append(p.rows, rows)
		p.Members = append(p.Members, op.Member{Name: Get.String(), Plan: act.Plan, Table: act.Table, Key: act.Key})
	}
	if n := len(p.Actions); n > trestle.MaxTransactionActions {
		wrong.AddErr("", op.TransactionLimit(&trestle.TransactionLimitError{Operations: len(t.items), Actions: n}))
	}
	if err := wrong.Err(); err != nil {
		return nil, invalidTransaction(trestle.NoWrite, first, err)
	}
	if first != nil {
		p.config = *first
	}
	for _, act := range p.Actions {
		if act.Table != p.config.Table {
			p.config.Table = "" // there are several
		}
	}
	if len(p.Actions) == 1 {
		p.Actions[0].Strong, p.Plan = true, p.Actions[0].Plan // it is sent as a single read
	}
	return p, nil
}

// plan plans the read of the item. first is the configuration of the first item. It is set if it is
// nil.
func (r *ReadItem) plan(first **exec.Config) (op.Action, error) {
	at, m := r.From.parts(), r.projection()
	if err := at.readyFor(m); err != nil {
		return op.Action{}, err
	}
	if reflect.ValueOf(r.Into).IsNil() {
		return op.Action{}, errNoDestination
	}
	config := &at.view.Exec
	if *first == nil {
		*first = config
	}
	if !config.SameClient(*first) {
		return op.Action{}, errTxClient
	}
	if !config.Tenant.Same((*first).Tenant) {
		return op.Action{}, tenancy.ErrMixed
	}
	example, err := config.Tenant.BindPtr(at.typ.Plan, r.Example)
	if err != nil {
		return op.Action{}, err
	}
	o, err := write.Get(at.typ.Plan, example, false)
	if err != nil {
		return op.Action{}, err
	}
	act := o.Actions[0]
	places, err := write.Places(at.typ.Plan, example)
	if err != nil {
		return op.Action{}, err
	}
	act.Table, act.Elsewhere = config.Table, places[1:]
	if m != nil {
		request := m.request()
		act.Projection, act.Names = request.Expression, request.Names
	}
	return act, nil
}
