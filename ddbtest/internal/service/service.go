// Package service lists the operations. For each operation it has the request's type, its targets
// and the function that runs it.
package service

import (
	"errors"

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

	operation operation
	input     any              // a pointer to a struct of package api
	one       [1]engine.Target // Targets, if there is only one: the same allocation
}

// Read parses a request. Its error is the service's error, an [*awserr.Error].
func Read(operation string, body []byte) (*Request, error) {
	known, ok := operations[operation]
	if !ok {
		return nil, awserr.New("UnknownOperationException", "ddbtest does not implement %s", operation)
	}
	return known.read(operation, body)
}

// Run runs the request and returns the reply's body. A reply without members has an empty body.
func (r *Request) Run(c *engine.Call) ([]byte, error) {
	return r.operation.run(c, r.input)
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
