// Package service is the list of the operations: how each request is read, what it touches, and what runs it.
package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// Request is a request that was read and is ready to run, any number of times.
type Request struct {
	Operation string
	Targets   []engine.Target // of a batch or a transaction several, in the request's order; a batch's tables in the order of their names

	run func(*engine.Call) (any, error)
}

// Read reads a request. The error is the service's, an [*awserr.Error].
func Read(operation string, body []byte) (*Request, error) {
	read, ok := operations[operation]
	if !ok {
		return nil, awserr.New("UnknownOperationException", "ddbtest does not implement %s", operation)
	}
	return read(operation, body)
}

// Run runs the request, and returns the reply's body.
func (r *Request) Run(c *engine.Call) ([]byte, error) {
	reply, err := r.run(c)
	if err != nil {
		return nil, err
	}
	return wire.Encode(reply), nil
}

// reader makes a request of a body.
type reader func(operation string, body []byte) (*Request, error)

// operation makes a reader of what an operation's request looks like, what it touches and what runs it.
func operation[In, Out any](run func(*engine.Call, *In) (*Out, error), targets func(*In) []engine.Target) reader {
	return func(name string, body []byte) (*Request, error) {
		in := new(In)
		if err := wire.Decode(body, in); err != nil {
			return nil, err
		}
		return &Request{Operation: name, Targets: targets(in), run: func(c *engine.Call) (any, error) {
			out, err := run(c, in)
			if err != nil {
				return nil, err
			}
			return out, nil
		}}, nil
	}
}
