package transport

import (
	"net"
	"net/http"
	"net/http/httptrace"
)

// traceDial tells that a connection is asked for.
func traceDial(trace *httptrace.ClientTrace, r *http.Request) {
	if trace != nil && trace.GetConn != nil {
		trace.GetConn(hostPort(r))
	}
}

// traceSent tells that a connection was there, and took the whole request.
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

// traceAnswered tells that an answer has begun.
func traceAnswered(trace *httptrace.ClientTrace) {
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
}

// hostPort is the address that a connection would be made to.
func hostPort(r *http.Request) string {
	port := r.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[r.URL.Scheme]
	}
	return net.JoinHostPort(r.URL.Hostname(), port)
}
