// Package browser tells which requests a browser sends, and for whom. It trusts the Host header,
// which the server checks before.
package browser

import (
	"net/http"
	"net/url"
	"strings"
)

const (
	headerOrigin = "Origin"
	headerSite   = "Sec-Fetch-Site" // whether the page that sends the request is one of this server
	headerMode   = "Sec-Fetch-Mode"
)

// Sends reports whether a browser sends a request, as far as its headers tell.
func Sends(r *http.Request) bool {
	return r.Header.Get(headerOrigin) != "" || r.Header.Get(headerSite) != ""
}

// IsForeign reports whether the page of another site sends the request. Other ports are other
// sites. A program's request is not foreign.
func IsForeign(r *http.Request) bool {
	switch r.Header.Get(headerSite) {
	case "same-origin":
		return false
	case "", "none": // an old browser or no page, which have no other origin
		origin := r.Header.Get(headerOrigin)
		return origin != "" && !isOrigin(origin, r.Host)
	default:
		return true
	}
}

// isOrigin reports whether an origin has a host. The scheme may differ, behind a proxy. A hidden
// origin, "null", has no host.
func isOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// IsLink reports whether a person follows a link, or a page opens one. The page that has the link
// cannot read the reply.
func IsLink(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads && r.Header.Get(headerOrigin) == "" && r.Header.Get(headerMode) == "navigate"
}
