package entity

import "time"

// Clock sets the clock of a table instead of Clock of the schema's [Config]; nil keeps that one. It
// is the time of timestamps, lifetimes, expired items, the expiry of cursors, and the leases of
// package lock, for everything that uses the table. A test gives a schema that the program declares
// once the clock of its database, so that both agree which items have expired:
//
//	db := ddbtest.Start(t)
//	table, err := Schema.Open(db.Client(), "app", entity.Clock(db.Now))
//
// In a bubble of testing/synctest, time.Now is already the time of the database, and time.Sleep
// moves both. Clock is needed there only if the test calls the Advance method of the database,
// which does not move time.Now.
//
// A transaction has one time for all tables of a schema: that of the first operation's table.
func Clock(now func() time.Time) TableOption { return clockOption(now) }

type clockOption func() time.Time

func (o clockOption) table(t *Table) {
	if o != nil {
		t.view.Exec.Clock = o
	}
}
