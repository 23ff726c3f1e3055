// Package engine is what every operation runs in: the database, the time, the meter, and what fault rules ask of it.
package engine

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Call is one request's run.
type Call struct {
	DB     *store.DB
	Config *Config
	Meter  capacity.Meter
	Steer  Steer
	Trace  Trace
}

// Config is what a database's options decide for the operations.
type Config struct {
	Region     string
	Account    string
	TableDelay time.Duration // how long tables and indexes are being made, changed and deleted
	TTLDelay   time.Duration // how long after its time an expired item is deleted
}

// Steer is what fault rules ask of an operation itself. The zero value asks nothing.
type Steer struct {
	Unprocessed func(i int) bool // of a batch: leave the i-th of [Target] undone
	Reasons     map[int]string   // of a transaction: it is canceled, the i-th action with this code
	Evaluate    int              // of a page: end it after so many items; 0 is no limit
	EmptyPage   bool             // of a page: return nothing, with a key from which all follows
}

// Trace is what the request log tells of a run beyond its capacity.
type Trace struct {
	Index     string
	Evaluated int  // items read by a page
	Returned  int  // items returned
	Filtered  bool // the request had a filter
	HasMore   bool // the page has a key to go on from
	Steered   Steering
}

// Steering is what of a [Steer] was done: an operation may have nothing that could be.
type Steering uint8

// The things that a Steer asks for.
const (
	LeftUndone Steering = 1 << iota
	Canceled
	Cut
	Emptied
)

// Target is one thing that a request touches; a batch or a transaction has several, in order.
type Target struct {
	Table string
	Index string
	Key   value.Map // nil where there is none, or where it is a condition; of a put the item
	Write bool
}

// Now is the time of a read; a write's is [store.State.Now].
func (c *Call) Now() time.Time { return c.DB.Clock.Now() }

// Find is [store.State.Find] of a table as the request names it, which the reply will do, too.
func (c *Call) Find(s *store.State, nameOrARN string, now time.Time) (*store.Table, error) {
	t, err := s.Find(nameOrARN, now)
	if err == nil {
		c.Meter.Call(t.Name, nameOrARN)
	}
	return t, err
}
