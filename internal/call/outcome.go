package call

import (
	"errors"
	"net"
	"net/http"

	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/op"
)

// attemptOutcome tells what a single attempt did. Only a refusal by the service itself, and a request that did not leave, are certain.
func attemptOutcome(sent bool, err error) op.Outcome {
	var api smithy.APIError
	switch {
	case err == nil:
		return op.Applied
	case !sent, unconnected(err):
		return op.NotApplied
	case errors.As(err, &api) && refusedBy(api, err):
		return op.NotApplied
	default:
		return op.Unknown
	}
}

// unconnected reports whether the request found no connection to leave on.
func unconnected(err error) bool {
	var n *net.OpError
	return errors.As(err, &n) && (n.Op == "dial" || n.Op == "proxyconnect")
}

// refusedBy reports whether the service has refused the request. An error that carries no status is a fake client's or a wrapper's: then the
// modeled fault says whose it is.
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

// open are the codes of client errors that leave it open what becomes, or became, of the request.
var open = map[string]bool{
	"TransactionInProgressException": true, // an earlier attempt is still running
	"RequestTimeout":                 true,
	"RequestTimeoutException":        true,
}
