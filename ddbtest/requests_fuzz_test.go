package ddbtest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// timeout is longer than any request takes.
const timeout = 20 * time.Second

// FuzzRequest sends whole requests to a database with a few tables. Every reply is JSON, or empty,
// without an internal error. A rejected request changes nothing. Any other request leaves indexes
// that match their tables.
func FuzzRequest(f *testing.F) {
	s := newWorkloadOn(f, ddbtest.New(workloadOptions)) // a fuzz target must not use f
	for _, seed := range recorded(s) {
		f.Add(seed.target, seed.body)
	}
	for _, seed := range mutatedRequests() {
		f.Add(seed.target, seed.body)
	}
	f.Fuzz(func(t *testing.T, target string, body []byte) { requireValidReply(t, s.db, target, body) })
}

// requireValidReply sends a request to a fork of a database and checks its invariants.
func requireValidReply(t *testing.T, origin *ddbtest.DB, target string, body []byte) (status int) {
	t.Helper()
	db := origin.Fork()
	defer db.Close()
	before := contents(db)
	began := time.Now()
	status, reply := send(t, db, target, body)
	require.Less(t, time.Since(began), timeout)
	require.NoError(t, db.Err())
	require.Less(t, status, http.StatusInternalServerError)
	if status != http.StatusOK || len(reply) > 0 { // that to TagResource has no members
		require.True(t, json.Valid(reply), "%s", reply)
	}
	after := contents(db)
	if status != http.StatusOK {
		require.Equal(t, before, after)
	}
	if after != before {
		for _, table := range fuzzRequest {
			wantIndexesAgree(t, db.Client(), table)
		}
	}
	return status
}

// TestMutatedRequests mutates requests of the SDK. Most of them pass more checks than random data
// would.
func TestMutatedRequests(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	s := newWorkload(t)
	m := newMutator(newRand(t), recorded(s))
	taken, n := 0, testsize.Pick(1000, 3_000, 40_000)
	var target string
	var body []byte
	defer func() {
		if t.Failed() {
			t.Logf("%s %.2000s", target, body)
		}
	}()
	for range n {
		target, body = m.next()
		if requireValidReply(t, s.db, target, body) == http.StatusOK {
			taken++
		}
	}
	require.Greater(t, taken, n/20, "too few are taken to mean much")
	require.Less(t, taken, n*9/10, "too few are invalid")
}

// fuzzRequest lists the tables that requests can name.
var fuzzRequest = []string{bank, workloadTable}

// contents returns the items of a database as text.
func contents(db *ddbtest.DB) string {
	var b strings.Builder
	for _, table := range fuzzRequest {
		b.WriteString(table)
		for _, item := range db.Dump(table) {
			b.WriteString(written(item))
		}
	}
	return b.String()
}

// send sends a request as a client of another process would: the HTTP client of a database refuses
// targets of other services.
func send(t *testing.T, db *ddbtest.DB, target string, body []byte) (status int, reply []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost", bytes.NewReader(body))
	require.NoError(t, err)
	r.Header["X-Amz-Target"] = []string{target}
	out := httptest.NewRecorder()
	db.ServeHTTP(out, r)
	return out.Code, out.Body.Bytes()
}

// request is a request in wire format.
type request struct {
	target string
	body   []byte
}

// recorder forwards requests and keeps them.
type recorder struct {
	*http.Client
	requests []request
}

func (r *recorder) Do(in *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return nil, err
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	r.requests = append(r.requests, request{in.Header.Get("X-Amz-Target"), body})
	return r.Client.Do(in)
}

// recorded returns requests of each operation, as the SDK encodes them. Sending them leaves rows in
// the database.
func recorded(s *workload) []request {
	s.Helper()
	kept := &recorder{Client: s.db.HTTPClient()}
	plain, streams := s.client, s.streams
	defer func() { s.client, s.streams = plain, streams }()
	s.client = s.db.Client(func(o *dynamodb.Options) { o.HTTPClient = kept })
	s.streams = s.db.StreamsClient(func(o *dynamodbstreams.Options) { o.HTTPClient = kept })
	r := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		for _, name := range workloadOrder {
			s.allow(name, workloadOperations[name](s, r))
		}
		s.db.Advance(2 * time.Second)
	}
	for kind := range legacyKinds {
		s.allow(".legacy", s.legacyOf(kind, r))
	}
	for _, parameter := range legacyParameters {
		require.True(s, slices.ContainsFunc(kept.requests, func(r request) bool { return bytes.Contains(r.body, []byte(`"`+parameter+`":`)) }), parameter)
	}
	for name := range workloadOperations {
		if name[0] != '.' {
			require.True(s, slices.ContainsFunc(kept.requests, func(r request) bool { return strings.HasSuffix(r.target, "."+name) }), name)
		}
	}
	s.client = plain
	s.db.SetLag(ddbtest.Lag{}) // reads of indexes must see all writes
	s.db.Settle()
	return kept.requests
}

