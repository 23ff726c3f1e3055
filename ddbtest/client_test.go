package ddbtest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestClients makes clients in four ways. All of them use the same database.
func TestClients(t *testing.T) {
	t.Parallel()
	client := ddbtest.Client(t)
	db := ddbtest.Of(client)
	require.NotNil(t, db)
	db.CreateTable(t, thingsTable())
	for i, c := range []*dynamodb.Client{
		client,
		db.Client(),
		dynamodb.New(db.ClientOptions()),
		dynamodb.NewFromConfig(aws.Config{}, db.Configure),
		dynamodb.NewFromConfig(aws.Config{Region: "eu-north-1", BaseEndpoint: aws.String("https://elsewhere.invalid")}, db.Configure),
	} {
		require.Same(t, db, ddbtest.Of(c))
		require.NoError(t, increment(t.Context(), c))
		require.Equal(t, i+1, n(t, db))
	}
	require.Nil(t, ddbtest.Of(dynamodb.New(dynamodb.Options{})))
	require.Nil(t, ddbtest.Of(db.Client(func(o *dynamodb.Options) { o.HTTPClient = &http.Client{} })))
	require.NotSame(t, db, ddbtest.Of(ddbtest.Client(t)), "each has a database of its own")
}

// TestHTTPClientOfSDKClients compares the HTTP client of SDK clients with an http.Client: both fail
// in the same way.
func TestHTTPClientOfSDKClients(t *testing.T) {
	t.Parallel()
	db := setup(t)
	type failure struct {
		Op, URL           string
		Timeout           bool
		Network, Canceled bool
		Dial              string
	}
	send := func(client dynamodb.HTTPClient, canceled bool) failure {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if canceled {
			cancel()
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://ddbtest.invalid/path?q=1", strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		response, err := client.Do(r)
		if err == nil {
			require.NoError(t, response.Body.Close())
			return failure{}
		}
		var u *url.Error
		require.ErrorAs(t, err, &u)
		var network *net.OpError
		f := failure{Op: u.Op, URL: u.URL, Timeout: u.Timeout(), Network: errors.As(err, &network), Canceled: errors.Is(err, context.Canceled)}
		if f.Network {
			f.Dial = network.Op
		}
		return f
	}
	for _, effect := range []ddbtest.Effect{ddbtest.Refused, ddbtest.Reset, ddbtest.InternalError} {
		rule := db.Fail(effect)
		want := send(db.HTTPClient(), false)
		require.Equal(t, want, send(db.ClientOptions().HTTPClient, false), effect)
		require.Equal(t, effect.String() == ddbtest.InternalError.String(), want == failure{}, "an error reply is no failure")
		rule.Remove()
	}
	want := send(db.HTTPClient(), true)
	require.True(t, want.Canceled)
	require.Equal(t, want, send(db.ClientOptions().HTTPClient, true))
}

// TestConfigureKeepsRetryer checks that Configure keeps the Retryer, because a test may be
// about it.
func TestConfigureKeepsRetryer(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.Reset)
	client := dynamodb.NewFromConfig(aws.Config{Retryer: func() aws.Retryer { return aws.NopRetryer{} }}, db.Configure)
	require.Equal(t, "reset", resultOf(get(t.Context(), client)))
	require.Len(t, db.Requests(), 1)
	require.Equal(t, "us-east-1", client.Options().Region)
}

// TestClientWithoutHTTPClient checks that such a client fails on any network.
func TestClientWithoutHTTPClient(t *testing.T) {
	t.Parallel()
	db := setup(t)
	elsewhere := db.Client(once, func(o *dynamodb.Options) {
		o.HTTPClient = &http.Client{Transport: &http.Transport{}}
	})
	require.Contains(t, aws.ToString(elsewhere.Options().BaseEndpoint), ".invalid")
	require.Error(t, get(t.Context(), elsewhere))
	require.Empty(t, db.Requests())
}

