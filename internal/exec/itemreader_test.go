package exec

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// readings are the reads, and the writes that return an item, whose items are read from JSON.
var readings = []struct {
	name   string
	writes bool
	send   func(*Config, context.Context) Response
}{
	{"GetItem", false, func(c *Config, ctx context.Context) Response { return c.action(ctx, &getOf().Actions[0]) }},
	{"Query", false, func(c *Config, ctx context.Context) Response {
		return c.Page(ctx, &dynamodb.QueryInput{TableName: &c.Table}, nil)
	}},
	{"Scan", false, func(c *Config, ctx context.Context) Response {
		return c.Page(ctx, nil, &dynamodb.ScanInput{TableName: &c.Table})
	}},
	{"BatchGetItem", false, func(c *Config, ctx context.Context) Response {
		return c.BatchGet(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"app": {Keys: []op.Item{{"PK": text("a")}}}}}, nil)
	}},
	{"TransactGetItems", false, func(c *Config, ctx context.Context) Response {
		return c.transaction(ctx, getOf().Actions, "")
	}},
	{"PutItem", true, returning(op.Put)},
	{"UpdateItem", true, returning(op.Update)},
	{"DeleteItem", true, returning(op.Delete)},
}

// returning returns a write that returns the item.
func returning(verb op.Verb) func(*Config, context.Context) Response {
	return func(c *Config, ctx context.Context) Response {
		key := op.Item{"PK": text("a")}
		return c.action(ctx, &op.Action{Verb: verb, Key: key, Item: op.NewContent(key), Changes: removing("a"), Return: trestle.AllOld})
	}
}

// seen is a response as a caller sees it.
type seen struct {
	Rows        []op.Item
	Tables      map[string][]op.Item
	Count       int
	Scanned     int
	Last        op.Item
	Unprocessed map[string]types.KeysAndAttributes
	Consumed    *types.ConsumedCapacity
	Capacity    []types.ConsumedCapacity
	RequestID   string
	Attempts    int
	Failed      string // the type of the error
}

// fromJSON reports whether the items of a response were read from JSON.
func fromJSON(r *Response) bool { return r.attempts.reader != nil && r.attempts.reader.reply.complete }

func itemsOf(rows core.Rows) []op.Item {
	items := make([]op.Item, rows.Len())
	for i := range items {
		if row := rows.At(i); !row.Empty() {
			items[i] = row.Item()
		}
	}
	return items
}

func seenOf(r *Response) seen {
	s := seen{
		Rows: itemsOf(r.Rows), Count: r.Count, Scanned: r.Scanned, Last: r.Last, Unprocessed: r.Unprocessed, Consumed: r.consumed,
		Capacity: r.capacity, RequestID: r.requestID, Attempts: r.attempts.n, Tables: map[string][]op.Item{},
	}
	for table, rows := range r.Tables {
		s.Tables[table] = itemsOf(rows)
	}
	var damaged *smithy.DeserializationError
	switch {
	case errors.As(r.err, &damaged):
		s.Failed = "damaged"
	case r.err != nil:
		s.Failed = "error"
	}
	return s
}

// bothWays sends a read whose reply has that body, with an itemReader and without. It returns the
// two results, and whether the reader had the items.
func bothWays(t testing.TB, n int, body string) (reader, sdk seen, complete bool) {
	t.Helper()
	c := newEnvWith(aws.NopRetryer{}, &script{replies: []reply{says(200, body)}})
	r := readings[n].send(c, t.Context())
	complete = fromJSON(&r)
	c.AttributeValues = true
	defer func() {
		if recover() != nil { // the SDK panics on some bodies
			reader = seenOf(&r)
			sdk = seen{Failed: "damaged", Rows: []op.Item{}, Tables: map[string][]op.Item{}, Attempts: 1}
		}
	}()
	plain := readings[n].send(c, t.Context())
	require.Nil(t, plain.attempts.reader)
	return seenOf(&r), seenOf(&plain), complete
}

