package libitem

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// Update builds an update of an item of the library.
type Update struct {
	key      op.Item
	changes  expr.Update
	discards map[string][]string // texts to remove from sets, by attribute
	clauses  []clause.Clause
}

// NewUpdate returns an update without changes and conditions.
func NewUpdate(key op.Item) *Update { return &Update{key: key} }

// Set sets an attribute.
func (b *Update) Set(attribute string, av core.AV) {
	b.changes.ChangeAttribute(expr.Set, attribute, av)
}

// SetOwn sets the attributes that an item of the library has because of the schema. The type is
// empty for an item whose key is not the library's.
func (b *Update) SetOwn(s *core.Schema, itemType string) {
	for name, av := range s.OwnAttributes(itemType, b.key) {
		b.Set(name, av)
	}
}

// SetIn sets an element of a map.
func (b *Update) SetIn(attribute, key string, av core.AV) {
	b.changes.Change(expr.Set, &core.BoundPath{Attribute: attribute, Elements: []core.PathElement{{Name: key}}}, av)
}

// SetLater sets the attribute of a time, which must not be later yet.
func (b *Update) SetLater(attribute string, at core.AV) {
	b.Set(attribute, at)
	b.Require(clause.Or{clause.Value(attribute, nil), clause.Attribute(attribute, clause.Le, at)})
}

// SetDefault sets an attribute if the item does not have it.
func (b *Update) SetDefault(attribute string, av core.AV) {
	b.changes.ChangeAttribute(expr.SetIfAbsent, attribute, av)
}

// SetFrom adds to a number. An item without the attribute has the given one first.
func (b *Update) SetFrom(attribute string, first int64, by core.AV) {
	b.SetDefault(attribute, Number(first))
	b.changes.AddTo(attribute, by)
}

// Add adds to a number or to a set.
func (b *Update) Add(attribute string, av core.AV) {
	b.changes.ChangeAttribute(expr.Add, attribute, av)
}

// Discard removes a text from a set.
func (b *Update) Discard(attribute, text string) {
	if b.discards == nil {
		b.discards = map[string][]string{}
	}
	b.discards[attribute] = append(b.discards[attribute], text)
}

// Remove removes an attribute.
func (b *Update) Remove(attribute string) { b.changes.ChangeAttribute(expr.Remove, attribute, nil) }

// Require adds a condition.
func (b *Update) Require(p clause.Pred) {
	b.clauses = append(b.clauses, clause.Clause{Pred: p, Fails: errs.Condition, Rank: clause.Called})
}

// RequireEqual requires the value of an attribute. A missing attribute counts as 0.
func (b *Update) RequireEqual(attribute string, n int64) {
	state := clause.Value(attribute, Number(n))
	state.Absent = n == 0
	b.Require(state)
}

// RequireNone requires that the item does not have the attribute.
func (b *Update) RequireNone(attribute string) { b.Require(clause.Value(attribute, nil)) }

// Action returns the update, or a check if it only has conditions.
func (b *Update) Action() op.Action {
	changes := b.changes.Clone()
	for attribute, texts := range b.discards {
		changes.ChangeAttribute(expr.SetDelete, attribute, &types.AttributeValueMemberSS{Value: texts})
	}
	a := op.Action{Verb: op.Update, Key: b.key, Changes: changes, Clauses: b.clauses}
	if changes.IsEmpty() {
		a.Verb = op.Check
	}
	return a
}
