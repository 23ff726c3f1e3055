package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// operation reads and runs the requests of one operation.
type operation interface {
	read(name string, body []byte) (*Request, error)
	run(c *engine.Call, input any) (reply []byte, err error)
}

// typed is an operation with the types of its request and its reply. It has one of target and
// targets.
type typed[In, Out any] struct {
	do      func(*engine.Call, *In) (*Out, error)
	target  func(*In) engine.Target
	targets func(*In) []engine.Target
	in, out *wire.Type
}

// newTyped returns an operation without targets.
func newTyped[In, Out any](do func(*engine.Call, *In) (*Out, error)) *typed[In, Out] {
	return &typed[In, Out]{do: do, in: wire.TypeFor[In](), out: wire.TypeFor[Out]()}
}

// single returns an operation whose requests have one target.
func single[In, Out any](do func(*engine.Call, *In) (*Out, error), target func(*In) engine.Target) operation {
	o := newTyped(do)
	o.target = target
	return o
}

// several returns an operation whose requests have any number of targets.
func several[In, Out any](do func(*engine.Call, *In) (*Out, error), targets func(*In) []engine.Target) operation {
	o := newTyped(do)
	o.targets = targets
	return o
}

func (o *typed[In, Out]) read(name string, body []byte) (*Request, error) {
	parts := new(struct { // one allocation
		request Request
		in      In
	})
	if err := o.in.Decode(body, &parts.in); err != nil {
		return nil, err
	}
	r := &parts.request
	r.Operation, r.operation, r.input = name, o, &parts.in
	if o.target != nil {
		r.one[0] = o.target(&parts.in)
		r.Targets = r.one[:]
	} else {
		r.Targets = o.targets(&parts.in)
	}
	return r, nil
}

func (o *typed[In, Out]) run(c *engine.Call, input any) ([]byte, error) {
	reply, err := o.do(c, input.(*In)) //nolint:forcetypeassert // read has set it
	if err != nil {
		return nil, err
	}
	if _, none := any(reply).(*api.Empty); none {
		return nil, nil
	}
	return o.out.Encode(reply), nil
}