// Bodies that the service does not send. Each is one of every read.
var unusual = []string{
	``, ` `, `null`, `[]`, `{}`, `{`, `{"`, `{"x":1`, `{"x":1}}`, `{"x":tru}`, ` { } x`, `{"Item":null,"Items":null,"Responses":null}`,
	`{"Item":{},"Items":[],"Responses":{}}`, `{"Item":[],"Items":{},"Responses":[]}`, `{"Responses":[{},{"Item":{}},{"Item":{"a":{"N":"1"}}}]}`,
	`{"Responses":[{"Item":null}]}`, `{"Responses":[null]}`, `{"Responses":[{"x":1}]}`, `{"Responses":[{"Item":{},"Item":{"a":{"S":"b"}}}]}`,
	`{"Responses":{"app":null}}`, `{"Responses":{"app":[],"app":[{"a":{"S":"b"}}]}}`, `{"Responses":{"app":[{"a":{"S":"b"}}],"b":[{}]},"UnprocessedKeys":{"app":{"Keys":[{"PK":{"S":"a"}}]}}}`,
	`{"Item":{"a":{"S":"b"}},"Item":{"c":{"S":"d"}},"Items":[{"a":{"S":"b"}}],"Items":[{"c":{"S":"d"}}]}`,
	`{"Item":{"a":{"S":null}},"Items":[{"a":{"S":null}}]}`, `{"Item":{"a":null},"Items":[{"a":null}]}`, `{"Items":[null]}`, `{"Items":[{}]}`,
	`{"Item":{"a":{"X":"y"}},"Items":[{"a":{"X":"y"}}]}`, `{"Item":{"a":{}},"Items":[{"a":{}}]}`, `{"Item":{"a":{"N":1}},"Items":[{"a":{"N":1}}]}`,
	`{"Item":{"a":{"S":"b","N":"1"}},"Items":[{"a":{"S":"b","N":"1"}}]}`, `{"Item":{"a":{"B":"?"}},"Items":[{"a":{"B":"?"}}]}`,
	`{"\u0049tems":[{"a":{"S":"b"}}],"\u0049tem":{"a":{"S":"b"}}}`, `{"items":[{"a":{"S":"b"}}],"item":{"a":{"S":"b"}}}`,
	`{"Count":"x","Items":[{"a":{"S":"b"}}]}`, `{"Count":1,"Items":[{"a":{"S":"b"}}],"Count":}`, `{"Items":[{"a":{"S":"b"}}]`, `{"Items":[{"a":{"S":"b"}}],}`,
	`{"Items":[{"a":{"S":"b"}}]} {}`, `{"Item":{"a":{"S":"b"}},"x":[1,{"y":nul}]}`, "{\"Item\":{\"a\":{\"S\":\"\xff\"}},\"Items\":[{\"\xff\":{\"S\":\"\xff\"}}]}",
	`{"Attributes":null}`, `{"Attributes":{}}`, `{"Attributes":[]}`, `{"Attributes":{"a":{"S":"b"}},"Attributes":{"c":{"S":"d"}}}`,
	` { "Attributes" : {"a":{"S":"b"}} , "x":1}`, `{"x":1, "Attributes":{"a":{"S":"b"}} }`, `{"Attributes":{"a":{"S":"b"}},}`, `{"Attributes":{"a":{"S":"b"}} "x":1}`,
	`{"Items":[{"a":{"L":` + strings.Repeat(`[{"L":`, 200) + `[]` + strings.Repeat(`}]`, 200) + `}}]}`,
}

func TestUnusualRepliesAreTheSDKs(t *testing.T) {
	t.Parallel()
	for n, reading := range readings {
		for _, body := range unusual {
			if reading.writes { // it has another member
				body = strings.ReplaceAll(body, `"Item"`, `"Attributes"`)
			}
			reader, sdk, _ := bothWays(t, n, body)
			require.Equal(t, sdk, reader, "%s %s", reading.name, body)
		}
	}
}

