package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

// running is a server that listens on a port.
type running struct {
	url       string
	databases *databases.Databases
	end       context.CancelFunc // begins its end
	ended     chan error         // the result of Serve
}

// start starts a server on a loopback address that ends with the test.
func start(t *testing.T, origins server.Origins) *running {
	t.Helper()
	return startServer(t, "127.0.0.1:0", &server.Server{Origins: origins})
}

// startServer starts a server that ends with the test. Its databases are new.
func startServer(t *testing.T, address string, s *server.Server) *running {
	t.Helper()
	dbs, err := databases.New(databases.Config{})
	require.NoError(t, err)
	s.Databases = dbs
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	r := &running{url: "http://127.0.0.1:" + port, databases: dbs, end: end, ended: make(chan error, 1)}
	go func() {
		defer close(r.ended)
		r.ended <- s.Serve(ctx, listener)
	}()
	t.Cleanup(func() {
		end()
		require.NoError(t, <-r.ended)
		_, err := dbs.Close()
		require.NoError(t, err)
	})
	return r
}

func credentials(accessKey string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "any"}, nil
	})
}

// client returns a client that makes one attempt of each call.
func (r *running) client(accessKey, region string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(r.url), Region: region, Credentials: credentials(accessKey), RetryMaxAttempts: 1, HTTPClient: new(http.Client),
	})
}

func (r *running) streams(accessKey, region string) *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		BaseEndpoint: aws.String(r.url), Region: region, Credentials: credentials(accessKey), RetryMaxAttempts: 1, HTTPClient: new(http.Client),
	})
}

// createThings creates the table things.
func createThings(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("things"), BillingMode: types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly},
	})
	require.NoError(t, err)
}

func put(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("things"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}},
	})
	return err
}

// send sends a request with headers, and returns the reply without its body, and the body.
func (r *running) send(t *testing.T, method, path, body string, headers map[string]string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	require.NoError(t, err)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	request.Host = headers["Host"] // "" stands for that of the URL
	reply, err := new(http.Client).Do(request)
	require.NoError(t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply, string(text)
}

// until waits until a condition holds.
func until(t *testing.T, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 30*time.Second, time.Millisecond)
}
