package ddbtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// DeliverLate applies all requests that are kept for later: late duplicates, and those whose client gave up while they were delayed.
func (db *DB) DeliverLate() { db.deliver(db.late.All()) }

// deliverDue applies the delayed requests whose time has come although their client has gone.
func (db *DB) deliverDue() { db.deliver(db.late.Due(db.clock.Now())) }

// deliverAfter applies what waited for a request to be served. One that was refused before it was looked at, by the heat of its partitions or by a
// rule, was not.
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

// written is what the request has written to.
func (x *exchange) written(steer *engine.Steer) []engine.Target {
	if x.entry.WriteUnits == 0 { // a transaction that was done before
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
		_ = db.guard(func() error { // nobody waits for it
			r.Apply()
			return nil
		})
	}
}

// call is what tells the request from others.
func (x *exchange) call() fault.Call {
	sum := sha256.Sum256(canonical(x.in.Body))
	return fault.Call{Operation: x.in.Operation, Content: string(sum[:]), Invocation: x.in.Invocation}
}

// canonical is what a body asks for, with the members of its objects in order: a client that makes the same request twice may well write them in
// another.
func canonical(body []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return body
	}
	if request, ok := v.(map[string]any); ok {
		delete(request, "ClientRequestToken") // the SDK makes another one for each call that has none
	}
	ordered, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return ordered
}

// items names the items that targets speak of, the same item always by the same name.
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

// hold keeps the request for later: a copy, for this exchange goes on.
func (x *exchange) hold(h fault.Held) {
	late := &exchange{db: x.db, in: x.in, request: x.request, entry: x.entry}
	late.entry.Late, late.entry.Fault = true, x.plan.Name()
	h.Call, h.Info, h.Apply = x.call(), late.entry, late.applyLate
	h.Call.Items = x.db.items(x.request.Targets)
	x.db.late.Hold(h)
}

// applyLate applies the request when its client expects it no more. Nobody gets the reply.
func (x *exchange) applyLate() {
	x.entry.Seq = int(x.db.requests.Add(1))
	x.entry.At = x.db.clock.Now()
	if _, err := x.apply(new(engine.Steer)); err != nil {
		x.refuse(err)
	}
	x.done(0)
}
