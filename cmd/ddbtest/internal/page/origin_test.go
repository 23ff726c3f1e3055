package page_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestForeignForm checks that the form of another site moves no clock, whatever CORS allows, and
// that the forms of the page do.
func TestForeignForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		headers map[string]string
		moved   bool
	}{
		{"another origin", map[string]string{"Origin": "http://evil.example"}, false},
		{"another port", map[string]string{"Origin": "http://example.com:81"}, false},
		{"hidden origin", map[string]string{"Origin": "null"}, false},
		{"cross-site", map[string]string{"Origin": "http://example.com", "Sec-Fetch-Site": "cross-site"}, false},
		{"same site, another origin", map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		{"the page", map[string]string{"Origin": "http://example.com", "Sec-Fetch-Site": "same-origin"}, true},
		{"the page, by an old browser", map[string]string{"Origin": "http://example.com"}, true},
		{"no browser", nil, true},
	} {
		for _, origin := range []string{"*", "http://evil.example"} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := startOrders(t)
				s.allow(origin)
				for _, form := range []string{"clock", "lag", "settle", "rules", "rules/1/remove"} {
					w := s.send(http.MethodPost, base+form, "by=24h&effect=Reset", c.headers)
					require.Equal(t, c.moved, w.Code == http.StatusSeeOther, "%s: %s", form, w.Body)
					require.Equal(t, c.moved, w.Code != http.StatusForbidden)
				}
				require.Equal(t, c.moved, s.db.Now().After(time.Now().Add(12*time.Hour)))
			})
		}
	}
}

// TestForeignRead checks that a script of another site reads no page, and that a link of it does
// open one.
func TestForeignRead(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	require.Equal(t, http.StatusForbidden, s.send(http.MethodGet, base, "", map[string]string{"Origin": "http://evil.example"}).Code)
	require.Equal(t, http.StatusOK, s.send(http.MethodGet, base, "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).Code)
}
