package transport

import (
	"context"
	"io"
	"net"
	"net/http"
)

// Handler hands a listener's requests to a server.
type Handler struct{ Server Server }

// ServeHTTP implements [http.Handler]. A request of no operation is asked by tools whether anybody is there.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && first(r.Header, headerTarget) == "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "healthy: "+r.Host)
		return
	}
	request, err := read(r)
	if err != nil {
		http.Error(w, "the request's body ended before its end", http.StatusBadRequest)
		return
	}
	reply := converse(r.Context(), h.Server.Arrive(request))
	if reply.Loss != NotLost {
		hangUp(w)
		return
	}
	reply.header(w.Header())
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.delivered()) // when less than was announced, net/http ends the connection after it
}

// converse is the whole exchange. A connection that is there cannot be refused any more: the nearest to it is a reset.
func converse(ctx context.Context, e Exchange) Reply {
	if e.Connect(ctx) != nil {
		return Reply{Loss: Reset}
	}
	return e.Answer(ctx)
}

// hangUp resets the connection, or what is in its place: over HTTP/2 the request's stream; where only a middleware has the connection, net/http
// closes it.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) //nolint:forbidigo // by this net/http knows that the reply is to be broken off
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
