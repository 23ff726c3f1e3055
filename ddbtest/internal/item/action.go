package item

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Kind is the kind of a write.
type Kind uint8

// The writes.
const (
	PutKind Kind = iota + 1
	UpdateKind
	DeleteKind
	// CheckKind is the ConditionCheck of a transaction: a condition alone.
	CheckKind
	// InsertKind is the INSERT of PartiQL: a put that fails if the item exists.
	InsertKind
)

// Puts reports whether the write has a whole item.
func (k Kind) Puts() bool { return k == PutKind || k == InsertKind }

// Write is the request of one write, alone or in a transaction.
type Write struct {
	Kind      Kind
	TableName string
	Item      value.Map // the item for a put or an insert, else the key
	Update    *string
	Condition *string
	Names     map[string]string
	Values    map[string]value.Value
	OnFailure string // ReturnValuesOnConditionCheckFailure

	// Legacy parameters, of writes that are not in a transaction.
	Updates map[string]api.AttributeValueUpdate
	api.Expectation
}

// Action is a parsed write. Its steps must run in this order: [Parse], [Action.Bind],
// [Action.CheckPaths], [Action.Evaluate], [Action.Commit]. Only Commit changes anything, and it
// cannot fail.
type Action struct {
	kind      Kind
	tableName string
	item      value.Map
	update    *expression.Update
	condition *expression.Condition
	returnOld bool

	table *store.Table
	old   value.Map // set by Evaluate
	new   value.Map // set by Evaluate
}

// Parse parses a write. It does not need the table.
func Parse(w Write) (*Action, error) {
	a := &Action{kind: w.Kind, tableName: w.TableName, item: w.Item, returnOld: w.OnFailure == "ALL_OLD"}
	if err := checkTogether(w); err != nil {
		return nil, err
	}
	p, err := placeholders(w)
	if err != nil {
		return nil, err
	}
	if w.Update != nil {
		if a.update, err = expression.ParseUpdate(*w.Update, p); err != nil {
			return nil, err
		}
	}
	if w.Condition != nil {
		if a.condition, err = expression.ParseCondition("ConditionExpression", *w.Condition, p); err != nil {
			return nil, err
		}
	}
	if err := p.Unused(); err != nil {
		return nil, err
	}
	if err := a.checkSize(); err != nil {
		return nil, err
	}
	if err := a.addLegacy(w); err != nil {
		return nil, err
	}
	return a, nil
}

// checkSize rejects an item to put that is too large.
func (a *Action) checkSize() error {
	if a.kind.Puts() {
		return check.Size(a.item)
	}
	return nil
}

// checkTogether rejects a write with legacy parameters and expressions.
func checkTogether(w Write) error {
	return legacy.CheckTogether([]legacy.Parameter{
		{Name: "AttributeUpdates", Given: w.Updates != nil}, {Name: "Expected", Given: w.Expected != nil},
		{Name: "ConditionalOperator", Given: w.ConditionalOperator != ""},
	}, []legacy.Parameter{
		{Name: "UpdateExpression", Given: w.Update != nil}, {Name: "ConditionExpression", Given: w.Condition != nil},
	})
}

// addLegacy sets the update and the condition of legacy parameters, if there are any.
func (a *Action) addLegacy(w Write) (err error) {
	if w.Updates != nil {
		if a.update, err = legacy.Update(w.Updates); err != nil {
			return err
		}
	}
	if w.Expected != nil || w.ConditionalOperator != "" {
		a.condition, err = legacy.Condition(w.Expectation)
	}
	return err
}

// placeholders parses the placeholders. It rejects them if the request has no expression.
func placeholders(w Write) (*expression.Placeholders, error) {
	which := "ConditionExpression is null"
	if w.Kind == UpdateKind {
		which = "UpdateExpression and ConditionExpression are null"
	}
	return Placeholders(w.Names, w.Values, w.Update != nil || w.Condition != nil, which)
}

// Placeholders parses the placeholders of a request. Absent names the missing expressions for the
// error of a request that has placeholders but no expression.
func Placeholders(names map[string]string, values map[string]value.Value, used bool, absent string) (*expression.Placeholders, error) {
	if !used {
		if err := RejectPlaceholders(names, values, absent); err != nil {
			return nil, err
		}
	}
	return expression.NewPlaceholders(names, values)
}

