// Package engine holds what every operation needs: the database, the time, the meter and the
// overrides of fault rules.
package engine

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Call is the execution of one request.
type Call struct {
	DB        *store.DB
	Config    *Config
	Host      string // to which the request was sent
	Meter     capacity.Meter
	Overrides Overrides
	Trace     Trace
}

// Config is the options of a database that affect operations.
type Config struct {
	Region     string
	Account    string
	TableDelay time.Duration // duration of CREATING, UPDATING and DELETING
	TTLDelay   time.Duration // how long after its expiry an item is deleted

	UnusedDefinitions bool // CreateTable leaves out definitions that no key uses
}

// ARN returns the ARN of a table or of one of its indexes.
func (c *Config) ARN(table, index string) string {
	arn := "arn:aws:dynamodb:" + c.Region + ":" + c.Account + ":table/" + table
	if index != "" {
		arn += "/index/" + index
	}
	return arn
}

// Overrides is what fault rules override in an operation. The zero value overrides nothing.
type Overrides struct {
	Unprocessed func(i int) bool // batch: leave the i-th [Target] unprocessed
	Reasons     map[int]string   // transaction: cancel it; action i has this code
	Evaluate    int              // page: end it after so many items; 0 is no limit
	EmptyPage   bool             // page: no items, but a LastEvaluatedKey before all items
}

// Trace is what the request log records of an operation besides its capacity.
type Trace struct {
	Index      string
	Evaluated  int  // items read by a page
	Returned   int  // items returned
	Filtered   bool // the request has a filter
	HasMore    bool // the page has a LastEvaluatedKey
	Overridden OverrideSet
}

// OverrideSet is a set of fields of [Overrides]: those that took effect. An operation may have
// nothing to override.
type OverrideSet uint8

// The fields of [Overrides].
const (
	OverrideUnprocessed OverrideSet = 1 << iota
	OverrideReasons
	OverrideEvaluate
	OverrideEmptyPage
)

// Target is one item or index that a request accesses. A batch or a transaction has several, in
// order.
type Target struct {
	Table string
	Index string
	Key   value.Map // the item for a put; nil if there is no key, or if it is a condition
	Write bool
}

// Now returns the time of a read. The time of a write is [store.State.Now].
func (c *Call) Now() time.Time { return c.DB.Clock.Now() }

// ReadTime returns the time of a read of items. It reads the clock only if the items depend on it,
// because that takes as long as to find an item.
func (c *Call) ReadTime(s *store.State) time.Time {
	if s.ReadsDependOnTime() {
		return c.Now()
	}
	return s.Now
}

// Find calls [store.State.Find]. The reply reports the consumed capacity of the table under the
// name or ARN in the request.
func (c *Call) Find(s *store.State, nameOrARN string, now time.Time) (*store.Table, error) {
	t, err := s.Find(nameOrARN, now)
	if err == nil {
		c.Meter.SetName(t.Name, nameOrARN)
	}
	return t, err
}
