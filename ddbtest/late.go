package ddbtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// DeliverLate applies all held requests: late duplicates, and delayed requests whose client gave
// up.
func (db *DB) DeliverLate() { db.deliver(db.late.All()) }

// deliverDue applies the delayed requests that are due and whose client has gone.
func (db *DB) deliverDue() { db.deliver(db.late.Due(db.clock.Now())) }

// deliverAfter applies the held requests that waited for this request to be served. A request
// counts as served only if its operation ran. It does not count if a partition limit or a rule
// rejected it beforehand.
func (db *DB) deliverAfter(x *exchange, steer *engine.Steer, ok bool) {
	if x.unseen || !x.ran || steer.Reasons != nil || !db.late.Any() {
		return
	}
	call := x.call()
	if ok {
		call.Items = db.items(x.written(steer))
	}
	db.deliver(db.late.Served(&call, ok))
}

// written returns the targets that the request wrote.
func (x *exchange) written(steer *engine.Steer) []engine.Target {
	if x.entry.WriteUnits == 0 { // a transaction whose token was used before
		return nil
	}
	var written []engine.Target
	for i, target := range x.request.Targets {
		if target.Write && (steer.Unprocessed == nil || !steer.Unprocessed(i)) {
			written = append(written, target)
		}
	}
	return written
}

func (db *DB) deliver(requests []fault.Held) {
	for _, r := range requests {
		_ = db.guard(func() error { // no client waits for it
			r.Apply()
			return nil
		})
	}
}

// call returns what distinguishes the request from others.
func (x *exchange) call() fault.Call {
	sum := sha256.Sum256(canonical(x.in.Body))
	return fault.Call{Operation: x.in.Operation, Content: string(sum[:]), Invocation: x.in.Invocation}
}

// canonical returns a body with its object members in a fixed order, because a client may send the
// same request with its members in another order.
func canonical(body []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return body
	}
	if request, ok := v.(map[string]any); ok {
		// the SDK generates a new token for each call without one
		delete(request, "ClientRequestToken")
	}
	ordered, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return ordered
}

// items returns a unique name for each item that the targets name.
func (db *DB) items(targets []engine.Target) []string {
	names := make([]string, 0, len(targets))
	_ = db.store.View(func(s *store.State) error {
		for _, target := range targets {
			if t := s.Tables[target.Table]; t != nil && t.Key.Holds(target.Key) {
				names = append(names, target.Table+"/"+string(t.Key.Place(target.Key)))
			}
		}
		return nil
	})
	return names
}

// hold keeps a copy of the request for later, because this exchange continues.
func (x *exchange) hold(h fault.Held) {
	late := &exchange{db: x.db, in: x.in, request: x.request, entry: x.entry}
	late.entry.Late, late.entry.Fault = true, x.plan.Name()
	h.Call, h.Info, h.Apply = x.call(), late.entry, late.applyLate
	h.Call.Items = x.db.items(x.request.Targets)
	x.db.late.Hold(h)
}

// applyLate applies the request after its client stopped waiting. The reply is dropped.
func (x *exchange) applyLate() {
	x.entry.Seq = int(x.db.requests.Add(1))
	x.entry.At = x.db.clock.Now()
	if _, err := x.apply(new(engine.Steer)); err != nil {
		x.refuse(err)
	}
	x.done(0)
}
