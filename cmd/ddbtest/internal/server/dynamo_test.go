package server_test

import (
	"context"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
	"github.com/trestledb/trestle/ddbtest"
)

// TestClients checks that a client signs with the access key and Region of its own database, and
// that DynamoDB Streams is on the same port.
func TestClients(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	one := r.client("one", "us-east-1")
	createThings(t, one)
	require.NoError(t, put(t.Context(), one))
	for _, other := range []*dynamodb.Client{r.client("two", "us-east-1"), r.client("one", "eu-west-1")} {
		tables, err := other.ListTables(t.Context(), &dynamodb.ListTablesInput{})
		require.NoError(t, err)
		require.Empty(t, tables.TableNames)
		createThings(t, other)
	}
	table, err := r.client("one", "eu-west-1").DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("things")})
	require.NoError(t, err)
	require.Contains(t, *table.Table.TableArn, ":eu-west-1:")
	streams, err := r.streams("one", "us-east-1").ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	require.Len(t, streams.Streams, 1)
	require.Len(t, r.databases.All(), 3)
}

const scope = "AWS4-HMAC-SHA256 Credential=one/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"

// TestUnauthenticated checks the errors before a database is known. They open no database.
func TestUnauthenticated(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	for _, c := range []struct{ authorization, code string }{
		{"", "MissingAuthenticationTokenException"},
		{"nonsense", "IncompleteSignatureException"},
		{"AWS4-HMAC-SHA256 Credential=one/20260101", "IncompleteSignatureException"},
		{"AWS4-HMAC-SHA256 Credential=a-b/20260101/us-east-1/dynamodb/aws4_request", "UnrecognizedClientException"},
		{"AWS4-HMAC-SHA256 Credential=/20260101/us-east-1/dynamodb/aws4_request", "UnrecognizedClientException"},
		{"AWS4-HMAC-SHA256 Credential=one/20260101/../dynamodb/aws4_request", "UnrecognizedClientException"},
	} {
		headers := map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables"}
		if c.authorization != "" {
			headers["Authorization"] = c.authorization
		}
		reply, body := r.send(t, http.MethodPost, "/", "{}", headers)
		require.Equal(t, http.StatusBadRequest, reply.StatusCode)
		var decoded struct {
			Type string `json:"__type"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &decoded))
		require.Equal(t, "com.amazon.coral.service#"+c.code, decoded.Type)
		require.Equal(t, strconv.Itoa(int(crc32.ChecksumIEEE([]byte(body)))), reply.Header.Get("X-Amz-Crc32"))
	}
	require.Empty(t, r.databases.All())

	reply, _ := r.send(t, http.MethodPost, "/any/path", "{}", map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables", "Authorization": scope})
	require.Equal(t, http.StatusOK, reply.StatusCode)
	reply, _ = r.send(t, http.MethodGet, "/", "", nil)
	require.Equal(t, http.StatusOK, reply.StatusCode, "a health check")
	require.Len(t, r.databases.All(), 1)
}

// TestUnsignedSDK checks that the SDK finds the code of the error.
func TestUnsignedSDK(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(r.url), Region: "us-east-1", Credentials: aws.AnonymousCredentials{}, RetryMaxAttempts: 1, HTTPClient: new(http.Client),
	})
	_, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	var rejected interface{ ErrorCode() string }
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "MissingAuthenticationTokenException", rejected.ErrorCode())
}

// TestConnectionFaults checks the effects on connections over a socket.
func TestConnectionFaults(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	client := r.client("one", "us-east-1")
	createThings(t, client)
	db := r.databases.All()[0].DB
	for _, fault := range []ddbtest.Fault{ddbtest.Reset, ddbtest.Truncate} {
		rule := db.Fail(ddbtest.Op("PutItem"), fault, ddbtest.Times(1))
		require.Error(t, put(t.Context(), client), fault)
		require.Equal(t, 1, rule.Hits())
	}

	db.Fail(ddbtest.Op("PutItem"), ddbtest.Hang, ddbtest.Times(1))
	ctx, giveUp := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- put(ctx, client) }()
	until(t, func() bool { return len(db.Pending()) == 1 })
	giveUp()
	require.ErrorIs(t, <-result, context.Canceled)
	until(t, func() bool { return len(db.Pending()) == 0 })
	require.NoError(t, put(t.Context(), client))
}

// TestEnd checks that the end of the server ends a delayed and a hanging request at once, and that
// the delayed one is applied.
func TestEnd(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	client := r.client("one", "us-east-1")
	createThings(t, client)
	db := r.databases.All()[0].DB
	db.Fail(ddbtest.Op("PutItem"), ddbtest.Delay(1000*time.Hour))
	db.Fail(ddbtest.Op("GetItem"), ddbtest.Hang)
	results := make(chan error, 2)
	go func() { results <- put(context.Background(), client) }()
	go func() {
		_, err := client.GetItem(context.Background(), &dynamodb.GetItemInput{
			TableName: aws.String("things"), Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}})
		results <- err
	}()
	until(t, func() bool { return len(db.Pending()) == 2 })

	r.end()
	require.Error(t, <-results)
	require.Error(t, <-results)
	require.NoError(t, <-r.ended)
	_, err := r.databases.Close()
	require.NoError(t, err)
	require.Len(t, db.Dump("things"), 1)
}

// TestEndReplies checks that a request that has arrived before the end gets its reply.
func TestEndReplies(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	client := r.client("one", "us-east-1")
	createThings(t, client)
	arrived, proceed := make(chan struct{}), make(chan struct{})
	r.databases.All()[0].DB.Fail(ddbtest.Op("PutItem"), ddbtest.Rate(0), ddbtest.Reset, ddbtest.Matching(func(ddbtest.Request) bool {
		close(arrived)
		<-proceed
		return true
	}))
	result := make(chan error, 1)
	go func() { result <- put(context.Background(), client) }()
	<-arrived
	r.end()
	until(t, func() bool { // the server takes no more connections
		_, err := r.client("one", "us-east-1").ListTables(t.Context(), &dynamodb.ListTablesInput{})
		return err != nil
	})
	close(proceed)
	require.NoError(t, <-result)
	require.NoError(t, <-r.ended)
}

// TestLostReplyIsSentAgain repeats an update over another connection, as the SDK for Go does after
// it lost a large reply. The update counts once. It fails if the command keeps no replies.
func TestLostReplyIsSentAgain(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	createThings(t, r.client("one", "us-east-1"))
	update := func(attempt int) string {
		_, reply := r.send(t, http.MethodPost, "/", `{"TableName":"things","Key":{"id":{"S":"a"}},"ReturnValues":"ALL_NEW",`+
			`"UpdateExpression":"SET body = :large ADD n :one",`+
			`"ExpressionAttributeValues":{":one":{"N":"1"},":large":{"S":"`+strings.Repeat("x", 5_000)+`"}}}`,
			map[string]string{
				"Authorization": scope, "X-Amz-Target": "DynamoDB_20120810.UpdateItem", "Accept-Encoding": "identity", "Connection": "close",
				"User-Agent": "aws-sdk-go-v2/1.47.7 ua/2.1", "Amz-Sdk-Invocation-Id": "a call",
				"Amz-Sdk-Request": "attempt=" + strconv.Itoa(attempt) + "; max=3",
			})
		return reply
	}
	first := update(1)
	require.Contains(t, first, `"n":{"N":"1"}`)
	require.Equal(t, first, update(2))
}
