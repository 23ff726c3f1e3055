package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// seen is what a client observes of one request.
type seen struct {
	Steps  string // the trace of the connection
	Err    string
	Status int
	Header string
	Body   string
}

// events lists the possible outcomes of a request, with the trace of each.
var events = []struct {
	name  string
	fake  *fake
	steps string
	err   string
}{
	{"reply", &fake{reply: transport.Reply{Status: 200, Number: 7, Body: []byte(`{"Item":{}}`)}}, "ask got header request byte", ""},
	{"refusal", &fake{reply: transport.Reply{Status: 400, Number: 7, Body: []byte(`{"__type":"x"}`)}}, "ask got header request byte", ""},
	{"empty reply", &fake{reply: transport.Reply{Status: 200, Number: 7}}, "ask got header request byte", ""},
	{"reset", &fake{reply: transport.Reply{Loss: transport.Reset}}, "ask got header request", "url read reset"},
	{"refused", &fake{refuse: true}, "ask", "url dial refused"},
	{"hang", &fake{hang: true}, "ask got header request", "url canceled"},
	{"cut", &fake{reply: transport.Reply{Status: 200, Body: []byte(`{"Item":{}}`), Cut: true}}, "ask got header request byte", "cut"},
	{"wrong checksum", &fake{reply: transport.Reply{Status: 200, Body: []byte(`{}`), WrongChecksum: true}}, "ask got header request byte", ""},
}

// TestInMemoryMatchesNetwork sends the same request to the same server in both ways and compares
// what the client observes.
func TestInMemoryMatchesNetwork(t *testing.T) {
	t.Parallel()
	for _, h := range events {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			inMemory := observe(t, inMemory(copied(h.fake)))
			overNetwork := observe(t, overNetwork(t, copied(h.fake)))
			require.Equal(t, overNetwork, inMemory)
			require.Equal(t, h.steps, inMemory.Steps)
			require.Equal(t, h.err, inMemory.Err)
		})
	}
}

// TestInMemoryMatchesNetworkControl does the same with a transport that calls no trace hook and
// returns one error for everything. The client must observe a difference.
func TestInMemoryMatchesNetworkControl(t *testing.T) {
	t.Parallel()
	for _, h := range events {
		naive := observe(t, target{url: "http://nowhere.invalid", client: &http.Client{Transport: naive{copied(h.fake)}}})
		require.NotEqual(t, observe(t, inMemory(copied(h.fake))), naive, h.name)
	}
}

type naive struct{ server transport.Server }

func (n naive) RoundTrip(r *http.Request) (*http.Response, error) {
	e := n.server.Accept(transport.Request{})
	if e.Connect(r.Context()) != nil {
		return nil, errors.New("something went wrong")
	}
	reply := e.Reply(r.Context())
	if reply.Loss != transport.NotLost {
		return nil, errors.New("something went wrong")
	}
	return &http.Response{StatusCode: reply.Status, Body: io.NopCloser(strings.NewReader(string(reply.Body)))}, nil
}

// target is the destination of a client's requests.
type target struct {
	url    string
	client *http.Client
	fake   *fake
}

func copied(f *fake) *fake {
	return &fake{refuse: f.refuse, hang: f.hang, reply: f.reply, started: make(chan struct{})}
}

func inMemory(f *fake) target {
	return target{"http://nowhere.invalid", &http.Client{Transport: &transport.RoundTripper{Server: f}}, f}
}

func overNetwork(t *testing.T, f *fake) target {
	t.Helper()
	server := httptest.NewServer(transport.Handler{Server: f})
	t.Cleanup(server.Close)
	if f.refuse {
		server.Close() // a handler already has the connection and cannot refuse it
	}
	return target{server.URL, server.Client(), f}
}

// observe sends one request and cancels it if the server hangs.
func observe(t *testing.T, to target) seen {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if to.fake != nil && to.fake.hang {
		go func() { <-to.fake.started; cancel() }()
	}
	if to.fake == nil {
		cancel() // the naive transport ignores this
	}
	var steps recorder
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, steps.trace()), http.MethodPost, to.url, strings.NewReader(`{"a":1}`))
	require.NoError(t, err)
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
	response, err := to.client.Do(request)
	if err != nil {
		return seen{Steps: steps.String(), Err: kind(err)}
	}
	defer response.Body.Close()
	var body strings.Builder
	_, err = io.Copy(&body, response.Body) // it would use a method WriteTo
	var header []string
	for _, name := range []string{"Content-Type", "Content-Length", "X-Amzn-Requestid", "X-Amz-Crc32"} {
		header = append(header, response.Header.Get(name))
	}
	return seen{steps.String(), kind(err), response.StatusCode, strings.Join(header, "|"), body.String()}
}

// kind distinguishes errors by their types, as clients do.
func kind(err error) string {
	var kinds []string
	var u *url.Error
	if errors.As(err, &u) {
		kinds = append(kinds, "url")
	}
	var op *net.OpError
	if errors.As(err, &op) {
		kinds = append(kinds, op.Op)
	}
	for name, cause := range map[string]error{
		"refused": syscall.ECONNREFUSED, "reset": syscall.ECONNRESET, "canceled": context.Canceled, "cut": io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, cause) {
			kinds = append(kinds, name)
		}
	}
	if err != nil && len(kinds) == 0 {
		return err.Error()
	}
	return strings.Join(kinds, " ")
}

// recorder records the trace of a connection.
type recorder struct {
	mu    sync.Mutex
	steps []string
}

func (r *recorder) add(step string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, step)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.steps, " ")
}

func (r *recorder) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:              func(string) { r.add("ask") },
		GotConn:              func(httptrace.GotConnInfo) { r.add("got") },
		WroteHeaders:         func() { r.add("header") },
		WroteRequest:         func(httptrace.WroteRequestInfo) { r.add("request") },
		GotFirstResponseByte: func() { r.add("byte") },
	}
}
