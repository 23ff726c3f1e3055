package batch

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

const maxWrites = 25

// Write implements BatchWriteItem.
func Write(c *engine.Call, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	writes, err := parseWrites(in)
	if err != nil {
		return nil, err
	}
	if err := c.DB.View(func(s *store.State) error { return checkWrites(c, s, writes) }); err != nil {
		return nil, err
	}
	out := &api.BatchWriteItemOutput{UnprocessedItems: map[string][]api.WriteRequest{}}
	var collections item.Collections
	for i, w := range writes {
		if c.Overrides.Unprocessed != nil && c.Overrides.Unprocessed(i) {
			c.Trace.Overridden |= engine.OverrideUnprocessed
			out.UnprocessedItems[w.table] = append(out.UnprocessedItems[w.table], w.request)
			continue
		}
		metrics, err := w.run(c, in.ReturnItemCollectionMetrics)
		if err != nil {
			return nil, err
		}
		collections.Add(w.table, metrics)
	}
	out.ItemCollectionMetrics = collections
	out.ConsumedCapacity = c.Meter.All(in.ReturnConsumedCapacity, false)
	return out, nil
}

// write is one put or one delete.
type write struct {
	table   string // as in the request
	request api.WriteRequest
	action  *item.Action
}

func parseWrites(in *api.BatchWriteItemInput) ([]write, error) {
	var writes []write
	for _, table := range sortedTables(in.RequestItems) {
		for _, request := range in.RequestItems[table] {
			action, err := parseWrite(table, request)
			if err != nil {
				return nil, err
			}
			writes = append(writes, write{table, request, action})
		}
	}
	if len(writes) > maxWrites {
		return nil, awserr.Validation("Too many items requested for the BatchWriteItem call")
	}
	return writes, nil
}

func parseWrite(table string, request api.WriteRequest) (*item.Action, error) {
	kind := item.PutKind
	switch {
	case (request.PutRequest == nil) == (request.DeleteRequest == nil):
		return nil, awserr.Validation("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	case request.PutRequest == nil:
		kind = item.DeleteKind
	}
	return item.Parse(item.Write{Kind: kind, TableName: table, Item: itemOrKey(request)})
}

func checkWrites(c *engine.Call, s *store.State, writes []write) error {
	tables := make([]*store.Table, len(writes))
	for i, w := range writes {
		t, err := c.Find(s, w.table, c.ReadTime(s))
		if err != nil {
			return err
		}
		tables[i] = t
	}
	seen := make(itemRefs, len(writes))
	for i, w := range writes {
		if err := w.check(tables[i]); err != nil {
			return err
		}
		if err := seen.add(itemRef{tables[i].Name, tables[i].Key.Place(itemOrKey(w.request))}); err != nil {
			return err
		}
	}
	return nil
}

// check validates the attributes against the key of the table and its indexes. For an item to put,
// the service returns the less specific errors of a key; PutItem returns more specific ones.
func (w write) check(t *store.Table) error {
	key := itemOrKey(w.request)
	if w.request.PutRequest == nil {
		return check.Key(t.Key, key)
	}
	if err := check.Key(t.Key, t.Key.Pick(key)); err != nil {
		return err
	}
	if err := check.IndexKeys(t, key); err != nil {
		return err
	}
	return check.EntriesSize(t, key)
}

// run applies the write.
func (w write) run(c *engine.Call, metrics string) (m *api.ItemCollectionMetrics, err error) {
	err = c.DB.Update(func(s *store.State) error {
		if err := w.action.Bind(s); err != nil {
			return err
		}
		if err := w.action.Evaluate(); err != nil {
			return err
		}
		w.action.Commit(c, s, false)
		m = item.CollectionMetrics(w.action.Table(), itemOrKey(w.request), metrics)
		return nil
	})
	return m, err
}
