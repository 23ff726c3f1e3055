package transport

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// maxBody is the service's limit for the JSON body of a request, in bytes, as it is sent and
// decompressed.
const maxBody = 16 << 20

// read converts an HTTP request with that target, and closes its body.
func read(r *http.Request, target string) (Request, error) {
	body, fits, err := readBody(r)
	if err != nil {
		return Request{}, fmt.Errorf("read the request's body: %w", err)
	}
	body, invalid := decoded(body, first(r.Header, headerContentEncoding))
	service, operation, _ := strings.Cut(target, ".")
	return Request{
		Service: service, Operation: operation, Body: body, TooLarge: !fits, Undecodable: invalid != nil,
		InvocationID: first(r.Header, headerInvocation), Authorization: first(r.Header, headerAuthorization),
		Host: host(r), Attempt: attempt(first(r.Header, headerAttempt)),
	}, nil
}

// host returns the host of a request, which a client may only have in the URL.
func host(r *http.Request) string {
	if r.Host == "" && r.URL != nil {
		return r.URL.Host
	}
	return r.Host
}

// first is [http.Header.Get] for a key in canonical form.
func first(h http.Header, key string) string {
	if values := h[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// attempt parses a header such as "attempt=2; max=3". It returns 0 if there is no number.
func attempt(header string) int {
	for header != "" {
		var field string
		field, header, _ = strings.Cut(header, ";")
		if text, ok := strings.CutPrefix(strings.TrimSpace(field), "attempt="); ok {
			n, err := strconv.Atoi(text)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// readBody reads the body. It reports whether the body fits in maxBody.
func readBody(r *http.Request) (body []byte, fits bool, err error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, true, nil
	}
	defer func() { _ = r.Body.Close() }()
	switch n := r.ContentLength; {
	case n > maxBody:
		return nil, false, nil
	case n > 0:
		body = make([]byte, n)
		_, err = io.ReadFull(r.Body, body)
		return body, true, err
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil || len(body) > maxBody {
		return nil, false, err
	}
	return body, true, nil
}
