package control

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

var snapshotRoutes = []Route{
	read("/snapshots", listSnapshots),
	act("/snapshots", makeSnapshot),
	do(http.MethodPost, "/snapshots/{id}/restore", restoreSnapshot),
	do(http.MethodDelete, "/snapshots/{id}", func(c *call) error {
		_, _, err := numbered(c, &c.db.Snapshots, c.db.Snapshots.Remove)
		return err
	}),
}

// Snapshot is the content of a database at one moment.
type Snapshot struct {
	ID int       `json:"id"`
	At time.Time `json:"at"` // when it was made, by the database's clock
}

// SnapshotList has the snapshots.
type SnapshotList struct {
	Snapshots []Snapshot `json:"snapshots"`
}

func listSnapshots(c *call) (SnapshotList, error) {
	list := SnapshotList{Snapshots: []Snapshot{}}
	for _, id := range c.db.Snapshots.IDs() {
		if s, ok := c.db.Snapshots.Get(id); ok {
			list.Snapshots = append(list.Snapshots, Snapshot{id, s.At})
		}
	}
	return list, nil
}

func makeSnapshot(c *call) (Snapshot, error) {
	s := databases.Snapshot{At: c.db.DB.Now(), Snapshot: c.db.DB.Snapshot()}
	return Snapshot{c.db.Snapshots.Add(s), s.At}, nil
}

func restoreSnapshot(c *call) error {
	_, s, err := numbered(c, &c.db.Snapshots, c.db.Snapshots.Get)
	if err != nil {
		return err
	}
	c.db.DB.Restore(s.Snapshot)
	return nil
}
