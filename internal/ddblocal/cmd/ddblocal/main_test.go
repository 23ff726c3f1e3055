package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// Not parallel: the test changes the environment.
func TestAServerThatRunsAlreadyIsOnlyNamed(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	t.Setenv("DYNAMODB_ENDPOINT", server.URL)
	input, stop := io.Pipe() // stays open
	defer func() { _ = stop.Close() }()
	var out, notes bytes.Buffer
	require.NoError(t, run(t.Context(), input, &out, &notes))
	require.Equal(t, server.URL, exported(t, out.String())["DYNAMODB_ENDPOINT"])
	require.Contains(t, notes.String(), "nothing was started")
}

// Not parallel: the test changes the environment.
func TestAServerEndsWithTheInput(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "")
	input, stop := io.Pipe()
	var notes bytes.Buffer
	// The input ends when run has written the variables. The server responds then, but not after
	// run has returned.
	var host string
	out := writerFunc(func(lines string) {
		set := exported(t, lines)
		u, err := url.Parse(set["DYNAMODB_ENDPOINT"])
		require.NoError(t, err)
		host = u.Host
		_, err = clientOf(set).ListTables(t.Context(), &dynamodb.ListTablesInput{})
		require.NoError(t, err)
		require.NoError(t, stop.Close())
	})
	err := run(t.Context(), input, out, &notes)
	var missing *ddblocal.MissingError
	if errors.As(err, &missing) && !ddblocal.Required() {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Contains(t, notes.String(), "ALL network interfaces")
	_, err = net.Dial("tcp", host)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// exported parses lines of the form "export NAME=value".
func exported(t *testing.T, lines string) map[string]string {
	t.Helper()
	set := map[string]string{}
	for line := range strings.Lines(lines) {
		assignment, ok := strings.CutPrefix(strings.TrimSpace(line), "export ")
		require.True(t, ok, line)
		name, value, ok := strings.Cut(assignment, "=")
		require.True(t, ok, line)
		set[name] = value
	}
	return set
}

// clientOf returns a client configured as the SDK would configure it from its variables.
func clientOf(set map[string]string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(set["AWS_ENDPOINT_URL_DYNAMODB"]),
		Region:       set["AWS_REGION"],
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: set["AWS_ACCESS_KEY_ID"], SecretAccessKey: set["AWS_SECRET_ACCESS_KEY"]}, nil
		}),
		RetryMaxAttempts: 1,
	})
}

type writerFunc func(string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}
