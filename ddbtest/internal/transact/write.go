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
	w := writeTransaction{call: c, token: in.ClientRequestToken, metrics: in.ReturnItemCollectionMetrics}
	if err := w.parse(in); err != nil {
		return nil, err
	}
	if err := c.DB.Update(w.run); err != nil {
		return nil, err
	}
	return &api.TransactWriteItemsOutput{
		ConsumedCapacity: c.Meter.All(in.ReturnConsumedCapacity, true), ItemCollectionMetrics: w.collections,
	}, nil
}

// Execute applies the writes that plan returns as one transaction. The fingerprint is equal for
// equal requests. The error of plan cancels nothing.
func Execute(c *engine.Call, token *string, fingerprint string, plan func(*store.State) ([]*item.Action, error)) error {
	w := writeTransaction{call: c, token: token, fingerprint: fingerprint}
	return c.DB.Update(func(s *store.State) (err error) {
		if w.actions, err = plan(s); err != nil {
			return err
		}
		return w.run(s)
	})
}

// writeTransaction is the state of a transaction of writes.
type writeTransaction struct {
	call        *engine.Call
	token       *string
	fingerprint string // if there is a token
	metrics     string // ReturnItemCollectionMetrics
	actions     []*item.Action
	collections item.Collections
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
func (w *writeTransaction) parse(in *api.TransactWriteItemsInput) error {
	writes := make([]item.Write, 0, len(in.TransactItems))
	for _, action := range in.TransactItems {
		described, err := writeOf(action)
		if err != nil {
			return err
		}
		parsed, err := item.Parse(described)
		if err != nil {
			return err
		}
		writes = append(writes, described)
		w.actions = append(w.actions, parsed)
	}
	if w.token != nil {
		w.fingerprint = fingerprint(writes)
	}
	return checkPayload(writes)
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
	for i, action := range w.actions {
		if failed[i].Code == codeConditionalFailed && action.ReturnsOld() {
			failed[i].Item = action.Table().Get(action.Item())
		}
	}
}

// find finds the tables, and rejects an invalid request.
func (w *writeTransaction) find(s *store.State) error {
	seen := itemRefs{}
	tables := make([]*store.Table, len(w.actions))
	for i, action := range w.actions {
		t, err := w.call.Find(s, action.TableName(), s.Now)
		if err != nil {
			return err
		}
		if err := seen.add(t, action.Item()); err != nil {
			return err
		}
		tables[i] = t
	}
	for i, action := range w.actions {
		if err := check.EmptyKey(tables[i].Key, action.Item()); err != nil {
			return err
		}
		if !action.Kind().Puts() {
			continue
		}
		if err := check.EmptyIndexKeys(tables[i], action.Item()); err != nil {
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
			return Cancellation(i, len(w.actions), err)
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
	for _, action := range w.actions {
		action.Commit(w.call, s, true)
		if action.Kind() != item.CheckKind {
			w.collections.Add(action.TableName(), item.CollectionMetrics(action.Table(), action.Item(), w.metrics))
		}
	}
}

// chargeCanceled charges a canceled transaction for the existing items.
func (w *writeTransaction) chargeCanceled() {
	for _, action := range w.actions {
		t := action.Table()
		w.call.Meter.Add(capacity.Use{
			Table: t.Name, Partition: t.Key.PartitionPlace(action.Item()),
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
	return CheckPayload(size)
}

// CheckPayload rejects a transaction with too many bytes.
func CheckPayload(bytes int) error {
	if bytes > maxPayload {
		return awserr.Validation("Transaction payload size cannot exceed 4MB. Payload Size: %d", bytes)
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
