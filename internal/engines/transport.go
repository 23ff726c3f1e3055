package engines

import (
	"net"
	"net/http"
	"time"

	"github.com/trestledb/trestle/internal/sdkclient"
)

// newHTTPClient returns a client for a server on this machine. It uses no proxy of the environment.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	transport := &http.Transport{
		DialContext:           dialer.DialContext,
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: 30 * time.Second,
		DisableCompression:    true,
	}
	sdkclient.Transport(transport)
	// A page of 1 MB, or a transaction of 100 puts, takes at most a second.
	return &http.Client{Timeout: time.Minute, Transport: transport}
}