// RejectPlaceholders rejects placeholders, for a request without an expression. Absent names the
// missing expressions.
func RejectPlaceholders(names map[string]string, values map[string]value.Value, absent string) error {
	switch {
	case names != nil:
		return awserr.Validation("ExpressionAttributeNames can only be specified when using expressions")
	case values != nil:
		return awserr.Validation("ExpressionAttributeValues can only be specified when using expressions: %s", absent)
	}
	return nil
}

// Bind finds the table. It rejects a key, an item to put or a target of an update that the table
// does not allow.
func (a *Action) Bind(s *store.State) error {
	t, err := s.Find(a.tableName, s.Now)
	if err != nil {
		return err
	}
	a.table = t
	if a.kind.Puts() {
		if err := check.ItemKey(t.Key, a.item); err != nil {
			return err
		}
		if err := check.IndexKeys(t, a.item); err != nil {
			return err
		}
		return check.EntriesSize(t, a.item)
	}
	if err := check.Key(t.Key, a.item); err != nil {
		return err
	}
	if a.update != nil {
		return check.UpdateTargets(t, a.update.Paths())
	}
	return nil
}

// CheckPaths rejects expressions with paths into key attributes.
func (a *Action) CheckPaths() error {
	if a.condition != nil {
		if err := check.KeyPaths(a.table, a.condition.Paths()); err != nil {
			return err
		}
	}
	if a.update != nil {
		return check.KeyPaths(a.table, slices.Concat(a.update.Paths(), a.update.SourcePaths()))
	}
	return nil
}

// Kind returns the kind of the write.
func (a *Action) Kind() Kind { return a.kind }

// TableName returns the name or ARN of the table in the request.
func (a *Action) TableName() string { return a.tableName }

// Item returns the item of a put or of an insert, or else the key.
func (a *Action) Item() value.Map { return a.item }

// ReturnsOld reports whether a failed condition returns the existing item.
func (a *Action) ReturnsOld() bool { return a.returnOld }

// Table returns the table that Bind found.
func (a *Action) Table() *store.Table { return a.table }

// Old returns the item that Evaluate read, or nil.
func (a *Action) Old() value.Map { return a.old }

// Evaluate reads the current item, checks the condition, and computes the new item.
func (a *Action) Evaluate() error {
	a.old = a.table.Get(a.item)
	if a.condition != nil {
		if !a.condition.Eval(a.old) {
			return a.conditionFailed()
		}
	}
	switch a.kind {
	case InsertKind:
		if a.old != nil {
			return awserr.New(awserr.CodeDuplicateItem, "Duplicate primary key exists in table")
		}
		a.new = a.item
	case PutKind:
		a.new = a.item
	case UpdateKind:
		return a.applyUpdate()
	case CheckKind:
		a.new = a.old
	case DeleteKind:
		a.new = nil
	}
	return nil
}

func (a *Action) conditionFailed() error {
	if a.returnOld {
		return awserr.ConditionFailed(a.old)
	}
	return awserr.ConditionFailed(nil)
}

func (a *Action) applyUpdate() error {
	updated := a.old
	if updated == nil {
		updated = a.item
	}
	if a.update != nil {
		if a.old == nil && !a.update.Creates() {
			return nil
		}
		var err error
		if updated, err = a.update.Apply(updated); err != nil {
			return err
		}
	}
	if err := check.UpdatedIndexKeys(a.table, updated); err != nil {
		return err
	}
	if err := check.UpdatedSize(updated); err != nil {
		return err
	}
	if err := check.UpdatedEntriesSize(a.table, updated); err != nil {
		return err
	}
	if updated.Depth() > value.MaxDepth {
		return awserr.Validation("Nesting Levels have exceeded supported limits: Attributes to update cannot be nested more than 32 levels deep")
	}
	a.new = updated
	return nil
}

// Commit applies the write, and charges its units.
func (a *Action) Commit(c *engine.Call, s *store.State, transactional bool) {
	a.Charge(c, transactional)
	switch a.kind {
	case PutKind, UpdateKind, InsertKind:
		if a.new != nil {
			s.Put(a.table, a.new)
		}
	case DeleteKind:
		s.Delete(a.table, a.item)
	case CheckKind:
	}
}
