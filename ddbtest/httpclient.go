package ddbtest

import (
	"net/http"
	"net/url"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// roundTripper is a transport with a reference to its database.
type roundTripper struct {
	transport.RoundTripper
	db *DB
}

// sdkClient sends the requests of SDK clients. It does what an [http.Client] does with a transport
// that never redirects: that one copies the header of each request, which takes about a tenth of
// the time of a GetItem.
type sdkClient struct{ transport *roundTripper }

// Do implements [dynamodb.HTTPClient].
func (c sdkClient) Do(r *http.Request) (*http.Response, error) {
	response, err := c.transport.RoundTrip(r)
	if err != nil {
		return nil, &url.Error{Op: "Post", URL: r.URL.Redacted(), Err: err}
	}
	return response, nil
}

// transportOf returns the transport of an HTTP client, or nil if it is not of this package.
func transportOf(client any) *roundTripper {
	switch c := client.(type) {
	case sdkClient:
		return c.transport
	case *http.Client:
		if t, ok := c.Transport.(*roundTripper); ok {
			return t
		}
	}
	return nil
}
