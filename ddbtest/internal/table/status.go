package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Status values of tables and indexes.
const (
	creating = "CREATING"
	updating = "UPDATING"
	deleting = "DELETING"
	active   = "ACTIVE"
)

func status(t *store.Table, now time.Time) string {
	switch {
	case !t.DeleteAt.IsZero():
		return deleting
	case now.Before(t.ActiveAt):
		return creating
	case now.Before(t.UpdatedAt):
		return updating
	default:
		return active
	}
}

func indexStatus(t *store.Table, ix *store.Index, now time.Time) string {
	switch of := status(t, now); {
	case of == deleting, !ix.DeleteAt.IsZero():
		return deleting
	case of == creating, now.Before(ix.ActiveAt):
		return creating
	case now.Before(ix.UpdatedAt):
		return updating
	default:
		return active
	}
}
