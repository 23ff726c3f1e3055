package write

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// countingKeys returns the keys of the items that count an item. value returns its fields as
// members of keys.
func countingKeys(p *core.Plan, value func(a *core.KeyAttr, i int) (keys.Value, error)) ([]op.Item, error) {
	list := make([]op.Item, len(p.Counted))
	var wrong errs.Problems
	for n, c := range p.Counted {
		key, absent := op.Item{}, false
		for a := range c.Key.Attributes() {
			vals := make([]keys.Value, len(a.Members))
			for i, m := range a.Members {
				v, err := value(a, i)
				wrong.AddErr(m.Name, err)
				vals[i], absent = v, absent || err != nil || v.IsAbsent()
			}
			if absent {
				break
			}
			av, err := a.Render(vals)
			wrong.AddErr(c.Label(), err)
			key[a.Name] = av
		}
		if !absent {
			list[n] = key
		}
	}
	return list, wrong.Err()
}

// count returns a change of a count. slot is the slot that is set if the counting item does not
// exist, or 0 if it must exist.
func (c *companionChange) count(of *core.Counted, key op.Item, delta int64, slot int) op.Action {
	a := op.Action{Verb: op.Update, Plan: of.Parent, Key: key, Count: &op.Count{Counted: of, Delta: delta}}
	a.Expiry = c.expiry
	if slot > 0 {
		a.Clauses = []clause.Clause{{Pred: clause.AnItem{Key: &of.Parent.Schema.Partition}, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: slot}}
	}
	return a
}

// CountsOf returns the counts of an entity as attributes.
func CountsOf(p *core.Plan, entity codec.Ptr) (op.Item, error) {
	counts := op.Item{}
	for _, f := range p.Counters {
		counts[f.Name] = numberOf(0)
		if f.IsZero(entity) {
			continue
		}
		av, err := encodeField(f, entity)
		if err != nil {
			return nil, err
		}
		counts[f.Name] = av
	}
	return counts, nil
}

// setCounts sets the counts of an entity; to zero if counts is nil.
func setCounts(p *core.Plan, entity codec.Ptr, counts op.Item) error {
	for _, f := range p.Counters {
		av := counts[f.Name]
		if av == nil {
			av = numberOf(0)
		}
		if err := f.Decode(av, entity); err != nil {
			return errs.Wrap(f.Name, err)
		}
	}
	return nil
}

func numberOf(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// requireCounts requires that a put does not change the counts of the item: the stored ones are
// those of the entity.
func (c *conditions) requireCounts(entity codec.Ptr) error {
	for _, f := range c.plan.Counters {
		var state *clause.State
		if f.IsZero(entity) {
			state = zeroOf(f)
		} else {
			av, err := encodeField(f, entity)
			if err != nil {
				return err
			}
			state = valueOf(f.Name, av, false)
		}
		l := clause.Clause{Pred: state, Fails: errs.Stale, Rank: clause.Counts}
		if c.plan.Version == nil {
			l.Cure = "the stored counts are not those of the entity: read it again, or change other attributes with Update"
		}
		c.add(l)
		c.repeatable++
	}
	return nil
}
