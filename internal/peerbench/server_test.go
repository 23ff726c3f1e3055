package peerbench

import (
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// server sends the same response to every request over a socket, and counts.
type server struct {
	*httptest.Server
	requests    atomic.Int64
	connections atomic.Int64
}

// newServer starts a server that responds after a time.
func newServer(tb testing.TB, reply []byte, wait time.Duration, tls bool) *server {
	tb.Helper()
	s := &server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		if wait > 0 {
			<-time.After(wait)
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.Header().Set("Content-Length", strconv.Itoa(len(reply)))
		_, _ = w.Write(reply) // the client sees the failure
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // clients end handshakes that they no longer need
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	if tls {
		s.StartTLS()
	} else {
		s.Start()
	}
	tb.Cleanup(s.Close)
	return s
}

// config returns the configuration of a client of the server, with the HTTP client of the SDK.
func (s *server) config() aws.Config {
	client := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		if certificate := s.Certificate(); certificate != nil {
			t.TLSClientConfig.RootCAs = x509.NewCertPool()
			t.TLSClientConfig.RootCAs.AddCert(certificate)
		}
	})
	return aws.Config{Region: region, Credentials: credentials, BaseEndpoint: aws.String(s.URL), HTTPClient: client}
}
