package server_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

const control = "/_ddbtest/v1/databases"

func TestCORS(t *testing.T) {
	t.Parallel()
	listed := server.Origins{"http://a.example", "http://b.example"}
	for _, c := range []struct {
		name    string
		origins server.Origins
		origin  string
		allowed string // the header of the reply
	}{
		{"all", server.Origins{"*"}, "http://a.example", "*"},
		{"listed", listed, "http://b.example", "http://b.example"},
		{"not listed", listed, "http://c.example", ""},
		{"no page", listed, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, c.origins)
			with := func(more map[string]string) map[string]string {
				if c.origin != "" {
					more["Origin"] = c.origin
				}
				return more
			}
			for _, path := range []string{"/", control} {
				reply, _ := r.send(t, http.MethodOptions, path, "", with(map[string]string{
					"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-amz-target,authorization"}))
				require.Equal(t, c.allowed, reply.Header.Get("Access-Control-Allow-Origin"))
				require.Equal(t, c.allowed != "", reply.StatusCode == http.StatusOK)
				if c.allowed != "" {
					require.Equal(t, "x-amz-target,authorization", reply.Header.Get("Access-Control-Allow-Headers"))
					require.Contains(t, reply.Header.Get("Access-Control-Allow-Methods"), "DELETE")
				}
			}
			reply, _ := r.send(t, http.MethodPost, "/", "{}", with(map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables", "Authorization": scope}))
			require.Equal(t, http.StatusOK, reply.StatusCode)
			require.Equal(t, c.allowed, reply.Header.Get("Access-Control-Allow-Origin"))
			reply, _ = r.send(t, http.MethodPost, control, `{"accessKey":"one","region":"us-east-1"}`, with(map[string]string{}))
			require.Equal(t, c.allowed != "" || c.origin == "", reply.StatusCode == http.StatusOK)
			reply, _ = r.send(t, http.MethodGet, control, "", map[string]string{"Origin": r.url})
			require.Equal(t, http.StatusOK, reply.StatusCode, "a page of the server itself")
		})
	}
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
