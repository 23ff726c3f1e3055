package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Sweep does all that the time has made due: it is to be called before each request, and when the clock was moved. It costs next to nothing
// where nothing is due.
func Sweep(db *store.DB, cfg *engine.Config) { db.Sweep(cfg.TTLDelay) }

// change runs f on a state in which nothing is overdue, nor is afterwards: what takes no time is over then.
func change(c *engine.Call, f func(*store.State) error) error {
	return c.DB.Update(func(s *store.State) error {
		s.Sweep(c.Config.TTLDelay)
		err := f(s)
		s.Sweep(c.Config.TTLDelay)
		return err
	})
}

// find returns the table that an operation on tables names, in whatever state it is.
func find(s *store.State, now time.Time, nameOrARN string) (*store.Table, error) {
	t := s.Lookup(nameOrARN, now)
	if t == nil {
		return nil, awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: Table: %s not found", api.TableName(nameOrARN))
	}
	return t, nil
}

// findIdle returns the table for a change, which must wait until no other is under way.
func findIdle(s *store.State, nameOrARN string) (*store.Table, error) {
	t, err := find(s, s.Now, nameOrARN)
	if err != nil {
		return nil, err
	}
	doing := map[string]string{creating: "created", updating: "updated", deleting: "deleted"}[status(t, s.Now)]
	if doing != "" {
		return nil, awserr.New(awserr.CodeResourceInUse, "Attempt to change a resource which is still in use: Table is being %s: %s", doing, t.Name)
	}
	return t, nil
}

// begun is the moment before a time: for who looks from there, what begins now has begun, and nothing that takes no time is over.
func begun(now time.Time) time.Time { return now.Add(-time.Nanosecond) }