// FuzzReplies checks that the results of any body are those of the SDK alone.
func FuzzReplies(f *testing.F) {
	for _, body := range unusual {
		f.Add(uint8(1), body)
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // of a test
	for n := range readings {
		for range 4 {
			f.Add(uint8(n), randomReply(r, n)) //nolint:gosec // few
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, body string) {
		reader, sdk, _ := bothWays(t, int(n)%len(readings), body)
		require.Equal(t, sdk, reader)
	})
}

func randomValue(r *rand.Rand, depth int) types.AttributeValue {
	kinds := 9
	if depth > 2 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0, 1:
		return text([]string{"", "b", "é\n\"\\", strings.Repeat("long ", 20)}[r.IntN(4)])
	case 2:
		return &types.AttributeValueMemberN{Value: strconv.Itoa(r.IntN(1000))}
	case 3:
		return &types.AttributeValueMemberB{Value: []byte("bytes")[:r.IntN(6)]}
	case 4:
		return &types.AttributeValueMemberBOOL{Value: r.IntN(2) == 0}
	case 5:
		return &types.AttributeValueMemberNULL{Value: true}
	case 6:
		return &types.AttributeValueMemberM{Value: randomAttributes(r, depth+1)}
	case 7:
		return &types.AttributeValueMemberSS{Value: []string{"x", "y"}}
	default:
		return &types.AttributeValueMemberL{Value: []types.AttributeValue{randomValue(r, depth+1), randomValue(r, depth+1)}}
	}
}

func randomAttributes(r *rand.Rand, depth int) op.Item {
	item := op.Item{}
	for range r.IntN(4) {
		item[[]string{"PK", "SK", "é", "a\"b", "Items", "Item"}[r.IntN(6)]] = randomValue(r, depth)
	}
	return item
}

// randomReply returns the body of a reply, with members in random order.
func randomReply(r *rand.Rand, n int) string {
	list := func(form string) string {
		var items []string
		for range r.IntN(12) {
			items = append(items, fmt.Sprintf(form, testjson.Append(r, nil, randomAttributes(r, 0))))
		}
		return "[" + strings.Join(items, " ,\n") + "]"
	}
	members := []string{`"Unknown":{"Items":[1,"]"]}`}
	switch readings[n].name {
	case "GetItem":
		members = append(members, `"Item":`+string(testjson.Append(r, nil, randomAttributes(r, 0))), `"ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}`)
	case "PutItem", "UpdateItem", "DeleteItem":
		members = append(members, `"Attributes":`+string(testjson.Append(r, nil, randomAttributes(r, 0))), `"ConsumedCapacity":{"TableName":"app","CapacityUnits":1}`)
	case "TransactGetItems":
		members = append(members, `"Responses" : `+list(`{"Item":%s}`), `"ConsumedCapacity":[{"TableName":"app","CapacityUnits":2}]`)
	case "BatchGetItem":
		members = append(members, `"Responses":{"app":`+list("%s")+` , "other":`+list("%s")+`}`,
			`"UnprocessedKeys":{"app":{"Keys":[{"PK":{"S":"a"}}]}}`, `"ConsumedCapacity":[{"TableName":"app","CapacityUnits":2}]`)
	default:
		members = append(members, `"Items":`+list("%s"), `"Count":3`, `"ScannedCount" : 5`, `"LastEvaluatedKey":{"PK":{"S":"a"}}`,
			`"ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}`)
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members[r.IntN(2):], ",") + "}"
}

// damage changes a body at a random place.
func damage(r *rand.Rand, body string) string {
	at := r.IntN(len(body))
	switch r.IntN(3) {
	case 0:
		return body[:at]
	case 1:
		return body[:at] + body[at+1:]
	default:
		return body[:at] + string(`{}[]",:\0nS`[r.IntN(11)]) + body[at:]
	}
}

func TestRandomRepliesAreTheSDKs(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	var complete, read, failed int
	// Few bodies are damaged so that only the SDK reads them.
	for i, least := 0, testsize.Pick(600, 6000, 60_000); i < least || read == 0 && i < 100*least; i++ {
		n := r.IntN(len(readings))
		body := randomReply(r, n)
		if r.IntN(2) == 0 {
			body = damage(r, body)
		}
		reader, sdk, all := bothWays(t, n, body)
		require.Equal(t, sdk, reader, body)
		switch {
		case all && sdk.Failed == "":
			complete++
		case sdk.Failed == "":
			read++
		default:
			failed++
		}
	}
	t.Logf("%d replies read from JSON, %d by the SDK, %d failed", complete, read, failed)
	require.Greater(t, complete, 200)
	require.Positive(t, read)
	require.Greater(t, failed, 50)
}

