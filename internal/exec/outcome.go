package exec

import (
	"errors"
	"net"
	"net/http"

	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
)

// attemptOutcome returns the outcome of one attempt. Only a success, a rejection by DynamoDB, and a
// request that was not sent are certain.
func attemptOutcome(sent bool, err error) trestle.Outcome {
	if err == nil {
		return trestle.Applied
	}
	var api smithy.APIError
	switch {
	case !sent, unconnected(err):
		return trestle.NotApplied
	case errors.As(err, &api) && refusedBy(api, err):
		return trestle.NotApplied
	default:
		return trestle.Unknown
	}
}

// unconnected reports whether the request failed before it had a connection.
func unconnected(err error) bool {
	var n *net.OpError
	return errors.As(err, &n) && (n.Op == "dial" || n.Op == "proxyconnect")
}

// refusedBy reports whether DynamoDB rejected the request. An error without an HTTP status comes
// from a fake client or a wrapper; then the fault in the SDK's model decides.
func refusedBy(api smithy.APIError, err error) bool {
	if open[api.ErrorCode()] {
		return false
	}
	var status interface{ HTTPStatusCode() int }
	if !errors.As(err, &status) {
		return api.ErrorFault() == smithy.FaultClient
	}
	code := status.HTTPStatusCode()
	return code >= 400 && code < 500 && code != http.StatusRequestTimeout
}

// open are the codes of client errors after which the request may still be applied, or may have
// been.
var open = map[string]bool{
	"TransactionInProgressException": true, // an earlier attempt is still running
	// A request with the same token was applied. It may be the same write with another timestamp.
	"IdempotentParameterMismatchException": true,
	"RequestTimeout":                       true,
	"RequestTimeoutException":              true,
}
