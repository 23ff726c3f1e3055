package ddbtest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// otherServiceError is the error of a request that is not for DynamoDB. An HTTP client of a
// database in a shared aws.Config also gets the requests of other services.
type otherServiceError struct{ request string }

func (e *otherServiceError) Error() string {
	return "ddbtest: the HTTP client of a database got a request for " + e.request + ": it serves only DynamoDB and DynamoDB Streams. " +
		"Do not set it in an aws.Config that other clients share: use dynamodb.NewFromConfig(config, db.Configure)"
}

// RetryableError makes the SDK give up at once.
func (*otherServiceError) RetryableError() bool { return false }

// RoundTrip implements [http.RoundTripper]. It refuses requests that are not for DynamoDB.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(r)
	if errors.Is(err, transport.ErrOtherService) {
		return nil, &otherServiceError{serviceOf(r)}
	}
	return response, err //nolint:wrapcheck // as a transport returns it
}

// serviceOf describes the service of a request: by the scope of its signature, by its target, or by
// its host.
func serviceOf(r *http.Request) string {
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	if credential == "" {
		credential = r.URL.Query().Get("X-Amz-Credential")
	}
	// key/date/region/service/aws4_request
	if scope := strings.Split(credential, "/"); len(scope) > 3 && scope[3] != "" {
		return fmt.Sprintf("the service %q", scope[3])
	}
	if service, _, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); service != "" {
		return fmt.Sprintf("the service %q", service)
	}
	return fmt.Sprintf("the host %q", r.URL.Hostname())
}
