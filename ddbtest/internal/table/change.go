package table

import (
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Sweep does everything that is due. Call it before each request, and after the clock was moved. It
// costs almost nothing if nothing is due.
func Sweep(db *store.DB, cfg *engine.Config) { db.Sweep(cfg.TTLDelay) }

// change runs f on a state in which nothing is overdue. It sweeps again afterwards, so that changes
// without a delay are completed.
func change(c *engine.Call, f func(*store.State) error) error {
	return c.DB.Update(func(s *store.State) error {
		s.Sweep(c.Config.TTLDelay)
		err := f(s)
		s.Sweep(c.Config.TTLDelay)
		return err
	})
}

// find returns the table for an operation on tables, in any state.
func find(s *store.State, now time.Time, nameOrARN string) (*store.Table, error) {
	t := s.Lookup(nameOrARN, now)
	if t == nil {
		return nil, awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: Table: %s not found", api.TableName(nameOrARN))
	}
	return t, nil
}

// findIdle returns the table for a change. It returns an error while another change is in progress.
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

// justBefore returns the instant before now. At that instant, a change that starts now is in
// progress, even if it takes no time.
func justBefore(now time.Time) time.Time { return now.Add(-time.Nanosecond) }

// invalid returns a ValidationException with the service's usual prefix.
func invalid(format string, args ...any) *awserr.Error {
	return awserr.Validation("One or more parameter values were invalid: "+format, args...)
}

// limited returns a LimitExceededException.
func limited(format string, args ...any) *awserr.Error {
	return awserr.New("LimitExceededException", "Subscriber limit exceeded: "+format, args...)
}

// formatNames formats names as in error messages.
func formatNames(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
