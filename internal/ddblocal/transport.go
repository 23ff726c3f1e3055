package ddblocal

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// connections is how many idle ones are kept: as many as tests use at once, or each burst would open its own.
	connections = 128
	// writeBuffer takes an ordinary request with its header, so that it leaves in one write.
	writeBuffer = 64 << 10
)

// newHTTPClient makes a client for a server on this machine. It reads no proxy from the environment.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Timeout: time.Minute, // a page of 1 MB or 100 puts in a transaction take a second at worst
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
// The SDK closes a request's body as soon as the answer's header is in. A fast server answers before the transport has noticed that
// the body is at its end; it then finds the body closed, takes that for a failed write, and drops the connection with the rest of the answer on it.
// A body of a type that net/http knows to be in memory is out of the SDK's reach, and needs no separate write of the header.
type oneWrite struct{ transport *http.Transport }

func (o oneWrite) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body == nil || request.Body == http.NoBody {
		return o.transport.RoundTrip(request)
	}
	body, err := readBody(request)
	if err != nil {
		return nil, fmt.Errorf("read the request's body: %w", err)
	}
	sent := *request // the interface forbids changing the caller's
	sent.ContentLength = int64(len(body))
	sent.Body = io.NopCloser(bytes.NewReader(body))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return o.transport.RoundTrip(&sent)
}

// CloseIdleConnections lets http.Client's method of that name reach the transport.
func (o oneWrite) CloseIdleConnections() { o.transport.CloseIdleConnections() }

func readBody(request *http.Request) ([]byte, error) {
	defer func() { _ = request.Body.Close() }()
	var b bytes.Buffer
	if n := request.ContentLength; n > 0 {
		b.Grow(int(n) + bytes.MinRead) // room for the read that finds the end
	}
	_, err := b.ReadFrom(request.Body)
	return b.Bytes(), err
}
