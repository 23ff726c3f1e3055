package entity_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

func clientAt(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "eu-north-1",
		BaseEndpoint: &endpoint,
		Retryer:      aws.NopRetryer{},
		HTTPClient:   &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "key", SecretAccessKey: "secret"}, nil
		}),
	})
}

type pebble struct {
	_  entity.Key `type:"pebble" pk:"P#<id>" sk:"P"`
	ID string     `dynamodbav:"id"`
}

// Open reports an endpoint that is no URL, because no request could be sent to it.
func TestOpenChecksTheEndpoint(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	entity.Define[pebble](s)
	for _, endpoint := range []string{"", "127.0.0.1:8000", "localhost", "ftp://somewhere", "http://"} {
		_, err := s.Open(clientAt(endpoint), "app")
		require.ErrorIs(t, err, trestle.ErrInvalid, endpoint)
	}
	_, err := s.Open(clientAt("http://127.0.0.1:8000"), "app")
	require.NoError(t, err)
}

// A write without a connection is NotApplied. A write that gets no reply is Unknown.
func TestOutcomeOfConnections(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	pebbles := entity.Define[pebble](s)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}))
	defer server.Close()
	for endpoint, want := range map[string]trestle.Outcome{
		server.URL: trestle.Unknown,
		strings.Replace(server.URL, "http://", "https://", 1): trestle.NotApplied,
		"http://127.0.0.1:1": trestle.NotApplied,
	} {
		table, err := s.Open(clientAt(endpoint), "app")
		require.NoError(t, err)
		err = pebbles.In(table).Create(t.Context(), &pebble{ID: "1"})
		require.Error(t, err)
		require.Equal(t, want, trestle.OutcomeOf(err))
		require.Equal(t, want == trestle.Unknown, errors.Is(err, trestle.ErrUnknown))
	}
}
