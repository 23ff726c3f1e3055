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

// WriteLog writes all that happened to the database, a JSON object a line, for [Replay]. It needs Options.Record. It holds the requests and
// replies with all their values. It cannot tell where a database came from that was restored of another one's snapshot, and refuses.
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
	Line      int // of the log
	Operation string
	Want, Got string // status and body, with their values
}

// Replay makes a database of a log: all that happened happens again, in the order in which requests were applied, at the same times and with
// what rules asked of them. The error of the first reply that differs is a [*Divergence]; the database is as it was after that request.
// The clock goes on from the last time in the log.
//
// The rules themselves do not come back, and requests that were never applied are not in the log. The database is an ordinary one, to be asked by
// [DB.Dump] or a client. Another version of this package may reply otherwise.
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

// unreadable is why a line could not be read, without what it holds.
func unreadable(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return errors.New("it is not what WriteLog writes")
	}
	return err
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
	if err != nil { // whose text may hold what the request held
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
