package batch

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const maxReads = 100

// Get implements BatchGetItem.
func Get(c *engine.Call, in *api.BatchGetItemInput) (*api.BatchGetItemOutput, error) {
	reads, err := parseReads(in)
	if err != nil {
		return nil, err
	}
	if err := c.DB.View(func(s *store.State) error { return checkReads(c, s, reads) }); err != nil {
		return nil, err
	}
	out := &api.BatchGetItemOutput{Responses: map[string][]value.Map{}, UnprocessedKeys: map[string]*api.KeysAndAttributes{}}
	for table := range in.RequestItems {
		out.Responses[table] = []value.Map{}
	}
	var budget readBudget
	for i, r := range reads {
		done := false
		if c.Overrides.Unprocessed != nil && c.Overrides.Unprocessed(i) {
			c.Trace.Overridden |= engine.OverrideUnprocessed
		} else if done, err = r.run(c, &budget, out); err != nil {
			return nil, err
		}
		if !done {
			r.addUnprocessed(out)
		}
	}
	out.ConsumedCapacity = c.Meter.All(in.ReturnConsumedCapacity, false)
	return out, nil
}

// read is the read of one item.
type read struct {
	table      string // as in the request
	of         *api.KeysAndAttributes
	key        value.Map
	projection *expression.Projection
}

func parseReads(in *api.BatchGetItemInput) ([]read, error) {
	var reads []read
	for _, table := range sortedTables(in.RequestItems) {
		of := in.RequestItems[table]
		projection, err := item.ParseProjection(of.ProjectionExpression, of.ExpressionAttributeNames, of.AttributesToGet)
		if err != nil {
			return nil, err
		}
		for _, key := range of.Keys {
			reads = append(reads, read{table, of, key, projection})
		}
	}
	if len(reads) > maxReads {
		return nil, awserr.Validation("Too many items requested for the BatchGetItem call")
	}
	return reads, rejectDuplicates(reads)
}

// rejectDuplicates rejects two equal keys of one table. It runs before the tables are looked up, so
// it skips keys that cannot be valid in any table.
func rejectDuplicates(reads []read) error {
	seen := make(itemRefs, len(reads))
	for _, r := range reads {
		if place, ok := encodeKey(r.key); ok {
			if err := seen.add(itemRef{r.table, place}); err != nil {
				return err
			}
		}
	}
	return nil
}

// encodeKey returns the same string for equal keys. ok is false if an attribute is not a string, a
// number or a binary value.
func encodeKey(key value.Map) (place string, ok bool) {
	var b []byte
	for _, a := range key {
		switch a.Value.Kind() {
		case value.KindString, value.KindNumber, value.KindBinary:
			b = value.AppendKey(b, value.String(a.Name))
			b = value.AppendKey(append(b, byte(a.Value.Kind())), a.Value)
		default:
			return "", false
		}
	}
	return string(b), true
}

func checkReads(c *engine.Call, s *store.State, reads []read) error {
	tables := make([]*store.Table, len(reads))
	for i, r := range reads {
		t, err := c.Find(s, r.table, c.ReadTime(s))
		if err != nil {
			return err
		}
		tables[i] = t
	}
	seen := make(itemRefs, len(reads))
	for i, r := range reads {
		if err := check.Key(tables[i].Key, r.key); err != nil {
			return err
		}
		// A request may name a table once by its name and once by its ARN.
		if err := seen.add(itemRef{tables[i].Name, tables[i].Key.Place(r.key)}); err != nil {
			return err
		}
		if err := item.CheckProjection(tables[i], r.projection); err != nil {
			return err
		}
	}
	return nil
}

// run reads the item, unless it exceeds the limits of one request.
func (r read) run(c *engine.Call, budget *readBudget, out *api.BatchGetItemOutput) (done bool, err error) {
	err = c.DB.View(func(s *store.State) error {
		now := c.ReadTime(s)
		t, err := c.Find(s, r.table, now)
		if err != nil {
			return err
		}
		stored, _ := s.Items(t, now, r.of.ConsistentRead).Get(t.Key.Place(r.key))
		if !budget.allow(itemRef{t.Name, t.Key.PartitionPlace(r.key)}, stored.Size()) {
			return nil
		}
		done = true
		projected, err := item.Read(c, s, t, now, r.key, r.of.ConsistentRead, r.projection)
		if stored != nil {
			// an item without any of the projected attributes is returned as an empty map
			out.Responses[r.table] = append(out.Responses[r.table], slices.Concat(value.Map{}, projected))
		}
		return err
	})
	return done, err
}

// addUnprocessed reports the read as unprocessed.
func (r read) addUnprocessed(out *api.BatchGetItemOutput) {
	left := out.UnprocessedKeys[r.table]
	if left == nil {
		same := *r.of
		same.Keys = nil
		left = &same
		out.UnprocessedKeys[r.table] = left
	}
	left.Keys = append(left.Keys, r.key)
}

// Limits of what one request can read, in bytes of items before projection: in total, and per
// partition.
const (
	maxFetched   = 16 << 20
	maxPartition = 1 << 20
)

// readBudget counts the bytes that a request has read.
type readBudget struct {
	bytes      int
	partitions map[itemRef]int
	full       bool
}

// allow counts an item of that size and reports whether it can be read. Once the total limit is
// reached, no further item can be read.
func (f *readBudget) allow(partition itemRef, size int) bool {
	f.full = f.full || f.bytes+size > maxFetched
	if f.full || f.partitions[partition]+size > maxPartition {
		return false
	}
	if f.partitions == nil {
		f.partitions = map[itemRef]int{}
	}
	f.bytes += size
	f.partitions[partition] += size
	return true
}
