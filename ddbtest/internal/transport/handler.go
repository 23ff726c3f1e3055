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
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
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
	if !e.Connect(ctx) {
		return Reply{Loss: Reset}
	}
	return e.Answer(ctx)
}

// hangUp resets the connection. Where that cannot be done, the client gets less than was announced.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		w.Header().Set("Content-Length", "1")
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
