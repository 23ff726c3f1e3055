package transport

import (
	"net"
	"net/http"
	"net/http/httptrace"
)

// traceDial traces the request for a connection.
func traceDial(trace *httptrace.ClientTrace, r *http.Request) {
	if trace != nil && trace.GetConn != nil {
		trace.GetConn(hostPort(r))
	}
}

// traceSent traces a connection and the sent request.
func traceSent(trace *httptrace.ClientTrace) {
	if trace == nil {
		return
	}
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Reused: true})
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

// traceReplied traces the first byte of the reply.
func traceReplied(trace *httptrace.ClientTrace) {
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
}

// hostPort returns the address of the server with its port.
func hostPort(r *http.Request) string {
	port := r.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[r.URL.Scheme]
	}
	return net.JoinHostPort(r.URL.Hostname(), port)
}