// The negative control of the tests above: a reader that takes the first of two members that have
// the items differs from the SDK, which takes the last one.
func TestRepliesAreCompared(t *testing.T) {
	t.Parallel()
	first, _, _ := bothWays(t, 1, `{"Items":[{"a":{"S":"b"}}]}`)
	_, last, complete := bothWays(t, 1, `{"Items":[{"a":{"S":"b"}}],"Items":[{"a":{"S":"c"}}]}`)
	require.False(t, complete)
	require.False(t, reflect.DeepEqual(first, last))
}

// checked returns a reply with a checksum, of the body that is sent if wrong is false.
func checked(body string, wrong bool) reply {
	return func(r *http.Request) (*http.Response, error) {
		res, err := says(200, body)(r)
		sum := crc32.ChecksumIEEE([]byte(body))
		if wrong {
			sum++
		}
		res.Header.Set("X-Amz-Crc32", strconv.FormatUint(uint64(sum), 10))
		return res, err
	}
}

// cut returns a reply that ends early, although its header has the whole length.
func cut(body string) reply {
	return func(r *http.Request) (*http.Response, error) {
		res, err := says(200, body)(r)
		res.Body = io.NopCloser(io.MultiReader(strings.NewReader(body[:len(body)/2]), broken{}))
		return res, err
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

const oneItem = `{"Items":[{"PK":{"S":"a"}}],"Count":1,"ScannedCount":1}`

// A damaged reply of a read is retried. Each attempt is read afresh.
func TestDamagedReadsAreRetried(t *testing.T) {
	t.Parallel()
	two := `{"Items":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}],"Count":2,"ScannedCount":2}`
	for name, damaged := range map[string]reply{
		"checksum": checked(two, true), "cut": cut(two), "cut JSON": says(200, two[:len(two)-9]), "in an item": says(200, two[:20]),
		"damaged rest": says(200, strings.Replace(two, `"Count":2`, `"Count":`, 1)),
	} {
		c := newEnv(&script{replies: []reply{damaged, damaged, checked(oneItem, false)}})
		r := c.Page(t.Context(), &dynamodb.QueryInput{TableName: &c.Table}, nil)
		require.NoError(t, r.err, name)
		require.True(t, fromJSON(&r), name)
		require.Equal(t, seen{Rows: []op.Item{{"PK": text("a")}}, Count: 1, Scanned: 1, RequestID: "REQ1", Attempts: 3, Tables: map[string][]op.Item{}}, seenOf(&r), name)

		c = newEnv(&script{replies: []reply{damaged}})
		r = c.Page(t.Context(), &dynamodb.QueryInput{TableName: &c.Table}, nil)
		var e *smithy.DeserializationError
		require.ErrorAs(t, r.err, &e, name)
		require.Equal(t, 3, r.attempts.n, name)
		require.Zero(t, r.Rows.Len(), name)
	}
	// The negative control: without a checksum, and with the right one, a reply is read.
	for _, whole := range []reply{says(200, oneItem), checked(oneItem, false)} {
		c := newEnv(&script{replies: []reply{whole}})
		r := c.Page(t.Context(), &dynamodb.QueryInput{TableName: &c.Table}, nil)
		require.NoError(t, r.err)
		require.Equal(t, 1, r.attempts.n)
	}
}

// The reply of a write has the SDK's rules, also if it returns an item.
func TestWritesIgnoreChecksums(t *testing.T) {
	t.Parallel()
	s := &script{replies: []reply{checked(`{}`, true)}}
	require.NoError(t, Do(t.Context(), newEnv(s), putOf(false), nothing))
	require.Equal(t, 1, s.sent)
	for _, w := range readings {
		c := newEnv(&script{replies: []reply{checked(`{"Item":{"PK":{"S":"a"}},"Attributes":{"PK":{"S":"a"}}}`, true)}})
		r := w.send(c, t.Context())
		require.Equal(t, !w.writes, r.err != nil, w.name)
		if w.writes {
			require.True(t, fromJSON(&r), w.name)
			require.Equal(t, []op.Item{{"PK": text("a")}}, itemsOf(r.Rows), w.name)
		}
	}
}

// The SDK reads the reply of a write that returns nothing.
func TestWriteWithoutReturnedItem(t *testing.T) {
	t.Parallel()
	for _, verb := range []op.Verb{op.Put, op.Update, op.Delete} {
		a := op.Action{Verb: verb, Key: op.Item{"PK": text("a")}, Item: op.NewContent(op.Item{"PK": text("a")}), Changes: removing("a")}
		r := newEnv(&script{replies: []reply{fine}}).action(t.Context(), &a)
		require.NoError(t, r.err)
		require.Nil(t, r.attempts.reader)
	}
}

// zipped returns a reply that is compressed. Its checksum is that of the compressed body.
func zipped(body string, wrong bool) reply {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(body))
	_ = w.Close()
	return func(r *http.Request) (*http.Response, error) {
		res, err := checked(b.String(), wrong)(r)
		res.Header.Set("Content-Encoding", "gzip")
		return res, err
	}
}

func TestCompressedReplies(t *testing.T) {
	t.Parallel()
	long := `{"Items":[` + strings.Repeat(`{"PK":{"S":"a"}},`, 5000) + `{"PK":{"S":"z"}}],"Count":5001}`
	compressed := func(o *dynamodb.Options) { o.EnableAcceptEncodingGzip = true }
	for _, body := range []string{oneItem, long} {
		c := newEnv(&script{replies: []reply{zipped(body, true), zipped(body, false)}}, compressed)
		r := c.Page(t.Context(), &dynamodb.QueryInput{TableName: &c.Table}, nil)
		require.NoError(t, r.err)
		require.True(t, fromJSON(&r))
		require.Equal(t, r.Count, r.Rows.Len())
		require.Equal(t, 2, r.attempts.n)
	}
}

// wrappedClient is a client of another type.
type wrappedClient struct{ trestle.Client }

// otherProtocol has another identity than the protocol that it wraps.
type otherProtocol struct{ smithyhttp.ClientProtocol }

func (otherProtocol) ID() smithy.ShapeID { return smithy.ShapeID{Namespace: "x", Name: "y"} }

// returns is a middleware that returns an output without a request.
func returns(out any) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			return s.Initialize.Add(middleware.InitializeMiddlewareFunc("Returns", func(context.Context, middleware.InitializeInput, middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				return middleware.InitializeOutput{Result: out}, middleware.Metadata{}, nil
			}), middleware.Before)
		})
	}
}

