package ddbtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// WriteLog writes all that happened to the database, a JSON object a line, for [Replay]. It needs Options.Record. It holds the requests and
// replies with all their values.
func (db *DB) WriteLog(w io.Writer) error {
	if db.tape == nil {
		return errors.New("ddbtest: nothing was recorded: set Options.Record")
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(db.options); err != nil {
		return fmt.Errorf("ddbtest: write the log: %w", err)
	}
	db.tape.mu.Lock()
	events := db.tape.events
	db.tape.mu.Unlock()
	for i := range events {
		if err := encoder.Encode(&events[i]); err != nil {
			return fmt.Errorf("ddbtest: write line %d of the log: %w", i+2, err)
		}
	}
	return nil
}

// A Divergence is a reply that differs from the one in the log.
type Divergence struct {
	Line      int // of the log
	Operation string
	Want, Got string // status and body
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("ddbtest: line %d of the log: another reply to %s", d.Line, d.Operation)
}

// Replay makes a database of a log: all that happened happens again, in the order in which requests were applied, at the same times and with
// what rules asked of them. The error of the first reply that differs is a [*Divergence]; the database is as it was after that request.
// The clock goes on from the last time in the log.
func Replay(log io.Reader) (*DB, error) {
	decoder := json.NewDecoder(log)
	var o Options
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("ddbtest: read the log: %w", err)
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
			return p.db, fmt.Errorf("ddbtest: read line %d of the log: %w", line, err)
		}
		if err := p.play(&e, line); err != nil {
			return p.db, err
		}
	}
}

// player is a log being replayed.
type player struct {
	db        *DB
	last      *event
	snapshots map[int]*Snapshot
}

// release lets the clock go on.
func (p *player) release() {
	p.db.clock.inner.Unfreeze()
	if p.last != nil {
		p.db.clock.skip(p.last.time().Sub(p.db.clock.Now()))
	}
}

func (p *player) play(e *event, line int) error {
	p.last = e
	p.db.clock.inner.Freeze(e.time())
	switch e.Kind {
	case eventRequest:
		return p.request(e, line)
	case eventSweep:
		p.db.sweep()
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
		return fmt.Errorf("ddbtest: line %d of the log: there is nothing named %q", line, e.Kind)
	}
	return nil
}

func (p *player) request(e *event, line int) error {
	p.db.sweep()
	request, err := service.Read(e.Operation, e.Body)
	if err != nil {
		return fmt.Errorf("ddbtest: line %d of the log: %w", line, err)
	}
	x := &exchange{db: p.db, in: &transport.Request{Operation: e.Operation, Body: e.Body}, request: request}
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
