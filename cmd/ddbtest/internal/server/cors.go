package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Origins are the origins of pages whose scripts may send requests. The only element "*" allows
// all.
type Origins []string

// ParseOrigins parses a list that is separated by commas.
func ParseOrigins(list string) (Origins, error) {
	var origins Origins
	for origin := range strings.SplitSeq(list, ",") {
		origin = strings.TrimSpace(origin)
		if u, err := url.Parse(origin); origin != "*" && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin) {
			return nil, fmt.Errorf("%q is not an origin, such as http://localhost:3000", origin)
		}
		origins = append(origins, origin)
	}
	if len(origins) > 1 && slices.Contains(origins, "*") {
		return nil, errors.New("* allows all origins: give no other")
	}
	return origins, nil
}

// wrap adds the headers of CORS to replies, and replies to preflight requests.
func (o Origins) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		allowed := o.allow(w.Header(), origin)
		if r.Method != http.MethodOptions || origin == "" || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		if !allowed {
			http.Error(w, "the option -cors does not allow this origin", http.StatusBadRequest)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
		if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
			h.Set("Access-Control-Allow-Headers", wanted)
		}
		h.Set("Access-Control-Max-Age", "1728000") // as DynamoDB Local; browsers have lower limits
		w.WriteHeader(http.StatusOK)
	})
}

// refuse reports whether a request comes from a page whose origin is not allowed. A browser sends
// some requests to the control endpoint without asking first.
func (o Origins) refuse(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin != "" && origin != "http://"+r.Host && !o.contain(origin)
}

// contain reports whether an origin is allowed.
func (o Origins) contain(origin string) bool {
	return slices.Equal(o, Origins{"*"}) || slices.Contains(o, origin)
}

// allow sets the headers that allow an origin, if it is allowed.
func (o Origins) allow(h http.Header, origin string) bool {
	all := slices.Equal(o, Origins{"*"})
	if !all {
		h.Add("Vary", "Origin")
	}
	switch {
	case origin == "":
		return false
	case all:
		origin = "*"
	case !slices.Contains(o, origin):
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "x-amzn-requestid, x-amz-crc32")
	return true
}
