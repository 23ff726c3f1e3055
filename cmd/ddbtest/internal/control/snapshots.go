package control

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

var snapshotRoutes = []Route{
	read("/snapshots", listSnapshots),
	act("/snapshots", makeSnapshot),
	send(http.MethodPost, "/snapshots/{id}/restore", restoreSnapshot),
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
	db := c.db.DB
	s := databases.Snapshot{At: db.Now(), Snapshot: db.Snapshot(), Advanced: time.Until(db.Now()), LastRule: c.db.Rules.Last(), Lag: db.Lag()}
	return Snapshot{c.db.Snapshots.Add(s), s.At}, nil
}

// Restore says what a restored snapshot sets besides the tables. What it does not set, remains.
type Restore struct {
	Clock  bool `json:"clock,omitempty"`  // take back what the clock was moved since the snapshot
	Faults bool `json:"faults,omitempty"` // remove the rules that were added since
	Lag    bool `json:"lag,omitempty"`    // set the lag to that of the snapshot
}

func restoreSnapshot(c *call, r *Restore) (Clock, error) {
	_, s, err := numbered(c, &c.db.Snapshots, c.db.Snapshots.Get)
	if err != nil {
		return Clock{}, err
	}
	db := c.db.DB
	if r.Faults {
		for _, id := range c.db.Rules.IDs() {
			if rule, ok := c.db.Rules.Get(id); ok && id > s.LastRule {
				c.db.Rules.Remove(id)
				rule.Remove()
			}
		}
	}
	if r.Clock { // before items that have not expired then are there
		for range 2 { // the clock may be twice the longest Duration away
			db.Advance(time.Now().Add(s.Advanced).Sub(db.Now()).Round(time.Millisecond))
		}
	}
	db.Restore(s.Snapshot)
	if r.Lag {
		db.SetLag(s.Lag)
	}
	if err := kept(c.db); err != nil {
		return Clock{}, err
	}
	return readClock(c)
}
