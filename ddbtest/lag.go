package ddbtest

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// SetLag sets how far eventually consistent reads lag behind.
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

// Settle makes all writes so far visible to eventually consistent reads. Later writes lag as
// before.
func (db *DB) Settle() {
	db.catchUp()
	db.tape.during(func(e *event) {
		e.Kind = eventSettle
		db.change((*store.State).Settle)
	})
}

// change applies a change that cannot fail.
func (db *DB) change(f func(*store.State)) {
	_ = db.store.Update(func(s *store.State) error {
		f(s)
		return nil
	})
}