func TestStreamsClient(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage}
	db.CreateTable(t, in)
	client := db.StreamsClient()
	out, err := client.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	require.Len(t, out.Streams, 1)

	db.Fail(ddbtest.TrimmedData, ddbtest.Op("GetShardIterator"))
	described, err := client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: out.Streams[0].StreamArn})
	require.NoError(t, err)
	iterate := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: out.Streams[0].StreamArn, ShardId: described.StreamDescription.Shards[0].ShardId, ShardIteratorType: "TRIM_HORIZON",
	}
	_, err = client.GetShardIterator(t.Context(), iterate)
	require.Equal(t, "TrimmedDataAccessException", resultOf(err))
	db.ClearFaults()
	iterator, err := client.GetShardIterator(t.Context(), iterate)
	require.NoError(t, err)
	db.Fail(ddbtest.ExpiredIterator)
	_, err = client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
	require.Equal(t, "ExpiredIteratorException", resultOf(err))
	require.Equal(t, 2, db.Cost().Total("GetShardIterator"))
}

// raw sends a request without the SDK.
func raw(t *testing.T, db *ddbtest.DB, target, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://anywhere", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", target)
	response, err := db.HTTPClient().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(reply)
}

func TestInvalidHTTPRequests(t *testing.T) {
	t.Parallel()
	db := setup(t)
	for _, target := range []string{
		"DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.GetItems", "DynamoDB_20111205.GetItem",
		"DynamoDB_20120810.GetRecords", "DynamoDBStreams_20120810.GetItem",
	} {
		status, reply := raw(t, db, target, "{}")
		require.Equal(t, 400, status, target)
		require.Contains(t, reply, "UnknownOperationException", target)
	}
	for _, body := range []string{"", "{", "[]", `{"TableName": 7}`, strings.Repeat("[", 1<<20), "\x00\xff"} {
		status, reply := raw(t, db, "DynamoDB_20120810.GetItem", body)
		require.Equal(t, 400, status)
		require.Contains(t, reply, "Exception")
	}
	require.NoError(t, db.Err())
}

// TestRequestIDs makes logs comparable.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	ids := func() (ids []string) {
		client := ddbtest.Client(t)
		for range 3 {
			out, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
			require.NoError(t, err)
			id, ok := middleware.GetRequestIDMetadata(out.ResultMetadata)
			require.True(t, ok)
			require.Len(t, id, 52)
			ids = append(ids, id)
		}
		return ids
	}
	first := ids()
	require.Equal(t, first, ids())
	require.NotEqual(t, first[0], first[1])
}

// TestPanicIsInternalServerError checks that a panic fails the test and does not propagate.
func TestPanicIsInternalServerError(t *testing.T) {
	t.Parallel()
	test := new(fakeTest)
	db := ddbtest.Start(test)
	db.CreateTable(t, thingsTable())
	db.Fail(ddbtest.Matching(func(ddbtest.Request) bool { panic("oh") }), ddbtest.Reset, ddbtest.Op("PutItem"))
	require.Equal(t, "InternalServerError", resultOf(put(t.Context(), db.Client(once))))
	require.Len(t, test.failures, 1)
	require.ErrorContains(t, db.Err(), "oh")
	require.NoError(t, increment(t.Context(), db.Client()))

	fork := db.Fork()
	fork.Fail()
	require.Error(t, fork.Err())
	require.Len(t, test.failures, 2, "a fork's trouble is the test's too")
	test.end()
	db.Fail()
	require.Len(t, test.failures, 2, "an ended test does not fail")
}

// TestStart checks that the database is closed with the test, and that a failed test logs the seed.
func TestStart(t *testing.T) {
	t.Parallel()
	test := new(fakeTest)
	db := ddbtest.Start(test, ddbtest.Options{Seed: 4711})
	client := db.Client()
	test.end()
	require.Empty(t, test.logs)
	_, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.Equal(t, "refused", resultOf(err))

	test = new(fakeTest)
	ddbtest.Start(test, ddbtest.Options{Seed: 4711})
	test.Errorf("failed")
	test.end()
	require.Empty(t, test.logs, "nothing has happened at all")
	require.NotZero(t, ddbtest.New(ddbtest.Options{}).Seed())

	ddbtest.Start(test, ddbtest.Options{}, ddbtest.Options{})
	require.Len(t, test.failures, 2)
	test.end()
}

