package databases

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
)

// Database is the database of a key, with what the control endpoint made for it. A reset replaces
// it as a whole.
type Database struct {
	Key           Key
	DB            *ddbtest.DB
	RecordingFile string       // the file for its recording, or ""
	origin        *Database    // of a fork, which is in memory only
	file          *folder.File // with its content; nil if it is in memory only

	Rules     Numbered[Rule]
	Marks     Numbered[Mark]
	Budgets   Numbered[Budget]
	Snapshots Numbered[Snapshot]
}

// Rule is a rule with the request that added it.
type Rule struct {
	*ddbtest.Rule
	Source any
}

// Budget is a budget with the request that started it.
type Budget struct {
	*ddbtest.Budget
	Source any
}

// Mark is a moment from which cost is counted.
type Mark struct {
	At   time.Time
	Cost ddbtest.Cost
}

// Snapshot is a snapshot with what it can restore besides the tables.
type Snapshot struct {
	At       time.Time
	Snapshot *ddbtest.Snapshot
	Advanced time.Duration // from the real time to that of the clock
	LastRule int           // the number of the last rule
	Lag      ddbtest.Lag
}

// keep applies the held requests, and returns an error if the file does not have the content then.
func (d *Database) keep() error {
	d.DB.DeliverLate()
	if err := d.DB.Keep(); err != nil {
		return fmt.Errorf("the database %s: %w", d.Key, err)
	}
	return nil
}

// close closes the database, and its file.
func (d *Database) close() error {
	d.DB.Close()
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

// SaveRecording writes the recording to its file. The file is complete or unchanged.
func (d *Database) SaveRecording() error {
	file, err := os.CreateTemp(filepath.Dir(d.RecordingFile), ".recording-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // fails if it was renamed
	if err := d.DB.WriteRecording(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), d.RecordingFile)
}
