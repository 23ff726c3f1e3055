package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Get implements TransactGetItems.
func Get(c *engine.Call, in *api.TransactGetItemsInput) (*api.TransactGetItemsOutput, error) {
	reads, err := parseReads(in)
	if err != nil {
		return nil, err
	}
	responses, err := Read(c, func(*store.State) ([]ItemRead, error) { return reads, nil })
	if err != nil {
		return nil, err
	}
	return &api.TransactGetItemsOutput{Responses: responses, ConsumedCapacity: c.Meter.All(in.ReturnConsumedCapacity, true)}, nil
}

// Read reads the items that plan returns as one transaction.
func Read(c *engine.Call, plan func(*store.State) ([]ItemRead, error)) (responses []api.ItemResponse, err error) {
	err = c.DB.View(func(s *store.State) error {
		planned, err := plan(s)
		if err != nil {
			return err
		}
		reads := make([]read, len(planned))
		for i, r := range planned {
			reads[i].ItemRead = r
		}
		responses = make([]api.ItemResponse, len(reads))
		if err := findReads(c, s, reads); err != nil {
			return err
		}
		if err := bindReads(reads); err != nil {
			return err
		}
		var failed reasons
		if failed.steer(c.Overrides.Reasons, len(reads)); failed != nil {
			c.Trace.Overridden |= engine.OverrideReasons
			return failed.err()
		}
		return readItems(c, reads, responses)
	})
	return responses, err
}

// ItemRead is the read of one item.
type ItemRead struct {
	TableName  string
	Key        value.Map
	Projection *expression.Projection // nil returns all attributes
}

// read is a read with its table.
type read struct {
	ItemRead
	table *store.Table
}

func parseReads(in *api.TransactGetItemsInput) ([]ItemRead, error) {
	reads := make([]ItemRead, len(in.TransactItems))
	for i, action := range in.TransactItems {
		if action.Get == nil {
			return nil, awserr.Validation("Invalid Request: TransactGetRequest should contain Get request")
		}
		projection, err := item.ParseProjection(action.Get.ProjectionExpression, action.Get.ExpressionAttributeNames, nil)
		if err != nil {
			return nil, err
		}
		reads[i] = ItemRead{action.Get.TableName, action.Get.Key, projection}
	}
	return reads, nil
}

// findReads finds the tables, and rejects an invalid request.
func findReads(c *engine.Call, s *store.State, reads []read) (err error) {
	seen := itemRefs{}
	for i := range reads {
		r := &reads[i]
		if r.table, err = c.Find(s, r.TableName, c.ReadTime(s)); err != nil {
			return err
		}
		if err := seen.add(r.table, r.Key); err != nil {
			return err
		}
	}
	for _, r := range reads {
		if err := check.EmptyKey(r.table.Key, r.Key); err != nil {
			return err
		}
	}
	return nil
}

// bindReads checks the reads against their tables, as a transactional write does. Paths are checked
// first here.
func bindReads(reads []read) error {
	for _, r := range reads {
		if err := item.CheckProjection(r.table, r.Projection); err != nil {
			return err
		}
	}
	for i, r := range reads {
		if err := check.Key(r.table.Key, r.Key); err != nil {
			return Cancellation(i, len(reads), err)
		}
	}
	return nil
}

// readItems reads all items at the same point in time.
func readItems(c *engine.Call, reads []read, responses []api.ItemResponse) error {
	size := 0
	for i, r := range reads {
		stored := r.table.Get(r.Key)
		item.ChargeRead(c, r.table, r.table.Key.PartitionPlace(r.Key), stored, true, true)
		c.Trace.Evaluated++
		if stored == nil {
			continue
		}
		c.Trace.Returned++
		if size += stored.Size(); size > maxPayload {
			return awserr.Validation("Payload in response is too large.")
		}
		if r.Projection != nil {
			stored = r.Projection.Apply(stored)
		}
		responses[i].Item = stored
	}
	return nil
}
