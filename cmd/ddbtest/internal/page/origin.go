package page

import (
	"net/http"
	"net/url"
)

// protection refuses forms that the page of another site sends.
var protection = http.NewCrossOriginProtection()

// isForeign reports whether a script or a form of another site sends the request. The origins that
// CORS allows are foreign too: they may use the control endpoint. A link of another site is not
// foreign, because opening a page changes nothing.
func isForeign(r *http.Request) bool {
	if protection.Check(r) != nil {
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}
