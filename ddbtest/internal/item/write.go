// Package item implements the operations on one item, and the steps of a write that transactions
// and batches share.
package item

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Put implements PutItem.
func Put(c *engine.Call, in *api.PutItemInput) (*api.WriteOutput, error) {
	if err := checkReturnValues(in.ReturnValues); err != nil {
		return nil, err
	}
	return write(c, PutOf(in), in.Returns)
}

// PutOf returns the write of a PutItem.
func PutOf(in *api.PutItemInput) Write {
	return Write{
		Kind: PutKind, TableName: in.TableName, Item: in.Item, Condition: in.ConditionExpression, Expectation: in.Expectation,
		Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues, OnFailure: in.ReturnValuesOnConditionCheckFailure,
	}
}

// Delete implements DeleteItem.
func Delete(c *engine.Call, in *api.DeleteItemInput) (*api.WriteOutput, error) {
	if err := checkReturnValues(in.ReturnValues); err != nil {
		return nil, err
	}
	return write(c, DeleteOf(in), in.Returns)
}

// DeleteOf returns the write of a DeleteItem.
func DeleteOf(in *api.DeleteItemInput) Write {
	return Write{
		Kind: DeleteKind, TableName: in.TableName, Item: in.Key, Condition: in.ConditionExpression, Expectation: in.Expectation,
		Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues, OnFailure: in.ReturnValuesOnConditionCheckFailure,
	}
}

// Update implements UpdateItem.
func Update(c *engine.Call, in *api.UpdateItemInput) (*api.WriteOutput, error) {
	return write(c, UpdateOf(in), in.Returns)
}

// UpdateOf returns the write of an UpdateItem.
func UpdateOf(in *api.UpdateItemInput) Write {
	return Write{
		Kind: UpdateKind, TableName: in.TableName, Item: in.Key, Update: in.UpdateExpression, Condition: in.ConditionExpression,
		Updates: in.AttributeUpdates, Expectation: in.Expectation,
		Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues, OnFailure: in.ReturnValuesOnConditionCheckFailure,
	}
}

func checkReturnValues(returnValues string) error {
	switch returnValues {
	case "", "NONE", "ALL_OLD":
		return nil
	}
	return awserr.Validation("ReturnValues can only be ALL_OLD or NONE")
}

func write(c *engine.Call, w Write, want api.Returns) (*api.WriteOutput, error) {
	a, err := Parse(w)
	if err != nil {
		return nil, err
	}
	if w.Update != nil { // an update expression: others have no text to charge for
		if err := a.checkCharge(); err != nil {
			return nil, err
		}
	}
	return execute(c, want, func(*store.State) (*Action, error) { return a, nil })
}

// checkCharge rejects an update that is too large.
func (a *Action) checkCharge() error {
	if a.update == nil {
		return nil
	}
	return check.UpdateCharge(a.update.Charge())
}

// execute applies the write that plan returns.
func execute(c *engine.Call, want api.Returns, plan func(*store.State) (*Action, error)) (*api.WriteOutput, error) {
	out := &api.WriteOutput{}
	err := c.DB.Update(func(s *store.State) error {
		a, err := plan(s)
		if err != nil {
			return err
		}
		if err := a.Bind(s); err != nil {
			return err
		}
		c.Meter.SetName(a.table.Name, a.tableName)
		if err := a.CheckPaths(); err != nil {
			return err
		}
		if err := a.Evaluate(); err != nil {
			a.new = a.old // a failed write is charged for the size of the existing item
			a.Charge(c, false)
			return err
		}
		a.Commit(c, s, false)
		out.Attributes = a.attributes(want.ReturnValues)
		out.ConsumedCapacity = c.Meter.Consumed(a.table.Name, want.ReturnConsumedCapacity, false)
		out.ItemCollectionMetrics = CollectionMetrics(a.table, a.item, want.ReturnItemCollectionMetrics)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// attributes returns the Attributes of the reply.
func (a *Action) attributes(values string) value.Map {
	switch values {
	case "ALL_OLD":
		return a.old
	case "ALL_NEW":
		return a.new
	case "UPDATED_OLD":
		if a.update != nil && a.old != nil {
			return a.update.Updated(a.old)
		}
	case "UPDATED_NEW":
		if a.update != nil && a.new != nil {
			return a.update.Updated(a.new)
		}
	}
	return nil
}

// CollectionMetrics returns the ItemCollectionMetrics of the reply. It is nil unless mode is SIZE
// and the table has local indexes, because only their item collections have a size limit. The
// estimate is a lower and an upper bound, in GB.
func CollectionMetrics(t *store.Table, item value.Map, mode string) *api.ItemCollectionMetrics {
	if mode != "SIZE" || !t.HasLocalIndexes() {
		return nil
	}
	return &api.ItemCollectionMetrics{
		ItemCollectionKey:   item.Pick(t.Key.Partition[0].Name),
		SizeEstimateRangeGB: []float64{0, 1},
	}
}

// Collections holds the metrics of all item collections that an operation changed, by table, each
// collection once.
type Collections map[string][]*api.ItemCollectionMetrics

// Add adds the metrics of one collection, unless they are nil.
func (c *Collections) Add(table string, m *api.ItemCollectionMetrics) {
	if m == nil {
		return
	}
	for _, known := range (*c)[table] {
		if value.Equal(known.ItemCollectionKey, m.ItemCollectionKey) {
			return
		}
	}
	if *c == nil {
		*c = Collections{}
	}
	(*c)[table] = append((*c)[table], m)
}