// TestInvalidRuleFailsTest checks that invalid rules never act and fail the test.
func TestInvalidRuleFailsTest(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]ddbtest.RuleOption{
		"nothing":                    {},
		"nil":                        {nil, ddbtest.Reset},
		"no effect":                  {ddbtest.Op("GetItem")},
		"no meaning":                 {ddbtest.Op("GetItem"), ddbtest.Unprocessed(1)},
		"misspelled":                 {ddbtest.Op("GetItems"), ddbtest.Reset},
		"unknown fault":              {ddbtest.Fault(200)},
		"after nothing":              {ddbtest.AfterCommit(nil)},
		"after a refused connection": {ddbtest.AfterCommit(ddbtest.Refused)},
		"no function":                {ddbtest.Matching(nil), ddbtest.Reset},
		"zeroth":                     {ddbtest.Nth(0), ddbtest.Reset},
		"every zeroth":               {ddbtest.Every(0), ddbtest.Reset},
		"first none":                 {ddbtest.First(0), ddbtest.Reset},
		"no times":                   {ddbtest.Times(-1), ddbtest.Reset},
		"no rate":                    {ddbtest.Rate(-0.5), ddbtest.Reset},
		"no number":                  {ddbtest.OnKey(attributes{"pk": &types.AttributeValueMemberN{Value: "one"}}), ddbtest.Reset},
		"no key":                     {ddbtest.OnKey(attributes{"pk": &types.AttributeValueMemberBOOL{}}), ddbtest.Reset},
		"a nil key":                  {ddbtest.OnKey(attributes{"pk": nil}), ddbtest.Reset},
		"a nil pointer":              {ddbtest.OnKey(attributes{"pk": (*types.AttributeValueMemberS)(nil)}), ddbtest.Reset},
		"a key of a page":            {ddbtest.OnKey(thing("a", 1)), ddbtest.Op("Query"), ddbtest.Reset},
	} {
		test := new(fakeTest)
		db := ddbtest.Start(test)
		rule := db.Fail(options...)
		require.Error(t, rule.Err(), name)
		require.Len(t, test.failures, 1, name)
		_, err := db.Client().ListTables(t.Context(), &dynamodb.ListTablesInput{})
		require.NoError(t, err)
		require.Zero(t, rule.Hits())
		test.end()
	}
}

// TestRuleConditions selects requests by table, index, key and function.
func TestRuleConditions(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client(once)
	byColor := queryInput("a")
	byColor.IndexName, byColor.KeyConditionExpression = aws.String("byColor"), aws.String("color = :pk")
	for name, c := range map[string]struct {
		option ddbtest.RuleOption
		hits   []bool // increment a 1; batch of a 1, a 2 and b 1; query of a table; query of an index
	}{
		"table":         {ddbtest.OnTable(things), []bool{true, true, true, true}},
		"another table": {ddbtest.OnTable("others"), []bool{false, false, false, false}},
		"index":         {ddbtest.OnIndex("byColor"), []bool{false, false, false, true}},
		"partition":     {ddbtest.OnKey(attributes{"pk": text("b")}), []bool{false, true, false, false}},
		"key":           {ddbtest.OnKey(attributes{"sk": &types.AttributeValueMemberN{Value: "1.00"}, "pk": text("a")}), []bool{true, true, false, false}},
		"bytes":         {ddbtest.OnKey(attributes{"pk": &types.AttributeValueMemberB{Value: []byte("a")}}), []bool{false, false, false, false}},
		"function": {ddbtest.Matching(func(r ddbtest.Request) bool {
			return r.Operation == "UpdateItem" && r.Attempt == 1 && strings.Contains(string(r.Body()), "ADD")
		}), []bool{true, false, false, false}},
	} {
		db.ClearFaults()
		rule := db.Fail(c.option, ddbtest.Reset)
		require.NoError(t, rule.Err())
		var hits []bool
		for _, do := range []func(context.Context, *dynamodb.Client) error{increment, batchWrite, query, func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.Query(ctx, byColor)
			return err
		}} {
			hits = append(hits, resultOf(do(t.Context(), client)) == "reset")
		}
		require.Equal(t, c.hits, hits, name)
	}
	createThings(t, db, "others") // a rule for a table that never exists fails the test
}

// TestRateSeed checks that the same seed fails the same requests.
func TestRateSeed(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) (failed []int) {
		db := setup(t, ddbtest.Options{Seed: seed})
		db.Fail(ddbtest.Rate(0.3), ddbtest.Reset)
		for i := range 60 {
			if get(t.Context(), db.Client(once)) != nil {
				failed = append(failed, i)
			}
		}
		return failed
	}
	first := run(1)
	require.Equal(t, first, run(1))
	require.NotEqual(t, first, run(2))
	require.NotEmpty(t, first)
}