var legacyParameters = []string{
	"AttributesToGet", "AttributeUpdates", "ConditionalOperator", "Expected", "KeyConditions", "QueryFilter", "ScanFilter",
}

// mutatedRequests returns requests that no client sends.
func mutatedRequests() (list []request) {
	const deep = 100_000
	value := func(v string) string {
		return `{"TableName":"rows","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"v":` + v + `}}`
	}
	bodies := []string{
		"", "null", "[]", "{", "}", `"`, "\x00", "\xff", "{}", `{"TableName":1}`, `{"TableName":null}`, `{"TableName":"rows","TableName":"bank"}`,
		strings.Repeat("[", deep), strings.Repeat(`{"a":`, deep), strings.Repeat("[", deep) + strings.Repeat("]", deep),
		`{"TableName":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`,
		value(strings.Repeat(`{"L":[`, deep) + `{"S":""}` + strings.Repeat(`]}`, deep)),
		value(strings.Repeat(`{"M":{"m":`, deep) + `{"S":""}` + strings.Repeat(`}}`, deep)),
		value(strings.Repeat(`{"L":[`, 31) + `{"S":""}` + strings.Repeat(`]}`, 31)),
		value(`{"N":"` + strings.Repeat("9", deep) + `"}`), value(`{"N":"1e999999999999999999"}`), value(`{"N":"-0e-999999999999999999"}`), value(`{"N":"NaN"}`),
		value(`{"NS":["1","1.0"]}`), value(`{"BS":["AA==","AB=="]}`), value(`{"B":"===="}`), value(`{"S":"\ud800"}`), value(`{"NULL":false}`), value(`{"S":"a","N":"1"}`),
		value(`{}`), value(`{"SS":[]}`),
	}
	for _, expression := range []string{
		strings.Repeat("(", 4096), strings.Repeat("NOT ", 1000) + "pk", "size(size(pk)) = :v", "#a.#a[0] = :v", "pk BETWEEN :v AND", "SET pk[99999999999999999999] = :v",
		"SET " + strings.Repeat("v = v,", 600) + "w = w", "\x00", "ADD v :v DELETE v :v", "pk IN (" + strings.Repeat(":v,", 1000) + ":v)",
	} {
		text, _ := json.Marshal(expression)
		for _, member := range []string{"ConditionExpression", "UpdateExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression"} {
			bodies = append(bodies, `{"TableName":"rows","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"`+member+`":`+string(text)+
				`,"ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":v":{"N":"1"}}}`)
		}
	}
	for _, parameter := range legacyParameters {
		for _, v := range []string{
			`null`, `"OR"`, `[]`, `["x","x"]`, `{"":{}}`, `{"x":null}`, `{"x":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"2"},{"N":"1"}]}}`,
			`{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"L":[` + strings.Repeat(`{"L":[`, 40) + strings.Repeat(`]}`, 40) + `]}]}}`,
			`{"x":{"ComparisonOperator":"IN","AttributeValueList":[` + strings.Repeat(`{"N":"1"},`, 1000) + `{"NULL":true}]}}`,
			`{"x":{"Action":"ADD","Value":{"N":"9e125"}}}`, `{"pk":{"Action":"DELETE"}}`, `{"x":{"Exists":true}}`, `{"x":{"Exists":false,"Value":{"N":"1"}}}`,
		} {
			body := `{"TableName":"rows","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"` + parameter + `":` + v + `}`
			for _, operation := range []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"} {
				list = append(list, request{"DynamoDB_20120810." + operation, []byte(body)})
			}
		}
	}
	for i, body := range bodies {
		for _, operation := range []string{"PutItem", "UpdateItem", "Query", "Scan", "TransactWriteItems", "CreateTable"} {
			if i < 20 || strings.Contains(body, "Expression") == (operation == "UpdateItem" || operation == "Query" || operation == "Scan") {
				list = append(list, request{"DynamoDB_20120810." + operation, []byte(body)})
			}
		}
	}
	for _, target := range []string{"", ".", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.Nothing", "PutItem", "DynamoDBStreams_20120810.PutItem", "\x00"} {
		list = append(list, request{target, []byte("{}")})
	}
	return list
}
