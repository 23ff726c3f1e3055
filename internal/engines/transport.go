package engines

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// connections is the number of idle connections to keep. It is the number that tests use at
	// once: with fewer, each burst would open new ones.
	connections = 128
	// writeBuffer is large enough to send an ordinary request with its header in one write.
	writeBuffer = 64 << 10
)

// newHTTPClient returns a client for a server on this machine. It uses no proxy of the environment.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		// A page of 1 MB, or a transaction of 100 puts, takes at most a second.
		Timeout: time.Minute,
		Transport: oneWrite{&http.Transport{
			DialContext:           dialer.DialContext,
			MaxIdleConns:          connections,
			MaxIdleConnsPerHost:   connections,
			IdleConnTimeout:       90 * time.Second,
			ResponseHeaderTimeout: 30 * time.Second,
			WriteBufferSize:       writeBuffer,
			DisableCompression:    true,
		}},
	}
}

// oneWrite sends each request in one write, from memory.
//
// The SDK closes the request's body as soon as it has the header of the response. A fast server
// responds before the transport reads the end of the body. The transport then finds the body
// closed, treats that as a failed write, and drops the connection with the rest of the response.
// oneWrite copies the body into a type that net/http treats as in memory. The SDK cannot close that
// copy, and the header needs no separate write.
type oneWrite struct{ transport *http.Transport }

func (o oneWrite) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body == nil || request.Body == http.NoBody {
		return o.transport.RoundTrip(request)
	}
	body, err := readBody(request)
	if err != nil {
		return nil, fmt.Errorf("read the request's body: %w", err)
	}
	sent := *request // a RoundTripper must not change the request
	sent.ContentLength = int64(len(body))
	sent.Body = io.NopCloser(bytes.NewReader(body))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return o.transport.RoundTrip(&sent)
}

// CloseIdleConnections makes http.Client.CloseIdleConnections close those of the transport.
func (o oneWrite) CloseIdleConnections() { o.transport.CloseIdleConnections() }

func readBody(request *http.Request) ([]byte, error) {
	defer func() { _ = request.Body.Close() }()
	var b bytes.Buffer
	if n := request.ContentLength; n > 0 {
		b.Grow(int(n) + bytes.MinRead) // space for the read that returns io.EOF
	}
	_, err := b.ReadFrom(request.Body)
	return b.Bytes(), err
}
