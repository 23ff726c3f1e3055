package server_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
	"github.com/trestledb/trestle/internal/engines"
)

// TestLikeDynamoDBLocal checks what a script or a page sees, on this server and on DynamoDB Local:
// databases by access key and Region, access keys, unsigned requests and preflight requests.
func TestLikeDynamoDBLocal(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(*testing.T) string{
		"ddbtest": func(t *testing.T) string { t.Helper(); return start(t, server.Origins{"*"}).url },
		engines.DynamoDBLocal: func(t *testing.T) string {
			t.Helper()
			return aws.ToString(engines.Local(t).Client(t).Options().BaseEndpoint)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &running{url: url(t)}
			key := rand.Text() // DynamoDB Local may be shared with other tests
			one, region, other := r.client(key, "us-east-1"), r.client(key, "eu-west-1"), r.client(key+"2", "us-east-1")
			createThings(t, one)
			for client, want := range map[*dynamodb.Client]int{one: 1, region: 0, other: 0} {
				tables, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
				require.NoError(t, err)
				require.Len(t, tables.TableNames, want)
			}
			for _, invalid := range []string{"a_b", "a-b"} {
				_, err := r.client(invalid, "us-east-1").ListTables(t.Context(), &dynamodb.ListTablesInput{})
				var rejected smithy.APIError
				require.ErrorAs(t, err, &rejected)
				require.Equal(t, "UnrecognizedClientException", rejected.ErrorCode(), invalid)
			}

			reply, body := r.send(t, http.MethodPost, "/", "{}", map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables"})
			require.Equal(t, http.StatusBadRequest, reply.StatusCode)
			var unsigned struct {
				Type string `json:"__type"`
			}
			require.NoError(t, json.Unmarshal([]byte(body), &unsigned))
			require.Contains(t, unsigned.Type, "#MissingAuthenticationToken") // the service adds Exception

			reply, _ = r.send(t, http.MethodOptions, "/", "", map[string]string{
				"Origin": "http://a.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-amz-target"})
			require.Equal(t, http.StatusOK, reply.StatusCode)
			require.Equal(t, "POST", reply.Header.Get("Access-Control-Allow-Methods")) // what was requested
			require.Equal(t, "x-amz-target", reply.Header.Get("Access-Control-Allow-Headers"))
			require.Equal(t, "1728000", reply.Header.Get("Access-Control-Max-Age"))
		})
	}
}
