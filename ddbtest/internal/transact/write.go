package transact

import (
	"regexp"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Write implements TransactWriteItems.
func Write(c *engine.Call, in *api.TransactWriteItemsInput) (*api.TransactWriteItemsOutput, error) {
	w := writeTransaction{call: c, in: in}
	if err := w.parse(); err != nil {
		return nil, err
	}
	if err := c.DB.Update(w.run); err != nil {
		return nil, err
	}
	w.out.ConsumedCapacity = c.Meter.All(in.ReturnConsumedCapacity, true)
	return &w.out, nil
}

// writeTransaction is the state of a TransactWriteItems.
type writeTransaction struct {
	call    *engine.Call
	in      *api.TransactWriteItemsInput
	writes  []item.Write
	actions []*item.Action
	out     api.TransactWriteItemsOutput
}

// Writes returns the writes of a request. It returns an error if an action does not have exactly
// one member.
func Writes(in *api.TransactWriteItemsInput) ([]item.Write, error) {
	writes := make([]item.Write, len(in.TransactItems))
	for i, action := range in.TransactItems {
		w, err := writeOf(action)
		if err != nil {
			return nil, err
		}
		writes[i] = w
	}
	return writes, nil
}

// parse parses the actions. It returns the first error.
func (w *writeTransaction) parse() error {
	for _, action := range w.in.TransactItems {
		described, err := writeOf(action)
		if err != nil {
			return err
		}
		parsed, err := item.Parse(described)
		if err != nil {
			return err
		}
		w.writes = append(w.writes, described)
		w.actions = append(w.actions, parsed)
	}
	return checkPayload(w.writes)
}

func (w *writeTransaction) run(s *store.State) error {
	if done, err := w.repeat(s); done || err != nil {
		return err
	}
	if err := w.find(s); err != nil {
		return err
	}
	if err := w.bind(s); err != nil {
		return err
	}
	var failed reasons
	if failed.steer(w.call.Overrides.Reasons, len(w.actions)); failed != nil {
		w.call.Trace.Overridden |= engine.OverrideReasons
		w.addOldItems(failed)
		return failed.err()
	}
	if err := w.evaluate(&failed); err != nil {
		return err
	}
	if failed != nil {
		w.chargeCanceled()
		return failed.err()
	}
	w.commit(s)
	w.storeToken(s)
	return nil
}

// addOldItems sets the existing item in the reasons of conditions that failed by a fault rule, if
// requested.
func (w *writeTransaction) addOldItems(failed reasons) {
	for i, write := range w.writes {
		if failed[i].Code == codeConditionalFailed && write.OnFailure == "ALL_OLD" {
			failed[i].Item = w.actions[i].Table().Get(write.Item)
		}
	}
}

// find finds the tables, and rejects an invalid request.
func (w *writeTransaction) find(s *store.State) error {
	seen := itemRefs{}
	tables := make([]*store.Table, len(w.writes))
	for i, write := range w.writes {
		t, err := w.call.Find(s, write.TableName, s.Now)
		if err != nil {
			return err
		}
		if err := seen.add(t, write.Item); err != nil {
			return err
		}
		tables[i] = t
	}
	for i, write := range w.writes {
		if err := check.EmptyKey(tables[i].Key, write.Item); err != nil {
			return err
		}
		if write.Kind != item.PutKind {
			continue
		}
		if err := check.EmptyIndexKeys(tables[i], write.Item); err != nil {
			return err
		}
	}
	return nil
}

// bind checks the actions against their tables. The first action that fails cancels the
// transaction, and the others are not checked.
func (w *writeTransaction) bind(s *store.State) error {
	for i, action := range w.actions {
		if err := action.Bind(s); err != nil {
			return cancellation(i, len(w.actions), err)
		}
	}
	for _, action := range w.actions {
		if err := action.CheckPaths(); err != nil {
			return err
		}
	}
	return nil
}

// evaluate evaluates all actions, and collects the reasons of those that fail.
func (w *writeTransaction) evaluate(failed *reasons) error {
	for i, action := range w.actions {
		err := action.Evaluate()
		switch {
		case err == nil:
		// The service detects this before the transaction starts.
		case check.IsEmptyUpdate(err):
			return err
		default:
			if err := failed.add(i, len(w.actions), err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writeTransaction) commit(s *store.State) {
	var collections item.Collections
	for i, action := range w.actions {
		action.Commit(w.call, s, true)
		if write := w.writes[i]; write.Kind != item.CheckKind {
			collections.Add(write.TableName, item.CollectionMetrics(action.Table(), write.Item, w.in.ReturnItemCollectionMetrics))
		}
	}
	w.out.ItemCollectionMetrics = collections
}

// chargeCanceled charges a canceled transaction for the existing items.
func (w *writeTransaction) chargeCanceled() {
	for i, action := range w.actions {
		t := action.Table()
		w.call.Meter.Add(capacity.Use{
			Table: t.Name, Partition: string(t.Key.PartitionPlace(w.writes[i].Item)),
			Write: capacity.WriteUnits(action.Old().Size(), 0, true),
		})
	}
}

// maxPayload is the size limit of all actions of a transaction, or of all items that it reads: 4
// MB.
const maxPayload = 4 << 20

// checkPayload rejects actions that are too large together. Existing items do not count.
func checkPayload(writes []item.Write) error {
	size := 0
	for _, w := range writes {
		size += payload(w)
	}
	if size > maxPayload {
		return awserr.Validation("Transaction payload size cannot exceed 4MB. Payload Size: %d", size)
	}
	return nil
}

// placeholder matches the placeholders of an expression.
var placeholder = regexp.MustCompile(`[#:][0-9A-Za-z_]+`)

// payload returns the size of an action: its item or key, its expressions, and each use of a name
// or value in them. DynamoDB Local counts a value that is used twice twice.
func payload(w item.Write) int {
	size := w.Item.Size()
	for _, text := range []*string{w.Update, w.Condition} {
		if text == nil {
			continue
		}
		size += len(*text)
		for _, used := range placeholder.FindAllString(*text, -1) {
			if name, ok := w.Names[used]; ok {
				size += len(name)
			} else if v, ok := w.Values[used]; ok {
				size += value.Size(v)
			}
		}
	}
	return size
}
