package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// hostile are names and values that would break a page which does not escape them.
var hostile = []string{
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</details></table>", `' " & < > {{.}}`, "javascript:alert(1)",
	"\u202e\u0000\u2028\n\t", "]]>--><!--", "%2e%2e/../?a=b#c&amp;",
}

// TestEveryLink follows every link of a site with hostile names and values. Each page is checked by
// parse, which finds elements that a value has ended or begun.
func TestEveryLink(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	_, err := s.databases.Open(databases.Key{AccessKey: "other", Region: "eu-west-1"})
	require.NoError(t, err)
	for _, text := range hostile {
		s.put(order(text+"x", text+"y", "d"+text, "1", item{"a" + text: str(text), "long" + text: str(strings.Repeat(text, 50))}))
	}
	s.putMany("many", 120)
	s.post(base+"rules", url.Values{"effect": {"Delay"}, "duration": {"1ms"}, "table": {hostile[0]}, "index": {hostile[1]}, "operations": {"Query"}})
	s.post(base+"rules", url.Values{"effect": {"Error"}, "code": {hostile[0]}, "status": {"400"}, "message": {hostile[2]}, "operations": {"Scan"}})

	seen := map[string]bool{"/_ddbtest/": true}
	var pages int
	for todo := []string{"/_ddbtest/"}; len(todo) > 0; todo = todo[1:] {
		w := s.send(http.MethodGet, todo[0], "", nil)
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", todo[0], w.Body)
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		pages++
		d := parse(t, w.Body.String())
		here, err := url.Parse("http://example.com" + todo[0])
		require.NoError(t, err)
		for _, link := range d.links() {
			u, err := here.Parse(link)
			require.NoError(t, err, link)
			require.Equal(t, here.Host, u.Host, link)
			if u.Path == here.Path && u.RawQuery == here.RawQuery {
				if u.Fragment != "" {
					d.id(u.Fragment)
				}
				continue
			}
			target := u.EscapedPath()
			if u.RawQuery != "" {
				target += "?" + u.RawQuery
			}
			if !seen[target] {
				seen[target] = true
				todo = append(todo, target)
			}
		}
	}
	require.Greater(t, pages, 2+len(hostile)+120, "each item has a page")
	for _, want := range []string{"after=", "definition", "records", "until=", "index=byDay", "style.css", "openapi.yaml", "eu-west-1"} {
		found := false
		for target := range seen {
			found = found || strings.Contains(target, want)
		}
		require.True(t, found, want)
	}
}
