package ddbtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// WriteLog writes all events of the database for [Replay], one JSON object per line. It needs
// Options.Record. The log contains the requests and replies with all their values. WriteLog fails
// if the database was restored from a snapshot of another database, because the log does not
// contain its state.
func (db *DB) WriteLog(w io.Writer) error {
	if db.tape == nil {
		return errors.New("ddbtest: nothing was recorded: set Options.Record")
	}
	db.catchUp()
	events := db.tape.all()
	if slices.ContainsFunc(events, func(e event) bool { return e.Kind == eventRestore && e.Snapshot == 0 }) {
		return errors.New("ddbtest: write the log: a snapshot was restored that was not taken of this database, nor of its origin before the fork: no log holds what was in it")
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	options := db.options
	options.FailureLog = "" // a replay fails no test
	if err := encoder.Encode(options); err != nil {
		return fmt.Errorf("ddbtest: write the log: %w", err)
	}
	for i := range events {
		if err := encoder.Encode(&events[i]); err != nil {
			return fmt.Errorf("ddbtest: write line %d of the log: %w", i+2, err)
		}
	}
	return nil
}

// A Divergence is a reply that differs from the one in the log.
type Divergence struct {
	Line      int // line number in the log
	Operation string
	Want, Got string // status and body, with their values
}

// Replay creates a database from a log. It repeats all events in the order in which the requests
// were applied, at the same times and with the same effects of rules on their execution. If a reply
// differs from the log, it returns a [*Divergence] for the first one, and the database as it was
// after that request. The clock continues from the last time in the log.
//
// The log contains neither the rules nor requests that were never applied. The database can be used
// with [DB.Dump] or a client. Another version of this package may reply differently.
func Replay(log io.Reader) (*DB, error) {
	if log == nil {
		return nil, errors.New("ddbtest: there is no log to replay")
	}
	decoder := json.NewDecoder(log)
	var o Options
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("ddbtest: read the log: %w", unreadable(err))
	}
	o.Record = false
	p := player{db: New(o), snapshots: map[int]*Snapshot{}}
	defer p.release()
	for line := 2; ; line++ {
		var e event
		switch err := decoder.Decode(&e); {
		case errors.Is(err, io.EOF):
			return p.db, nil
		case err != nil:
			return p.db, fmt.Errorf("ddbtest: read line %d of the log: %w", line, unreadable(err))
		}
		if err := p.play(&e, line); err != nil {
			return p.db, err
		}
	}
}

// unreadable returns why a line could not be read, without its content.
func unreadable(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return errors.New("it is not what WriteLog writes")
	}
	return err
}

// player replays a log.
type player struct {
	db        *DB
	last      *event
	snapshots map[int]*Snapshot
}

// release unfreezes the clock, and continues from the last time in the log.
func (p *player) release() {
	p.db.clock.inner.Unfreeze()
	if p.last != nil {
		p.db.clock.inner.Advance(p.last.time().Sub(p.db.clock.Now()))
	}
}

func (p *player) play(e *event, line int) error {
	p.last = e
	p.db.clock.inner.Freeze(e.time())
	p.db.sweep()
	switch e.Kind {
	case eventRequest:
		return p.request(e, line)
	case eventSweep:
	case eventLag:
		p.db.SetLag(e.Lag)
	case eventSettle:
		p.db.Settle()
	case eventSnapshot:
		p.snapshots[e.Snapshot] = p.db.Snapshot()
	case eventRestore:
		s := p.snapshots[e.Snapshot]
		if s == nil {
			return fmt.Errorf("ddbtest: line %d of the log restores another database's snapshot", line)
		}
		p.db.Restore(s)
	default:
		return fmt.Errorf("ddbtest: line %d of the log is of no kind that there is", line)
	}
	return nil
}

func (p *player) request(e *event, line int) error {
	request, err := service.Read(e.Operation, e.Body)
	if err != nil { // the error text may contain values of the request
		return fmt.Errorf("ddbtest: line %d of the log is no request that was served", line)
	}
	x := &exchange{db: p.db, unseen: e.Unseen, in: &transport.Request{Operation: e.Operation, Body: e.Body}, request: request}
	status := http.StatusOK
	body, err := x.execute(e.Steer.steer())
	if err != nil {
		status, body, _ = refusal(err)
	}
	if status != e.Status || !bytes.Equal(body, e.Reply) {
		return &Divergence{
			Line: line, Operation: e.Operation,
			Want: fmt.Sprintf("%d %s", e.Status, e.Reply), Got: fmt.Sprintf("%d %s", status, body),
		}
	}
	return nil
}
