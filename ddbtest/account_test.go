package ddbtest_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
)

// TestDescribeLimits compares the quotas with those of DynamoDB Local.
func TestDescribeLimits(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		out, err := e.Client(t).DescribeLimits(t.Context(), &dynamodb.DescribeLimitsInput{})
		require.NoError(t, err)
		require.Equal(t, []int64{80_000, 80_000, 40_000, 40_000}, []int64{
			*out.AccountMaxReadCapacityUnits, *out.AccountMaxWriteCapacityUnits, *out.TableMaxReadCapacityUnits, *out.TableMaxWriteCapacityUnits,
		})
	})
}

// TestDescribeEndpoints checks that the endpoint is the host of the request. DynamoDB Local does
// not have the operation.
func TestDescribeEndpoints(t *testing.T) {
	t.Parallel()
	endpoints := func(host string) []types.Endpoint {
		return []types.Endpoint{{Address: aws.String(host), CachePeriodInMinutes: 1440}}
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		out, err := e.Client(t).DescribeEndpoints(t.Context(), &dynamodb.DescribeEndpointsInput{})
		if e.Name == engines.DynamoDBLocal {
			requireCode(t, "UnknownOperationException", err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, endpoints("ddbtest.invalid"), out.Endpoints)
	})

	db := ddbtest.Start(t, ddbtest.Options{Record: true})
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	for host, options := range map[string]func(*dynamodb.Options){
		strings.TrimPrefix(server.URL, "http://"): func(o *dynamodb.Options) { o.BaseEndpoint, o.HTTPClient = &server.URL, server.Client() },
		"other.invalid:8000":                      func(o *dynamodb.Options) { o.BaseEndpoint = aws.String("http://other.invalid:8000") },
	} {
		out, err := db.Client(options).DescribeEndpoints(t.Context(), &dynamodb.DescribeEndpointsInput{})
		require.NoError(t, err)
		require.Equal(t, endpoints(host), out.Endpoints)
	}
	var recorded bytes.Buffer
	require.NoError(t, db.WriteRecording(&recorded))
	text := recorded.String()
	_, err := ddbtest.Replay(&recorded)
	require.NoError(t, err)

	// The negative control: the recording has the host.
	_, err = ddbtest.Replay(strings.NewReader(strings.Replace(text, `"host":"other.invalid:8000"`, `"host":"another.invalid"`, 1)))
	require.Error(t, err)
}
