package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Hosts are more names and addresses by which clients may call the server. "*" allows all.
//
// A page can let its own name resolve to the address of the server: then the server has the origin
// of the page, and CORS does not apply. Only the Host header tells such requests from others.
type Hosts []string

// ParseHosts parses names and addresses. It returns everything that is wrong.
func ParseHosts(names []string) (hosts Hosts, err error) {
	var errs []error
	for _, name := range names {
		host := strings.ToLower(strings.TrimSuffix(name, "."))
		address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
		switch {
		case err == nil:
			hosts = append(hosts, address.String())
		case host == "*" || host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "":
			hosts = append(hosts, host)
		default:
			errs = append(errs, fmt.Errorf("%q is not a host name, such as host.docker.internal: it has no scheme and no port", name))
		}
	}
	return hosts, errors.Join(errs...)
}

// IsLoopback reports whether only this machine reaches a listener.
func IsLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// checkHost refuses requests by a name that is not one of the server. The listener has a loopback
// address or not.
func (s *Server) checkHost(next http.Handler, loopback bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A browser sends a Host header always. Some health checks do not.
		host := (&url.URL{Host: r.Host}).Hostname()
		if r.Host == "" || s.hasName(host, loopback) || !loopback && len(s.Hosts) == 0 && s.harmless(r) {
			next.ServeHTTP(w, r)
			return
		}
		refuse(w, r, http.StatusForbidden, fmt.Sprintf("%q is not a name of this server", host), "start it with -allow-host "+host)
	})
}

// hasName reports whether a Host header without its port is a name of the server. No other page has
// an address as its host, so every address is a name of a server that others can reach.
func (s *Server) hasName(host string, loopback bool) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if address, err := netip.ParseAddr(host); err == nil {
		return !loopback || address.Unmap().IsLoopback() || s.isListed(address.String())
	}
	isOwn := host == "localhost" || strings.HasSuffix(host, ".localhost") || host != "" && strings.EqualFold(host, s.Name)
	return isOwn || s.isListed(host)
}

func (s *Server) isListed(host string) bool {
	return slices.Contains(s.Hosts, "*") || slices.Contains(s.Hosts, host)
}

// harmless reports whether a request may have any name, as clients in other containers use: it is a
// health check, or a request of DynamoDB that no page sends unless CORS allows it. A browser sends
// the origin with each POST request.
func (s *Server) harmless(r *http.Request) bool {
	switch {
	case isControl(r) || isPage(r):
		return false
	case r.Header.Get(headerTarget) == "":
		return true
	default:
		return r.Method == http.MethodPost && (r.Header.Get(headerOrigin) == "" || s.Origins.allow(r))
	}
}
