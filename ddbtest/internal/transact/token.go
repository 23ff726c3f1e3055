package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// repeat handles a request whose token belongs to a completed transaction: it charges reads of the
// current items, and returns true.
func (w *writeTransaction) repeat(s *store.State) (bool, error) {
	if w.token == nil {
		return false, nil
	}
	remembered, ok := s.FindToken(*w.token)
	if !ok {
		return false, nil
	}
	if remembered.Fingerprint != w.fingerprint {
		return false, awserr.New("IdempotentParameterMismatchException",
			"Specified idempotent token was used with different request parameters within the idempotency window")
	}
	for _, action := range w.actions {
		t, err := w.call.Find(s, action.TableName(), s.Now)
		if err != nil {
			return false, err
		}
		// The table may have been replaced since.
		if err := check.Key(t.Key, t.Key.Pick(action.Item())); err != nil {
			return false, err
		}
		item.ChargeRead(w.call, t, t.Key.PartitionPlace(action.Item()), t.Get(action.Item()), true, true)
	}
	return true, nil
}

// storeToken stores the token of a completed transaction.
func (w *writeTransaction) storeToken(s *store.State) {
	if w.token != nil {
		s.StoreToken(*w.token, store.Token{Fingerprint: w.fingerprint})
	}
}
