package peerbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// canned is a transport that sends the same response to every request without reading it. The
// benchmarks therefore measure the client only.
type canned struct{ body []byte }

func (c canned) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(c.body)), Body: io.NopCloser(bytes.NewReader(c.body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
	}, nil
}

func clientOf(body []byte) *dynamodb.Client { return clientOn(canned{body}) }

// clientOn returns a client on a transport.
func clientOn(transport dynamodb.HTTPClient) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: region, HTTPClient: transport, Credentials: credentials})
}

const region = "eu-north-1"

var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "bench", SecretAccessKey: "none"}, nil
})

// stored returns the items as JSON, as a server sends them. Each item has its attributes in a
// random order, because the service guarantees none.
func stored(tb testing.TB) (orderItems, readingItems []string) {
	tb.Helper()
	once.Do(func() {
		var bodies bytes.Buffer
		db := ddbtest.New(ddbtest.Options{})
		client := db.Client(func(o *dynamodb.Options) { o.HTTPClient = tap{o.HTTPClient, &bodies} })
		table, err := schema.Open(client, "bench")
		require.NoError(tb, err)
		require.NoError(tb, table.Create(tb.Context()))
		r := rand.New(rand.NewPCG(1, 2))
		os, rs := orders.In(table), readings.In(table)
		for i := range 1000 {
			o := orderOf(i)
			require.NoError(tb, os.Put(tb.Context(), &o))
			bodies.Reset()
			_, err := os.Get(tb.Context(), o)
			require.NoError(tb, err)
			allOrders = append(allOrders, shuffled(tb, r, bodies.Bytes()))
		}
		for i := range 4000 {
			m := readingOf(i)
			require.NoError(tb, rs.Put(tb.Context(), &m))
			bodies.Reset()
			_, err := rs.Get(tb.Context(), m)
			require.NoError(tb, err)
			allReadings = append(allReadings, shuffled(tb, r, bodies.Bytes()))
		}
	})
	return allOrders, allReadings
}

var (
	once                   sync.Once
	allOrders, allReadings []string
)

// tap is a transport that keeps the bodies of responses.
type tap struct {
	below dynamodb.HTTPClient
	into  *bytes.Buffer
}

func (t tap) Do(r *http.Request) (*http.Response, error) {
	reply, err := t.below.Do(r)
	if err == nil {
		reply.Body = io.NopCloser(io.TeeReader(reply.Body, t.into))
	}
	return reply, err
}

// shuffled returns the item of a GetItem response with its attributes in random order.
func shuffled(tb testing.TB, r *rand.Rand, reply []byte) string {
	tb.Helper()
	var got struct{ Item map[string]json.RawMessage }
	require.NoError(tb, json.Unmarshal(reply, &got))
	var members []string
	for name, av := range got.Item {
		members = append(members, fmt.Sprintf("%q:%s", name, av))
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func queryReply(items []string) []byte {
	return fmt.Appendf(nil, `{"Count":%d,"ScannedCount":%d,"Items":[%s]}`, len(items), len(items), strings.Join(items, ","))
}

// mixedReply returns the reply to a query in which every other order is a parcel.
func mixedReply(items []string) []byte {
	mixed := make([]string, len(items))
	for i, item := range items {
		if mixed[i] = item; i%2 == 0 {
			mixed[i] = strings.NewReplacer(`"order"`, `"parcel"`, "ORD#", "PAR#", "DAY#", "PDAY#").Replace(item)
		}
	}
	return queryReply(mixed)
}

func getReply(item string) []byte { return []byte(`{"Item":` + item + `}`) }

func batchReply(items []string) []byte {
	return fmt.Appendf(nil, `{"Responses":{"bench":[%s]},"UnprocessedKeys":{}}`, strings.Join(items, ","))
}

func tableOn(tb testing.TB, client trestle.Client) *entity.Table {
	tb.Helper()
	t, err := schema.Open(client, "bench")
	require.NoError(tb, err)
	return t
}
