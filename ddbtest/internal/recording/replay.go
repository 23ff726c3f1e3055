package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Replay decodes the options of a recording, opens an empty database with them, and repeats all
// events. If a reply differs, it stops and returns a [*Divergence]. The clock continues from the
// last time in the recording.
func Replay(r io.Reader, options any, open func() *Database) error {
	decoder := json.NewDecoder(r)
	if err := readHeader(decoder, options); err != nil {
		return err
	}
	p := replayer{db: open(), snapshots: map[int]*store.State{}}
	defer p.release()
	for line := 2; ; line++ {
		var e event
		switch err := decoder.Decode(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("ddbtest: read line %d of the recording: %w", line, withoutContent(err))
		}
		if err := p.repeat(&e, line); err != nil {
			return err
		}
	}
}

// withoutContent returns why a line could not be read, without its content.
func withoutContent(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var at *time.ParseError
	if errors.As(err, &syntax) || errors.As(err, &kind) || errors.As(err, &at) {
		return errors.New("not written by WriteRecording")
	}
	return err
}

// replayer repeats the events of a recording.
type replayer struct {
	db        *Database
	last      *event
	snapshots map[int]*store.State
}

// release unfreezes the clock, and continues from the last time in the recording.
func (p *replayer) release() {
	p.db.Clock.Unfreeze()
	if p.last != nil {
		p.db.Clock.Advance(p.last.At.Sub(p.db.Clock.Now()))
	}
}

func (p *replayer) repeat(e *event, line int) error {
	p.last = e
	p.db.Clock.Freeze(e.At)
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
			return fmt.Errorf("ddbtest: line %d of the recording restores a snapshot of another database", line)
		}
		p.db.Restore(s)
	default:
		return fmt.Errorf("ddbtest: line %d of the recording has an unknown kind", line)
	}
	return nil
}

func (p *replayer) request(e *event, line int) error {
	parsed, err := service.Read(e.Operation, e.Body)
	if err != nil { // the error text may contain values of the request
		return fmt.Errorf("ddbtest: line %d of the recording is not a valid request", line)
	}
	request := &Request{Request: parsed, Body: e.Body, Host: e.Host, Overrides: e.Overrides.decode(), Setup: e.Setup}
	body, err := p.db.Run(request, new(engine.Call))
	status, body := reply(body, err)
	if status == e.Status && bytes.Equal(body, e.Reply) {
		return nil
	}
	return &Divergence{
		Line: line, Operation: e.Operation,
		Want: fmt.Sprintf("%d %s", e.Status, e.Reply), Got: fmt.Sprintf("%d %s", status, body),
	}
}
