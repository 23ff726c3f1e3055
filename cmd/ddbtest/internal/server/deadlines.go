package server

import (
	"io"
	"net/http"
	"time"
)

// The limits of a connection. A client must send its request in time and read its reply in time.
// There is no limit between the two, because a rule may delay a request or let it hang:
// http.Server.ReadTimeout and WriteTimeout would end it.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = time.Minute
	replyTimeout  = time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader}
}

// withDeadlines sets the deadlines of the body and of the reply.
func withDeadlines(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			_ = c.SetReadDeadline(time.Now().Add(bodyTimeout)) // not supported by the writers of tests
			r.Body = &bodyReader{r.Body, c}
		}
		next.ServeHTTP(&replyWriter{ResponseWriter: w, controller: c}, r)
	})
}

// bodyReader removes the read deadline when the body was read. A deadline that passes later would
// end the context of the request.
type bodyReader struct {
	io.ReadCloser
	controller *http.ResponseController
}

// Read implements [io.Reader].
func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.controller.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Close implements [io.Closer].
func (b *bodyReader) Close() error {
	_ = b.controller.SetReadDeadline(time.Time{})
	return b.ReadCloser.Close()
}

// replyWriter sets the write deadline when the reply begins.
type replyWriter struct {
	http.ResponseWriter
	controller *http.ResponseController
	began      bool
}

// Unwrap is for [http.ResponseController].
func (w *replyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *replyWriter) WriteHeader(status int) {
	w.begin()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *replyWriter) Write(p []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(p)
}

func (w *replyWriter) begin() {
	if !w.began {
		w.began = true
		_ = w.controller.SetWriteDeadline(time.Now().Add(replyTimeout))
	}
}