// The SDK's output has the items if the replies are not those of the SDK's client and protocol.
func TestRowsOfTheSDK(t *testing.T) {
	t.Parallel()
	whole := &script{replies: []reply{says(200, oneItem)}}
	for name, c := range map[string]struct {
		change   func(*Config)
		complete bool
	}{
		"plain":          {func(*Config) {}, true},
		"asked for":      {func(c *Config) { c.AttributeValues = true }, false},
		"another client": {func(c *Config) { c.Client = wrappedClient{c.Client} }, false},
		"own protocol": {func(c *Config) {
			c.SDK = append(c.SDK, func(o *dynamodb.Options) { o.Protocol = otherProtocol{o.Protocol} })
		}, false},
		"no request": {func(c *Config) {
			c.SDK = append(c.SDK, returns(&dynamodb.QueryOutput{Items: []op.Item{{"PK": text("a")}}, Count: 1}))
		}, false},
		"several options": {func(c *Config) { c.SDK = append(c.SDK, func(o *dynamodb.Options) { o.RetryMaxAttempts = 5 }) }, true},
	} {
		config := newEnv(whole)
		c.change(config)
		r := config.Page(t.Context(), &dynamodb.QueryInput{TableName: &config.Table}, nil)
		require.NoError(t, r.err, name)
		require.Equal(t, c.complete, fromJSON(&r), name)
		require.Equal(t, []op.Item{{"PK": text("a")}}, itemsOf(r.Rows), name)
	}
	var none *itemReader
	none.install(&dynamodb.Options{})
	o := dynamodb.Options{}
	(&itemReader{}).install(&o)
	require.Nil(t, o.Protocol)
}

// readBody reads a body of any length, whatever the header says.
func TestReadBody(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2, 511, unknownLength, unknownLength + 1, 100_000} {
		for _, length := range []int64{-1, 0, 1, int64(size), int64(size) + 1, maxLength + 1} {
			want := bytes.Repeat([]byte("x"), size)
			resp := &smithyhttp.Response{Response: &http.Response{ContentLength: length, Body: io.NopCloser(bytes.NewReader(want))}}
			got, err := readBody(resp, nil, true)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got))
		}
	}
}
