package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// change is what is remembered of an action of a completed transaction: where it was, and the larger size of the item before and after it.
type change struct {
	table, partition string
	bytes            int
}

// replay answers a request whose transaction was completed before: it reads what was written then, and tells that it did.
func (w *writing) replay(s *store.State) (bool, error) {
	if w.in.ClientRequestToken == nil {
		return false, nil
	}
	remembered, ok := s.Remembered(*w.in.ClientRequestToken)
	if !ok {
		return false, nil
	}
	if remembered.Fingerprint != w.fingerprint() {
		return false, awserr.New("IdempotentParameterMismatchException",
			"Specified idempotent token was used with different request parameters within the idempotency window")
	}
	for _, c := range remembered.Request.([]change) {
		w.call.Meter.Add(capacity.Use{Table: c.table, Partition: c.partition, Read: capacity.ReadUnits(c.bytes, true, true)})
	}
	return true, nil
}

// remember keeps the token of a transaction that was completed.
func (w *writing) remember(s *store.State) {
	if w.in.ClientRequestToken == nil {
		return
	}
	changes := make([]change, len(w.actions))
	for i, action := range w.actions {
		t := action.Table()
		changes[i] = change{
			table: t.Name, partition: string(t.Key.PartitionPlace(w.writes[i].Item)),
			bytes: max(action.Old().Size(), action.New().Size()),
		}
	}
	s.Remember(*w.in.ClientRequestToken, store.Token{Fingerprint: w.fingerprint(), Request: changes})
}
