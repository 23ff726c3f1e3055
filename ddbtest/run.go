package ddbtest

import (
	"net/http"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// run applies the request, and then the held requests that waited for it.
func (x *exchange) run(steer engine.Steer) transport.Reply {
	if x.request == nil {
		return x.refuse(x.invalid)
	}
	body, err := x.apply(&steer)
	x.db.deliverAfter(x, &steer, err == nil)
	if err != nil {
		return x.refuse(err)
	}
	return transport.Reply{Status: http.StatusOK, Body: body}
}

// apply runs the request. If partitions are throttled, it fails the request or leaves out their
// parts.
func (x *exchange) apply(steer *engine.Steer) ([]byte, error) {
	limited := !x.unseen && x.db.heat.limit.Load() != nil
	if limited {
		if err := x.db.cool(x, steer); err != nil {
			return nil, err
		}
	}
	body, err := x.record(*steer)
	if limited && err == nil {
		err = x.db.coolPage(x)
	}
	if !x.unseen {
		x.db.heat.add(x.db.clock.Now(), x.uses)
	}
	return body, err
}

// record runs the request and records it if Options.Record is set.
func (x *exchange) record(steer engine.Steer) ([]byte, error) {
	if x.db.tape != nil {
		return x.db.tape.run(x, steer)
	}
	return x.execute(steer)
}

// execute runs the request and stores what it used.
func (x *exchange) execute(steer engine.Steer) ([]byte, error) {
	call := &engine.Call{DB: x.db.store, Config: x.config(), Steer: steer}
	body, err := x.request.Run(call)
	x.entry.measure(call)
	x.uses, x.steered, x.ran = call.Meter.Uses(), call.Trace.Steered, true
	return body, err
}

// config returns the configuration. Tables that the test creates have no delay.
func (x *exchange) config() *engine.Config {
	if !x.unseen {
		return x.db.config
	}
	c := *x.db.config
	c.TableDelay = 0
	return &c
}
