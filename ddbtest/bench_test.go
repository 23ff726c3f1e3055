package ddbtest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// benchTable creates a table with a partition key and a sort key.
func benchTable(t testing.TB, client *dynamodb.Client) {
	t.Helper()
	_, err := client.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: aws.String("bench"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("SK"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("SK"), KeyType: types.KeyTypeRange},
		},
	})
	require.NoError(t, err)
}

func benchKey(i int) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "CUSTOMER#" + strconv.Itoa(i/1000)},
		"SK": &types.AttributeValueMemberS{Value: fmt.Sprintf("ORDER#%08d", i)},
	}
}

// benchItem returns an item of about 300 bytes.
func benchItem(i int) map[string]types.AttributeValue {
	item := benchKey(i)
	item["status"] = &types.AttributeValueMemberS{Value: "delivered"}
	item["total"] = &types.AttributeValueMemberN{Value: strconv.Itoa(i) + ".99"}
	item["placed_at"] = &types.AttributeValueMemberS{Value: "2026-08-17T10:11:12Z"}
	item["version"] = &types.AttributeValueMemberN{Value: "7"}
	item["email"] = &types.AttributeValueMemberS{Value: "customer" + strconv.Itoa(i) + "@example.com"}
	item["note"] = &types.AttributeValueMemberS{Value: strings.Repeat("thirty bytes of a text, about ", 5)}
	return item
}

// load puts n items in batches of 25.
func load(t testing.TB, client *dynamodb.Client, n int) {
	t.Helper()
	for i := 0; i < n; i += 25 {
		writes := make([]types.WriteRequest, 0, 25)
		for j := i; j < min(i+25, n); j++ {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: benchItem(j)}})
		}
		out, err := client.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"bench": writes}})
		require.NoError(t, err)
		require.Empty(t, out.UnprocessedItems)
	}
}

// fixedReply returns the same reply to every request.
type fixedReply struct {
	header http.Header
	body   []byte
}

func (c fixedReply) Do(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: c.header, Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: int64(len(c.body))}, nil
}

// record keeps the reply to a request.
type record struct {
	client dynamodb.HTTPClient
	reply  *fixedReply
}

func (r record) Do(request *http.Request) (*http.Response, error) {
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	*r.reply = fixedReply{response.Header, body}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// BenchmarkGetItem measures one read through the SDK: with a canned reply, which is the cost of the
// SDK itself, in process, and over the loopback interface.
func BenchmarkGetItem(b *testing.B) {
	db := ddbtest.Start(b)
	benchTable(b, db.Client())
	load(b, db.Client(), 1000)
	get := func(client *dynamodb.Client) error {
		out, err := client.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("bench"), Key: benchKey(77)})
		if err == nil && len(out.Item) != 8 {
			return fmt.Errorf("%d attributes", len(out.Item))
		}
		return err
	}
	var reply fixedReply
	require.NoError(b, get(db.Client(func(o *dynamodb.Options) { o.HTTPClient = record{o.HTTPClient, &reply} })))
	server := httptest.NewServer(db)
	defer server.Close()

	canned, inProcess := db.Client(func(o *dynamodb.Options) { o.HTTPClient = reply }), db.Client()
	for name, client := range map[string]*dynamodb.Client{
		"canned":    canned,
		"inprocess": inProcess,
		"loopback": db.Client(func(o *dynamodb.Options) {
			o.HTTPClient, o.BaseEndpoint = server.Client(), aws.String(server.URL)
		}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := get(client); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("above canned", func(b *testing.B) { above(b, canned, inProcess, get) })
}

// above reports the time of a request to one client that a request to another does not take: the
// median over pairs of blocks, as the speed of a machine changes more within a second than the
// difference is large.
func above(b *testing.B, base, client *dynamodb.Client, request func(*dynamodb.Client) error) {
	b.Helper()
	const block = 64
	run := func(client *dynamodb.Client) time.Duration {
		begin := time.Now()
		for range block {
			if err := request(client); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(begin)
	}
	var differences, bases []float64
	for i := 0; b.Loop(); i++ {
		var more, less time.Duration
		if i%2 == 0 {
			less, more = run(base), run(client)
		} else {
			more, less = run(client), run(base)
		}
		differences, bases = append(differences, float64(more-less)/block), append(bases, float64(less)/block)
	}
	slices.Sort(differences)
	slices.Sort(bases)
	b.ReportMetric(differences[len(differences)/2], "ns-above/op")
	b.ReportMetric(bases[len(bases)/2], "ns-base/op")
}

// BenchmarkQuery reads 20 items from a table of 100,000.
func BenchmarkQuery(b *testing.B) {
	client := ddbtest.Client(b)
	benchTable(b, client)
	load(b, client, 100_000)
	input := &dynamodb.QueryInput{
		TableName: aws.String("bench"), KeyConditionExpression: aws.String("PK = :p AND SK >= :s"), Limit: aws.Int32(20),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":p": &types.AttributeValueMemberS{Value: "CUSTOMER#50"}, ":s": &types.AttributeValueMemberS{Value: "ORDER#00050500"},
		},
	}
	b.ReportAllocs()
	for b.Loop() {
		out, err := client.Query(context.Background(), input)
		if err != nil || len(out.Items) != 20 {
			b.Fatal(len(out.Items), err)
		}
	}
}

// BenchmarkLoad puts a million items of 300 bytes and reports the memory per item.
func BenchmarkLoad(b *testing.B) {
	const items = 1_000_000
	for b.Loop() {
		before := heap()
		client := ddbtest.Client(b)
		benchTable(b, client)
		load(b, client, items)
		b.ReportMetric(float64(heap()-before)/items, "B/item")
		runtime.KeepAlive(client)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/load")
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkFork forks a database of few and of many items. Both must allocate the same.
func BenchmarkFork(b *testing.B) {
	for _, items := range []int{1_000, 1_000_000} {
		b.Run(strconv.Itoa(items), func(b *testing.B) {
			db := ddbtest.Start(b)
			benchTable(b, db.Client())
			load(b, db.Client(), items)
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				db.Fork()
			}
		})
	}
}
