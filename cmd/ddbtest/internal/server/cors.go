package server

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/browser"
)

// Origins are the origins of pages whose scripts may send requests. The only element "*" allows
// all of them to use DynamoDB.
type Origins []string

const (
	allOrigins   = "*"
	headerOrigin = "Origin"
)

// ParseOrigins parses a list that is separated by commas.
func ParseOrigins(list string) (Origins, error) {
	var origins Origins
	for origin := range strings.SplitSeq(list, ",") {
		origin = strings.TrimSpace(origin)
		if u, err := url.Parse(origin); origin != allOrigins && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin) {
			return nil, fmt.Errorf("%q is not an origin, such as http://localhost:3000", origin)
		}
		origins = append(origins, origin)
	}
	if len(origins) > 1 && slices.Contains(origins, allOrigins) {
		return nil, errors.New("* allows all origins: give no other")
	}
	return origins, nil
}

// wrap adds the headers of CORS to replies, and replies to preflight requests.
func (o Origins) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get(headerOrigin)
		allowed := o.allow(r)
		o.setHeaders(w.Header(), r, allowed)
		method := r.Header.Get("Access-Control-Request-Method")
		if r.Method != http.MethodOptions || origin == "" || method == "" {
			next.ServeHTTP(w, r)
			return
		}
		if !allowed {
			refuse(w, r, http.StatusForbidden, refusedOrigin, listOrigin)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Methods", method) // as the service
		if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
			h.Set("Access-Control-Allow-Headers", wanted)
		}
		h.Set("Access-Control-Max-Age", "1728000") // as DynamoDB Local; browsers have lower limits
		w.WriteHeader(http.StatusOK)
	})
}

// allow reports whether scripts of the request's origin may read the reply. As in DynamoDB Local,
// "*" allows all of them to use DynamoDB. The control endpoint wants an origin that is listed, and
// the pages are for no scripts.
func (o Origins) allow(r *http.Request) bool {
	origin := r.Header.Get(headerOrigin)
	switch {
	case origin == "" || isPage(r):
		return false
	case isControl(r):
		return o.list(origin)
	default:
		return o.all() || o.list(origin)
	}
}

func (o Origins) all() bool { return slices.Equal(o, Origins{allOrigins}) }

// list reports whether an origin is listed by itself.
func (o Origins) list(origin string) bool { return origin != allOrigins && slices.Contains(o, origin) }

// setHeaders sets the headers of CORS.
func (o Origins) setHeaders(h http.Header, r *http.Request, allowed bool) {
	if !o.all() {
		h.Add("Vary", headerOrigin)
	}
	if !allowed {
		return
	}
	h.Set("Access-Control-Allow-Origin", r.Header.Get(headerOrigin))
	if o.all() {
		h.Set("Access-Control-Allow-Origin", allOrigins)
	}
	h.Set("Access-Control-Expose-Headers", "x-amzn-requestid, x-amz-crc32")
}

// guard refuses requests to the control endpoint that a page of another site sends, unless its
// origin is listed. A browser sends some requests without asking first: those of forms, and those
// of scripts whose body has a type of forms. Therefore a body must have the type of JSON.
func (o Origins) guard(control http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case browser.IsForeign(r) && !o.allow(r):
			refuse(w, r, http.StatusForbidden, refusedOrigin, listOrigin)
		case browser.Sends(r) && r.ContentLength != 0 && !isJSON(r):
			refuse(w, r, http.StatusUnsupportedMediaType, "the body of a browser must have the type of JSON", `set the header Content-Type to "application/json"`)
		default:
			control.ServeHTTP(w, r)
		}
	})
}

const (
	refusedOrigin = "the request comes from a page of another site"
	listOrigin    = "list its origin in the option -cors"
)

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
