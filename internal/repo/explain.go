package repo

import (
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
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
		return explain.Get(&p.Actions[0], own.repo.view.Exec.Table, firstOf(assume)), nil
	}
	e, _, err := own.explainWrite(&p, p.Token, firstOf(assume))
	return e, own.invalid(err)
}

// explainWrite explains a planned write and returns its actions.
func (o *Op) explainWrite(p *planned, token string, assumed trestle.Assumption) (trestle.Explanation, []op.Action, error) {
	table, name := o.repo.view.Exec.Table, o.verb.String()
	actions := p.Actions
	if p.PreRead != nil {
		var err error
		stored := o.entity
		if o.verb == Move {
			stored = o.from
		}
		if actions, err = p.PreRead.Plan([]op.Item{placeholderItem(p.Plan, stored)}); err != nil {
			return trestle.Explanation{}, nil, err
		}
	}
	combined, err := write.Combine(actions, table)
	if err != nil {
		return trestle.Explanation{}, nil, err
	}
	if p.PreRead == nil {
		return explain.Write(name, combined, token, table, assumed), actions, nil
	}
	return explain.WriteAfterRead(name, combined, token, table, assumed), actions, nil
}

// Explain explains the transaction.
func (t *Transaction) Explain(assume []trestle.Assumption) (trestle.TransactionExplanation, error) {
	j, err := t.plan(true)
	if err != nil {
		return trestle.TransactionExplanation{}, err
	}
	x := trestle.TransactionExplanation{Writes: true}
	var all []op.Action
	for i, o := range t.ops {
		const anyToken = "token" // each operation is a part of a transaction
		e, actions, err := o.explainWrite(&j.parts[i], anyToken, assumptionOf(assume, i))
		if err != nil {
			var wrong errs.Problems
			wrong.AddAt(position(i), err)
			return trestle.TransactionExplanation{}, invalidTransaction(trestle.NotApplied, &j.config, wrong.Err())
		}
		x.Operations = append(x.Operations, e)
		x.Units.Add(e.Units)
		all = j.add(all, i, actions)
	}
	all, err = j.combine(all)
	x.Actions = len(all)
	return x, invalidTransaction(trestle.NotApplied, &j.config, err)
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
// entity has none. No value is shown. placeholderItem returns nil if it cannot find values that the
// keys accept.
func placeholderItem(p *core.Plan, entity any) op.Item {
	whole := copied(p, reflect.ValueOf(entity).Elem())
	at, version := codec.PtrOf(whole), p.Version
	fill := func(a *core.KeyAttr) {
		for i, m := range a.Members {
			if m.IsZero(at) {
				copyEmbedded(whole, m.Index[:len(m.Index)-1])
				_ = m.SetKey(placeholder(a.Template.Fields()[i].Kind), at)
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
	item, err := write.Item(p, at)
	if err != nil {
		return nil
	}
	if version != nil && version.IsZero(at) { // a stored item has one
		item[version.Name] = &types.AttributeValueMemberN{Value: "1"}
	}
	return item
}

// placeholder returns an arbitrary value of a kind.
func placeholder(k keys.Kind) keys.Value {
	switch k {
	case keys.KindInt:
		return keys.Int(1)
	case keys.KindUint:
		return keys.Uint(1)
	case keys.KindFloat:
		return keys.Float(1)
	case keys.KindTime:
		return keys.Time(time.Unix(1, 0))
	case keys.KindBool:
		return keys.Bool(true)
	case keys.KindBytes:
		return keys.Bytes([]byte{1})
	default:
		return keys.Text("1")
	}
}
