package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/browser"
)

func TestIsForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, origin, site string
		sends, foreign     bool
	}{
		{"a program", "", "", false, false},
		{"another origin", "http://evil.example", "", true, true},
		{"another port", "http://example.com:81", "", true, true},
		{"a longer name", "http://example.com.evil.example", "", true, true},
		{"hidden origin", "null", "", true, true},
		{"a file", "file://", "", true, true},
		{"no origin", "://", "", true, true},
		{"cross-site", "", "cross-site", true, true},
		{"same site, another port", "", "same-site", true, true},
		{"an unknown relation", "", "other", true, true},
		{"cross-site, with the origin of the server", "http://example.com", "cross-site", true, true},
		{"no page, with another origin", "http://evil.example", "none", true, true},
		{"the server", "http://example.com", "same-origin", true, false},
		{"the server, by a GET request", "", "same-origin", true, false},
		{"the server, by an old browser", "http://example.com", "", true, false},
		{"the server, behind a proxy", "https://EXAMPLE.com", "", true, false},
		{"a person", "", "none", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.site != "" {
				r.Header.Set("Sec-Fetch-Site", c.site)
			}
			require.Equal(t, c.sends, browser.Sends(r))
			require.Equal(t, c.foreign, browser.IsForeign(r))
			r.Host = "" // it has no origin
			require.Equal(t, c.origin != "" && c.site != "same-origin" || c.foreign, browser.IsForeign(r))
		})
	}
}

func TestIsLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		method  string
		headers map[string]string
		want    bool
	}{
		{"a link", http.MethodGet, map[string]string{"Sec-Fetch-Mode": "navigate"}, true},
		{"a form", http.MethodPost, map[string]string{"Sec-Fetch-Mode": "navigate"}, false},
		{"an image", http.MethodGet, map[string]string{"Sec-Fetch-Mode": "no-cors"}, false},
		{"a script", http.MethodGet, map[string]string{"Sec-Fetch-Mode": "cors", "Origin": "http://evil.example"}, false},
		{"a program", http.MethodGet, nil, false},
	} {
		r := httptest.NewRequest(c.method, "/", http.NoBody)
		for name, value := range c.headers {
			r.Header.Set(name, value)
		}
		require.Equal(t, c.want, browser.IsLink(r), c.name)
	}
}
