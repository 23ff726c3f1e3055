package item

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Statement is a write whose expressions are parsed already: a statement of PartiQL.
type Statement struct {
	Kind      Kind
	TableName string
	Item      value.Map // the item for an insert, else the key
	Update    *expression.Update
	Condition *expression.Condition
	OnFailure string // ReturnValuesOnConditionCheckFailure
}

// Action returns the action of the write, or an error if the item to insert is too large. Unlike an
// UpdateItem, an UPDATE is not charged for its clauses: only the updated item has a limit.
func (s Statement) Action() (*Action, error) {
	a := &Action{
		kind: s.Kind, tableName: s.TableName, item: s.Item, update: s.Update, condition: s.Condition, returnOld: s.OnFailure == "ALL_OLD",
	}
	if err := a.checkSize(); err != nil {
		return nil, err
	}
	return a, nil
}

// Execute applies the write that plan returns, like a write of one item.
func Execute(c *engine.Call, want api.Returns, plan func(*store.State) (Statement, error)) (*api.WriteOutput, error) {
	return execute(c, want, func(s *store.State) (*Action, error) {
		st, err := plan(s)
		if err != nil {
			return nil, err
		}
		return st.Action()
	})
}
