package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// RoundTripper passes requests to a server in the same process. It calls the hooks of a
// [httptrace.ClientTrace] and returns errors as a network connection would.
type RoundTripper struct{ Server Server }

// RoundTrip implements [http.RoundTripper].
func (t *RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if ctx.Err() != nil {
		closeBody(r)
		return nil, context.Cause(ctx)
	}
	target := first(r.Header, headerTarget)
	if !strings.HasPrefix(target, "DynamoDB") {
		closeBody(r)
		return nil, ErrOtherService
	}
	request, err := read(r, target)
	if err != nil {
		return nil, err
	}
	exchange := t.Server.Accept(request)
	trace := httptrace.ContextClientTrace(ctx)
	traceDial(trace, r)
	if err := exchange.Connect(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, refused(r, err)
	}
	traceSent(trace)
	reply := exchange.Reply(ctx)
	switch reply.Loss {
	case Reset:
		return nil, reset(r)
	case Canceled:
		return nil, context.Cause(ctx)
	}
	reply.compress(r.Header)
	traceReplied(trace)
	return reply.response(r), nil
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// ErrOtherService is the error of a request that is not for DynamoDB.
var ErrOtherService = errors.New("the request is not for DynamoDB")

// ErrRefused is the error of a connection to a port without a listener.
var ErrRefused = os.NewSyscallError("connect", syscall.ECONNREFUSED)

// refused returns the error of a refused dial.
func refused(r *http.Request, why error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: address(r.URL.Host), Err: why}
}

// reset returns the error of a read from a connection that was reset.
func reset(r *http.Request) error {
	return &net.OpError{Op: "read", Net: "tcp", Addr: address(r.URL.Host), Err: os.NewSyscallError("read", syscall.ECONNRESET)}
}

// address is a host name used as a [net.Addr].
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// response returns the HTTP response.
func (r *Reply) response(request *http.Request) *http.Response {
	parts := new(struct { // one allocation
		response http.Response
		fields   fields
		body     body
	})
	header := make(http.Header, len(parts.fields))
	r.header(header, &parts.fields)
	parts.body.reader.Reset(r.delivered())
	parts.body.cut = r.Cut
	parts.response = http.Response{
		Status: status(r.Status), StatusCode: r.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: &parts.body, ContentLength: int64(len(r.Body)), Request: request,
	}
	return &parts.response
}

// status returns the text of a status line.
func status(code int) string {
	if code == http.StatusOK {
		return "200 OK"
	}
	return strconv.Itoa(code) + " " + http.StatusText(code)
}

// body is the body of a response. A cut one ends before the announced length.
type body struct {
	reader bytes.Reader
	cut    bool
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.reader.Read(p)
	if b.cut && err == io.EOF { //nolint:errorlint // a Reader returns just this
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Close implements [io.Closer].
func (*body) Close() error { return nil }
