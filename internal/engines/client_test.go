package engines

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

func TestAccessKeysAreUnique(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	form := regexp.MustCompile(`^[A-Z0-9]{20}$`)
	for range 10_000 {
		key := newAccessKey()
		require.True(t, form.MatchString(key), key)
		seen[key] = true
	}
	require.Len(t, seen, 10_000)
}

// recorder starts a server that fails every call. It counts the calls and keeps the last header.
func recorder(t *testing.T) (s *server, calls *atomic.Int64, header *atomic.Pointer[http.Header]) {
	t.Helper()
	calls, header = new(atomic.Int64), new(atomic.Pointer[http.Header])
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		h := r.Header.Clone()
		header.Store(&h)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(web.Close)
	s = &server{endpoint: web.URL, http: newHTTPClient(), end: func() {}}
	t.Cleanup(s.close)
	return s, calls, header
}

// Not parallel: the test sets environment variables to check that clients ignore them.
func TestClientsIgnoreTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID":         "ENVIRONMENT",
		"AWS_REGION":                "us-west-1",
		"AWS_ENDPOINT_URL":          "http://127.0.0.1:1",
		"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1",
		"AWS_MAX_ATTEMPTS":          "1",
		"AWS_NEW_RETRIES_2026":      "true",
	} {
		t.Setenv(name, value)
	}
	server, calls, header := recorder(t)
	require.Nil(t, server.http.Transport.(*http.Transport).Proxy)
	_, err := server.client("T1").ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.Error(t, err)
	require.Equal(t, int64(maxAttempts), calls.Load())
	authorization := header.Load().Get("Authorization")
	require.True(t, strings.Contains(authorization, "Credential=T1/") && strings.Contains(authorization, "/"+region+"/"), authorization)
}

func TestOptionsAreAppliedLast(t *testing.T) {
	t.Parallel()
	server, _, header := recorder(t)
	client := server.client("T1", func(o *dynamodb.Options) { o.Region = "eu-west-3" })
	_, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.Error(t, err)
	require.Contains(t, header.Load().Get("Authorization"), "/eu-west-3/")
}
