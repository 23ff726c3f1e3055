// Package service lists the operations. For each operation it has the request's type, its targets
// and the function that runs it.
package service

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// Request is a parsed request. It can run any number of times.
type Request struct {
	Operation string
	// Targets has one element for each part of a batch or a transaction, in the order of the
	// request. The tables of a batch are in the order of their names.
	Targets []engine.Target

	input any // a pointer to a struct of package api
	run   func(*engine.Call) (any, error)
}

// Read parses a request. Its error is the service's error, an [*awserr.Error].
func Read(operation string, body []byte) (*Request, error) {
	read, ok := operations[operation]
	if !ok {
		return nil, awserr.New("UnknownOperationException", "ddbtest does not implement %s", operation)
	}
	return read(operation, body)
}

// Run runs the request and returns the reply's body. A reply without members has an empty body.
func (r *Request) Run(c *engine.Call) ([]byte, error) {
	reply, err := r.run(c)
	if err != nil {
		return nil, err
	}
	if _, none := reply.(*api.Empty); none {
		return nil, nil
	}
	return wire.Encode(reply), nil
}

// parser parses the body of a request.
type parser func(operation string, body []byte) (*Request, error)

// operation returns the reader of an operation from its function and its targets.
func operation[In, Out any](run func(*engine.Call, *In) (*Out, error), targets func(*In) []engine.Target) parser {
	return func(name string, body []byte) (*Request, error) {
		parts := new(struct { // one allocation
			request Request
			in      In
		})
		in := &parts.in
		if err := wire.Decode(body, in); err != nil {
			return nil, err
		}
		parts.request = Request{Operation: name, Targets: targets(in), input: in, run: func(c *engine.Call) (any, error) {
			out, err := run(c, in)
			if err != nil {
				return nil, err
			}
			return out, nil
		}}
		return &parts.request, nil
	}
}

// EncodeError returns the reply for an error, and its code. An error that is not an
// [*awserr.Error] is an internal error of the service.
func EncodeError(err error) (status int, body []byte, code string) {
	var known *awserr.Error
	if !errors.As(err, &known) {
		known = awserr.Internal()
	}
	return known.HTTPStatus(), wire.EncodeError(known), known.Code
}
