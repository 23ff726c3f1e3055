package ddbtest

import (
	"errors"
	"fmt"
	"io"

	"github.com/trestledb/trestle/ddbtest/internal/recording"
)

// WriteRecording writes all events of the database for [Replay], one JSON object per line. It needs
// [Options.Record]. The recording contains the requests and replies with all their values.
// WriteRecording fails if the database was restored from a snapshot of another database, because
// the recording does not contain its state.
func (db *DB) WriteRecording(w io.Writer) error {
	db.runDue()
	options := db.options
	options.FailureRecording = "" // a replay fails no test
	if err := db.data.Write(w, options); err != nil {
		return fmt.Errorf("ddbtest: write the recording: %w", err)
	}
	return nil
}

// A Divergence is a reply that differs from the recorded one.
type Divergence struct {
	Line      int // line number in the recording
	Operation string
	Want, Got string // status and body, with their values
}

// Error reports where the replies differ. It contains no value of them.
func (d *Divergence) Error() string { return (*recording.Divergence)(d).Error() }

// Replay creates a database from a recording. It repeats all events in the order in which the
// requests were applied, at the same times and with the same effects of rules on their execution.
// If a reply differs from the recorded one, it returns a [*Divergence] for the first one, and the
// database as it was after that request. The clock continues from the last time in the recording.
//
// Replay fails if the text does not begin as WriteRecording begins it. The recording contains
// neither the rules nor requests that were never applied. The database can be used with [DB.Dump]
// or a client. Another version of this package may reply differently.
func Replay(r io.Reader) (*DB, error) {
	if r == nil {
		return nil, errors.New("ddbtest: Replay: the reader is nil")
	}
	var db *DB
	var o Options
	err := recording.Replay(r, &o, func() *recording.Database {
		o.Record = false
		db = New(o)
		return db.data
	})
	var divergence *recording.Divergence
	if errors.As(err, &divergence) {
		return db, (*Divergence)(divergence)
	}
	return db, err
}
