package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Find returns the table for an operation on items, by name or ARN. A table that is being created
// is not found. A table that is being deleted is found until it is gone.
func (s *State) Find(nameOrARN string, now time.Time) (*Table, error) {
	t := s.Lookup(nameOrARN, now)
	if t == nil || now.Before(t.ActiveAt) {
		return nil, awserr.NotFound()
	}
	return t, nil
}

// Lookup returns a table by name or ARN, in any state, or nil.
func (s *State) Lookup(nameOrARN string, now time.Time) *Table {
	t := s.Tables[api.TableName(nameOrARN)]
	switch {
	case t == nil, passed(t.DeleteAt, now):
		return nil
	// An ARN of another account or region.
	case nameOrARN != t.Name && nameOrARN != t.ARN:
		return nil
	default:
		return t
	}
}

// HasIndex reports whether the table has the index, and is not deleting it.
func (t *Table) HasIndex(name string) bool {
	ix := t.Index(name)
	return ix != nil && ix.DeleteAt.IsZero()
}

// FindIndex returns the index for a read.
func (t *Table) FindIndex(name string, now time.Time) (*Index, error) {
	ix := t.Index(name)
	switch {
	case !t.HasIndex(name):
		return nil, awserr.Validation("The table does not have the specified index: %s", name)
	case now.Before(ix.ActiveAt):
		return nil, awserr.Validation("Cannot read from backfilling global secondary index: %s", name)
	default:
		return ix, nil
	}
}
