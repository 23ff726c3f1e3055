package repo

import (
	"reflect"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// Explain explains the operation.
func (o *Op) Explain(assume []trestle.Assumption) (trestle.Explanation, error) {
	own := o.value()
	p, err := own.plan(own.options())
	if err != nil {
		return trestle.Explanation{}, err
	}
	if own.verb == Get {
		return explain.Get(&p.Actions[0], own.repo.view.Exec.Table, own.repo.view.hidesExpired(p.Actions[0].Plan), firstOf(assume)), nil
	}
	actions, err := own.explainedActions(&p, 0)
	if err == nil {
		actions, err = write.Combine(actions, own.repo.view.Exec.Table)
	}
	if err != nil {
		return trestle.Explanation{}, own.invalid(err)
	}
	return own.explainWrite(&p, actions, p.Token, firstOf(assume)), nil
}

// explainedActions returns the actions of a planned write. If they depend on an item that is read
// first, they are planned from a made-up item. member is the index of the operation in its
// transaction.
func (o *Op) explainedActions(p *planned, member int) ([]op.Action, error) {
	if p.PreRead == nil {
		return p.Actions, nil
	}
	stored := o.entity
	switch o.verb {
	case Add:
		without, err := o.add.Plan(false)
		return without.Actions, err
	case Put, Create: // they are explained for a new item
		return p.PreRead.Plan([]op.Item{nil})
	case Move:
		stored = o.from
	default:
	}
	return p.PreRead.Plan([]op.Item{placeholderItem(p.Plan, stored, member+1)})
}

// explainWrite explains a planned write that sends these actions.
func (o *Op) explainWrite(p *planned, actions []op.Action, token string, assumed trestle.Assumption) trestle.Explanation {
	w := explain.Operation{Name: o.verb.String(), Actions: actions, Token: token, Table: o.repo.view.Exec.Table}
	w.ReadsFirst, w.FindsNone, w.ReadsAfter = p.PreRead != nil && len(p.PreRead.Reads) > 0, o.verb == Put || o.verb == Create, p.After != nil
	if w.ReadsFirst && p.Plan.Moved() {
		w.Absent = len(p.PreRead.Reads) - 1
	}
	return explain.Write(w, assumed)
}

// Explain explains the transaction.
func (t *Transaction) Explain(assume []trestle.Assumption) (trestle.TransactionExplanation, error) {
	own := t.value()
	j, err := own.plan(true)
	if err != nil {
		return trestle.TransactionExplanation{}, err
	}
	var all []op.Action
	var wrong errs.Problems
	for i, o := range own.ops {
		actions, err := o.explainedActions(&j.parts[i], i)
		wrong.AddAt(op.Place(i), err)
		all = j.add(all, i, actions)
	}
	if len(wrong) == 0 {
		all, err = j.combine(all)
		wrong.AddErr("", err)
	}
	if len(wrong) > 0 {
		return trestle.TransactionExplanation{}, invalidTransaction(trestle.NotApplied, &j.config, wrong.Err())
	}
	x := trestle.TransactionExplanation{Writes: true, Actions: len(all)}
	for i, o := range own.ops {
		const anyToken = "token" // each operation is a part of a transaction
		e := o.explainWrite(&j.parts[i], actionsOf(all, i), anyToken, assumptionOf(assume, i))
		x.Operations = append(x.Operations, e)
		x.Units.Add(e.Units)
	}
	return x, nil
}

// actionsOf returns the actions of one operation of a transaction.
func actionsOf(all []op.Action, member int) (own []op.Action) {
	for _, a := range all {
		if a.Member == member {
			own = append(own, a)
		}
	}
	return own
}

// assumptionOf returns the assumption of operation i; the last one applies to the rest.
func assumptionOf(assume []trestle.Assumption, i int) trestle.Assumption {
	if len(assume) == 0 {
		return trestle.Assumption{}
	}
	return assume[min(i, len(assume)-1)]
}

func firstOf(assume []trestle.Assumption) trestle.Assumption {
	if len(assume) == 0 {
		return trestle.Assumption{}
	}
	return assume[0]
}

// placeholderItem returns a made-up item to explain a write that first reads the item. The item is
// on every index. Its key fields have the values of the entity, or arbitrary values where the
// entity has none: n distinguishes them from those of other items. No value is shown.
// placeholderItem returns nil if it cannot find values that the keys accept.
func placeholderItem(p *core.Plan, entity any, n int) op.Item {
	whole := copied(p, reflect.ValueOf(entity).Elem())
	at, version := codec.PtrOf(whole), p.Version
	fill := func(a *core.KeyAttr) {
		for i, m := range a.Members {
			if m.IsZero(at) {
				tenancy.CopyEmbedded(whole, m)
				_ = m.SetKey(placeholder(a.Template.Fields()[i].Kind, n), at)
			}
		}
	}
	for _, x := range p.Indexes {
		for a := range x.Key.Attributes() {
			fill(a)
		}
	}
	for _, u := range p.Uniques {
		fill(u.Key)
	}
	for _, c := range p.Counted {
		for a := range c.Key.Attributes() {
			fill(a)
		}
	}
	item, err := write.Item(p, at)
	if err != nil {
		return nil
	}
	if version != nil && version.IsZero(at) { // a stored item has one
		item[version.Name] = &types.AttributeValueMemberN{Value: "1"}
	}
	return item
}

// placeholder returns an arbitrary value of a kind, for each n another one if the kind has many.
func placeholder(k keys.Kind, n int) keys.Value {
	switch k {
	case keys.KindInt:
		return keys.Int(int64(n))
	case keys.KindUint:
		return keys.Uint(uint64(n))
	case keys.KindFloat:
		return keys.Float(float64(n))
	case keys.KindTime:
		return keys.Time(time.Unix(int64(n), 0))
	case keys.KindBool:
		return keys.Bool(true)
	case keys.KindBytes:
		return keys.Bytes([]byte{byte(n)})
	default:
		return keys.Text("?" + strconv.Itoa(n))
	}
}
