package server

import (
	"net/http"
	"time"
)

// The limits of a connection. A client must send its request in time and read its reply in time.
// There is no limit between the two, because a rule may delay a request or let it hang:
// http.Server.WriteTimeout, which begins with the request, would end it.
const (
	headerTimeout  = 10 * time.Second
	requestTimeout = time.Minute // to send all of it
	replyTimeout   = time.Minute
	idleTimeout    = 2 * time.Minute
	maxHeader      = 64 << 10
)

func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: withReplyDeadline(h), ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
}

// withReplyDeadline sets the deadline of the reply when it begins.
func withReplyDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&replyWriter{ResponseWriter: w, controller: http.NewResponseController(w)}, r)
	})
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
		_ = w.controller.SetWriteDeadline(time.Now().Add(replyTimeout)) // not supported by the writers of tests
	}
}
