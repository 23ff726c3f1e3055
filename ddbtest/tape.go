package ddbtest

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// tape records all changes and reads of a database in the order in which they happened. Its lock
// allows one event at a time, and the clock is frozen during an event.
type tape struct {
	db *DB

	mu        sync.Mutex
	events    []event
	snapshots map[*Snapshot]int // their numbers, from 1
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

// event is one line of a log.
type event struct {
	Kind string `json:"kind"`
	At   int64  `json:"at"` // nanoseconds since 1970, by the database's clock

	Operation string          `json:"operation,omitempty"`
	Unseen    bool            `json:"unseen,omitempty"` // a helper of the test sent it
	Body      json.RawMessage `json:"body,omitempty"`
	Steer     *steering       `json:"steer,omitempty"`
	Status    int             `json:"status,omitempty"`
	Reply     json.RawMessage `json:"reply,omitempty"`

	Lag      Lag `json:"lag,omitzero"`
	Snapshot int `json:"snapshot,omitempty"`
}

// steering is [engine.Steer] in a form that can be encoded as JSON.
type steering struct {
	Undone    []int          `json:"undone,omitempty"`
	Reasons   map[int]string `json:"reasons,omitempty"`
	Evaluate  int            `json:"evaluate,omitempty"`
	EmptyPage bool           `json:"emptyPage,omitempty"`
}

func newTape(db *DB) *tape { return &tape{db: db, snapshots: map[*Snapshot]int{}} }

// fork returns a tape with the same events so far.
func (t *tape) fork(db *DB) *tape {
	f := newTape(db)
	f.events = t.events[:len(t.events):len(t.events)]
	for s, n := range t.snapshots {
		f.snapshots[s] = n
	}
	return f
}

// number assigns the next number to a snapshot.
func (t *tape) number(s *Snapshot) int {
	if t == nil {
		return 0
	}
	t.snapshots[s] = len(t.snapshots) + 1
	return len(t.snapshots)
}

// find returns the number of a snapshot, or 0 if it was not taken from this database.
func (t *tape) find(s *Snapshot) int {
	if t == nil {
		return 0
	}
	return t.snapshots[s]
}

// all returns the events so far.
func (t *tape) all() []event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.events
}

// during calls happen and records its event. A nil tape only calls happen.
func (t *tape) during(happen func(e *event)) {
	if t == nil {
		happen(new(event))
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.db.clock.Now().Round(0)
	t.db.clock.inner.Freeze(now)
	defer t.db.clock.inner.Unfreeze()
	t.db.sweep()
	e := event{At: now.UnixNano()}
	happen(&e)
	t.events = append(t.events, e)
}

// run runs a request.
func (t *tape) run(x *exchange, steer engine.Steer) (body []byte, err error) {
	t.during(func(e *event) {
		body, err = x.execute(steer)
		e.Kind, e.Operation, e.Unseen, e.Body = eventRequest, x.in.Operation, x.unseen, x.in.Body
		e.Steer = steeringOf(steer, len(x.request.Targets))
		if e.Status, e.Reply = http.StatusOK, body; err != nil {
			e.Status, e.Reply, _ = refusal(err)
		}
	})
	return body, err
}

func steeringOf(s engine.Steer, targets int) *steering {
	w := steering{Reasons: s.Reasons, Evaluate: s.Evaluate, EmptyPage: s.EmptyPage}
	for i := 0; s.Unprocessed != nil && i < targets; i++ {
		if s.Unprocessed(i) {
			w.Undone = append(w.Undone, i)
		}
	}
	if len(w.Undone)+len(w.Reasons)+w.Evaluate == 0 && !w.EmptyPage {
		return nil
	}
	return &w
}

// steer converts the steering back.
func (w *steering) steer() engine.Steer {
	if w == nil {
		return engine.Steer{}
	}
	s := engine.Steer{Reasons: w.Reasons, Evaluate: w.Evaluate, EmptyPage: w.EmptyPage}
	if len(w.Undone) > 0 {
		undone := map[int]bool{}
		for _, i := range w.Undone {
			undone[i] = true
		}
		s.Unprocessed = func(i int) bool { return undone[i] }
	}
	return s
}

func (e *event) time() time.Time { return time.Unix(0, e.At) }
