package server_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

const control = "/_ddbtest/v1/databases"

// TestCORS checks the replies to preflight requests, and the headers of other replies. The origin
// "*" is for DynamoDB, not for the control endpoint.
func TestCORS(t *testing.T) {
	t.Parallel()
	listed := server.Origins{"http://a.example", "http://b.example"}
	for _, c := range []struct {
		name    string
		origins server.Origins
		origin  string
		dynamo  string // the header of the reply
		control string
	}{
		{"all", server.Origins{"*"}, "http://a.example", "*", ""},
		{"all, hidden", server.Origins{"*"}, "null", "*", ""},
		{"listed", listed, "http://b.example", "http://b.example", "http://b.example"},
		{"not listed", listed, "http://c.example", "", ""},
		{"not listed, hidden", listed, "null", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, c.origins)
			origin := map[string]string{"Origin": c.origin}
			for path, allowed := range map[string]string{"/": c.dynamo, control: c.control, "/_ddbtest/": ""} {
				reply, _ := r.send(t, http.MethodOptions, path, "", with(origin, map[string]string{
					"Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "x-amz-target,authorization"}))
				require.Equal(t, allowed, reply.Header.Get("Access-Control-Allow-Origin"))
				if allowed == "" {
					require.Equal(t, http.StatusForbidden, reply.StatusCode)
					continue
				}
				require.Equal(t, http.StatusOK, reply.StatusCode)
				require.Equal(t, "x-amz-target,authorization", reply.Header.Get("Access-Control-Allow-Headers"))
				require.Equal(t, "DELETE", reply.Header.Get("Access-Control-Allow-Methods"))
			}
			reply, _ := r.send(t, http.MethodPost, "/", "{}", with(origin, map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables", "Authorization": scope}))
			require.Equal(t, http.StatusOK, reply.StatusCode)
			require.Equal(t, c.dynamo, reply.Header.Get("Access-Control-Allow-Origin"))
			reply, _ = r.send(t, http.MethodPost, control, `{"accessKey":"one","region":"us-east-1"}`, with(origin, map[string]string{"Content-Type": "application/json"}))
			require.Equal(t, c.control != "", reply.StatusCode == http.StatusOK)
			require.Equal(t, c.control, reply.Header.Get("Access-Control-Allow-Origin"))
		})
	}
}

// with returns headers together with others.
func with(headers, more map[string]string) map[string]string {
	all := maps.Clone(headers)
	maps.Copy(all, more)
	return all
}

func TestParseOrigins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]server.Origins{
		"*": {"*"}, "http://a.example": {"http://a.example"}, "https://a.example:8443, http://b": {"https://a.example:8443", "http://b"},
	} {
		origins, err := server.ParseOrigins(text)
		require.NoError(t, err, text)
		require.Equal(t, want, origins)
	}
	for _, text := range []string{"", "a.example", "http://", "http://a.example/", "http://a.example/path", "*,http://a.example", "http://a,,http://b"} {
		_, err := server.ParseOrigins(text)
		require.Error(t, err, text)
	}
}
