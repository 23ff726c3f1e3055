package transport

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// Handler serves the requests of an HTTP listener with a Server.
type Handler struct {
	Server Server
	Sent   *Sent // replies that clients may lose; nil sends all replies at once, and keeps none
}

// ServeHTTP implements [http.Handler]. It replies to a GET request without an operation as a health
// check.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := first(r.Header, headerTarget)
	if r.Method == http.MethodGet && target == "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "healthy: "+r.Host)
		return
	}
	request, err := read(r, target)
	if err != nil {
		http.Error(w, "the request's body is incomplete", http.StatusBadRequest)
		return
	}
	received := time.Now()
	reply, repeated := h.Sent.repeated(r, &request)
	if !repeated {
		reply = exchangeReply(r.Context(), h.Server.Accept(request))
		if reply.Loss != NotLost {
			resetConnection(w)
			return
		}
		reply.compress(r.Header)
	}
	h.Sent.hold(r.Context(), r, &request, &reply, received)
	reply.header(w.Header(), new(fields))
	w.WriteHeader(reply.Status)
	// if it writes less than announced, net/http closes the connection
	_, _ = w.Write(reply.delivered())
}

// exchangeReply runs the exchange. The connection exists already, so it returns a reset for a
// refused connection.
func exchangeReply(ctx context.Context, e Exchange) Reply {
	if e.Connect(ctx) != nil {
		return Reply{Loss: Reset}
	}
	return e.Reply(ctx)
}

// resetConnection resets the connection. Over HTTP/2 it resets the request's stream. If a
// middleware hides the connection, net/http closes it.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) //nolint:forbidigo // the documented way to abort a reply
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
