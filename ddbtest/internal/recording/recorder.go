package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// recorder records the events of a database. Its lock allows one event at a time, and the clock is
// frozen during an event.
type recorder struct {
	db *Database

	mu        sync.Mutex
	events    []event
	snapshots map[*store.State]int // their numbers, from 1
}

// The kinds of events.
const (
	eventRequest  = "request"
	eventSweep    = "sweep" // time has passed
	eventLag      = "lag"
	eventSettle   = "settle"
	eventSnapshot = "snapshot"
	eventRestore  = "restore"
)

// event is one line of a recording.
type event struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at"` // by the database's clock

	Operation string          `json:"operation,omitempty"`
	Setup     bool            `json:"setup,omitempty"`
	Body      json.RawMessage `json:"body,omitempty"`
	Host      string          `json:"host,omitempty"` // if the reply depends on it
	Overrides *overrides      `json:"overrides,omitempty"`
	Status    int             `json:"status,omitempty"`
	Reply     json.RawMessage `json:"reply,omitempty"`

	Lag      store.Lag `json:"lag,omitzero"`
	Snapshot int       `json:"snapshot,omitempty"`
}

// setRequest makes e the event of a request and its reply.
func (e *event) setRequest(r *Request, body []byte, err error) {
	e.Kind, e.Operation, e.Setup, e.Body = eventRequest, r.Operation, r.Setup, r.Body
	if r.Operation == "DescribeEndpoints" {
		e.Host = r.Host
	}
	e.Overrides = encodeOverrides(r.Overrides, len(r.Targets))
	e.Status, e.Reply = reply(body, err)
}

func reply(body []byte, err error) (status int, _ []byte) {
	if err == nil {
		return http.StatusOK, body
	}
	status, body, _ = service.EncodeError(err)
	return status, body
}

// overrides is [engine.Overrides] in a form that can be encoded as JSON.
type overrides struct {
	Unprocessed []int          `json:"unprocessed,omitempty"`
	Reasons     map[int]string `json:"reasons,omitempty"`
	Evaluate    int            `json:"evaluate,omitempty"`
	EmptyPage   bool           `json:"emptyPage,omitempty"`
}

func encodeOverrides(o engine.Overrides, targets int) *overrides {
	encoded := overrides{Reasons: o.Reasons, Evaluate: o.Evaluate, EmptyPage: o.EmptyPage}
	for i := 0; o.Unprocessed != nil && i < targets; i++ {
		if o.Unprocessed(i) {
			encoded.Unprocessed = append(encoded.Unprocessed, i)
		}
	}
	if len(encoded.Unprocessed)+len(encoded.Reasons)+encoded.Evaluate == 0 && !encoded.EmptyPage {
		return nil
	}
	return &encoded
}

func (o *overrides) decode() engine.Overrides {
	if o == nil {
		return engine.Overrides{}
	}
	decoded := engine.Overrides{Reasons: o.Reasons, Evaluate: o.Evaluate, EmptyPage: o.EmptyPage}
	if len(o.Unprocessed) > 0 {
		decoded.Unprocessed = func(i int) bool { return slices.Contains(o.Unprocessed, i) }
	}
	return decoded
}

// fork returns a recorder with the same events so far. The caller holds the lock.
func (r *recorder) fork(db *Database) *recorder {
	return &recorder{db: db, events: r.events[:len(r.events):len(r.events)], snapshots: maps.Clone(r.snapshots)}
}

// addSnapshot returns the number of a new snapshot. The caller holds the lock.
func (r *recorder) addSnapshot(s *store.State) int {
	r.snapshots[s] = len(r.snapshots) + 1
	return len(r.snapshots)
}

// record calls f and records its event.
func (r *recorder) record(f func(*event)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.db.Clock.Now().UTC().Round(0)
	r.db.Clock.Freeze(now)
	defer r.db.Clock.Unfreeze()
	r.db.sweep()
	e := event{At: now}
	f(&e)
	r.events = append(r.events, e)
}

// Write writes the recording: the options, which are any value that JSON can encode, and then all
// events.
func (d *Database) Write(w io.Writer, options any) error {
	if d.recorder == nil {
		return errors.New("nothing was recorded: set Options.Record")
	}
	d.recorder.mu.Lock()
	events := d.recorder.events
	d.recorder.mu.Unlock()
	if slices.ContainsFunc(events, func(e event) bool { return e.Kind == eventRestore && e.Snapshot == 0 }) {
		return errors.New("a snapshot of another database was restored, and the recording does not contain its content: " +
			"restore only snapshots of the database itself, or of its origin before the fork")
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(header{version, options}); err != nil {
		return fmt.Errorf("write the first line: %w", err)
	}
	for i := range events {
		if err := encoder.Encode(&events[i]); err != nil {
			return fmt.Errorf("write line %d: %w", i+2, err)
		}
	}
	return nil
}
