package ddbtest

import (
	"bytes"
	"encoding/json"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// apply runs the request, unless its partitions are too hot.
func (x *exchange) apply(steer engine.Steer) ([]byte, error) {
	limited := !x.unseen && x.db.heat.limit.Load() != nil
	if limited {
		if err := x.db.cool(x, &steer); err != nil {
			return nil, err
		}
	}
	body, err := x.record(steer)
	if limited && err == nil {
		err = x.db.coolPage(x)
	}
	if !x.unseen {
		x.db.heat.add(x.db.clock.Now(), x.uses)
	}
	return body, err
}

// record runs the request, and takes it down where that is asked for.
func (x *exchange) record(steer engine.Steer) ([]byte, error) {
	if x.db.tape != nil {
		return x.db.tape.run(x, steer)
	}
	return x.execute(steer)
}

// execute runs the request and takes note of what it used.
func (x *exchange) execute(steer engine.Steer) ([]byte, error) {
	call := &engine.Call{DB: x.db.store, Config: x.db.config, Steer: steer}
	body, err := x.request.Run(call)
	x.entry.measure(call)
	x.uses = call.Meter.Uses()
	return body, err
}

// DeliverLate applies all requests that are kept for later: late duplicates, and those whose client gave up while they were delayed.
func (db *DB) DeliverLate() { db.deliver(db.late.All()) }

// deliverDue applies the delayed requests whose time has come although their client has gone.
func (db *DB) deliverDue() { db.deliver(db.late.Due(db.clock.Now())) }

// deliverAfter applies what waited for a request to be served.
func (db *DB) deliverAfter(x *exchange, ok bool) {
	if db.late.Any() && !x.unseen {
		call := x.call()
		db.deliver(db.late.Served(&call, ok))
	}
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
	c := fault.Call{Operation: x.in.Operation, Body: canonical(x.in.Body)}
	if fault.IsWrite(x.in.Operation) {
		c.Writes = x.db.items(x.request.Targets)
	}
	return c
}

// canonical is a body with the members of its objects in order: a client that makes the same request twice may well write them in another.
func canonical(body []byte) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return string(body)
	}
	ordered, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(ordered)
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
	h.Call, h.Apply = x.call(), late.applyLate
	x.db.late.Hold(h)
}

// applyLate applies the request when its client expects it no more. Nobody gets the reply.
func (x *exchange) applyLate() {
	x.entry.Seq = int(x.db.requests.Add(1))
	x.entry.At = x.db.clock.Now()
	x.entry.Late = true
	if _, err := x.apply(engine.Steer{}); err != nil {
		x.refuse(err)
	}
	x.done(0)
}
