package ddbtest

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// SetLag changes how far eventually consistent reads are behind.
func (db *DB) SetLag(lag Lag) {
	db.testing().Helper()
	if err := lag.check(); err != nil {
		db.report(fmt.Errorf("SetLag: %w", err))
		return
	}
	db.tape.during(func(e *event) {
		e.Kind, e.Lag = eventLag, lag
		db.change(func(s *store.State) { s.SetLag(store.Lag{Items: lag.Items, Indexes: lag.Indexes}) })
	})
}

// Settle brings eventually consistent reads up to date with all writes so far. Later writes lag as before.
func (db *DB) Settle() {
	db.catchUp()
	db.tape.during(func(e *event) {
		e.Kind = eventSettle
		db.change((*store.State).Settle)
	})
}

// change changes the state by something that cannot fail.
func (db *DB) change(f func(*store.State)) {
	_ = db.store.Update(func(s *store.State) error {
		f(s)
		return nil
	})
}
