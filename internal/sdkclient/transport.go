package sdkclient

import (
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

const (
	// connections is the number of idle connections to keep for a server. With fewer, each burst of
	// more calls opens new connections: the SDK keeps 10.
	connections = 128
	// writeBuffer is large enough to send an ordinary request with its header in one write.
	writeBuffer = 64 << 10
)

// Transport changes a transport to keep the connections of a burst, and to send an ordinary request
// in one write.
func Transport(t *http.Transport) {
	t.MaxIdleConnsPerHost = max(t.MaxIdleConnsPerHost, connections)
	if t.MaxIdleConns != 0 { // else without limit
		t.MaxIdleConns = max(t.MaxIdleConns, connections)
	}
	t.WriteBufferSize = max(t.WriteBufferSize, writeBuffer)
}

// HTTPClient returns the HTTP client to use instead of another one. It has the other's settings,
// and those of Transport if the other one is a client of the SDK.
func HTTPClient(c aws.HTTPClient) aws.HTTPClient {
	if b, ok := c.(*awshttp.BuildableClient); ok {
		c = b.WithTransportOptions(Transport)
	}
	if _, ok := c.(oneWrite); ok {
		return c
	}
	return oneWrite{c}
}
