package ddbtest_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// compressing compresses the bodies of requests, and counts the compressed replies.
type compressing struct {
	next     dynamodb.HTTPClient
	encoding string // of requests; "" if they are not compressed
	replies  map[string]int
}

func (c *compressing) Do(r *http.Request) (*http.Response, error) {
	if c.encoding != "" {
		body, err := packed(r.Body, c.encoding)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Encoding", c.encoding)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	reply, err := c.next.Do(r)
	if err == nil {
		c.replies[reply.Header.Get("Content-Encoding")]++
	}
	return reply, err
}

func packed(body io.Reader, encoding string) ([]byte, error) {
	var b bytes.Buffer
	w := io.WriteCloser(gzip.NewWriter(&b))
	if encoding == "deflate" {
		w = zlib.NewWriter(&b)
	}
	if _, err := io.Copy(w, body); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// compress is an option of a client.
func (c *compressing) compress(o *dynamodb.Options) {
	c.next, o.HTTPClient, c.replies = o.HTTPClient, c, map[string]int{}
}

func acceptGzip(o *dynamodb.Options) { o.EnableAcceptEncodingGzip = true }

// randomItems returns items of very different sizes, some of which are hard to compress.
func randomItems(r *rand.Rand, n int) []attributes {
	items := make([]attributes, n)
	for i := range items {
		noise := make([]byte, r.IntN(1<<r.IntN(15)))
		for j := range noise {
			noise[j] = byte(r.Uint32())
		}
		items[i] = row("pk", fmt.Sprint(i), "s", strings.Repeat("é\n", r.IntN(1<<r.IntN(14))), "b", noise)
	}
	return items
}

// TestCompressedReplies reads random items with a client that accepts gzip and with one that does
// not. The SDK checks the checksum of what it gets.
func TestCompressedReplies(t *testing.T) {
	t.Parallel()
	items := randomItems(testrand.New(t), testsize.Pick(40, 100, 400))
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		s.put(items...)
		var wire compressing
		zipped := dynamodb.New(s.client.Options(), acceptGzip, wire.compress)
		read := func(c *dynamodb.Client) (got []attributes) {
			for _, item := range items {
				out, err := c.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: &s.table, Key: attributes{"pk": item["pk"]}})
				require.NoError(s, err)
				got = append(got, out.Item)
			}
			pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{TableName: &s.table, Limit: aws.Int32(7)})
			for pages.HasMorePages() {
				page, err := pages.NextPage(s.Context())
				require.NoError(s, err)
				got = append(got, page.Items...)
			}
			return got
		}
		plainly := read(s.client)
		require.Equal(s, items, plainly[:len(items)])
		require.Equal(s, plainly, read(zipped))
		if s.local {
			require.Zero(s, wire.replies["gzip"], "it compresses no reply")
			return
		}
		require.Positive(s, wire.replies["gzip"])
		require.Positive(s, wire.replies[""], "small replies are not compressed")
	})
}

// TestCompressedRequests sends random items in compressed requests.
func TestCompressedRequests(t *testing.T) {
	t.Parallel()
	items := randomItems(testrand.New(t), testsize.Pick(20, 50, 200))
	for _, encoding := range []string{"gzip", "deflate"} {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			onEveryEngine(t, tableOf("pk:S"), func(s *session) {
				zipped := &session{T: s.T, table: s.table, client: dynamodb.New(s.client.Options(), (&compressing{encoding: encoding}).compress)}
				if s.local {
					_, err := zipped.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: items[0]}, once)
					requireCode(s.T, "InternalFailure", err, "it decompresses no request")
					return
				}
				zipped.put(items...)
				for _, item := range items {
					require.Equal(s, item, zipped.get(attributes{"pk": item["pk"]}))
				}
			})
		})
	}
}

// TestUndecodableRequest sends bodies that are not in their Content-Encoding. The service answers
// with an internal error, and so does ddbtest, which does not report a defect of its own.
func TestUndecodableRequest(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	for _, encoding := range []string{"gzip", "deflate", "br"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"TableName":"things"}`))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeTable")
		r.Header.Set("Content-Encoding", encoding)
		out := httptest.NewRecorder()
		db.ServeHTTP(out, r)
		require.Equal(t, http.StatusInternalServerError, out.Code, encoding)
		require.NoError(t, db.Err())
	}
}

// TestRecordingOfCompressedRequests checks that the list of requests and the recording have JSON.
func TestRecordingOfCompressedRequests(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Record: true})
	db.CreateTable(t, thingsTable())
	require.NoError(t, put(t.Context(), db.Client((&compressing{encoding: "gzip"}).compress)))
	require.True(t, json.Valid(db.Requests()[0].Body()))
	var recording bytes.Buffer
	require.NoError(t, db.WriteRecording(&recording))
	replayed, err := ddbtest.Replay(&recording)
	require.NoError(t, err)
	defer replayed.Close()
	require.Len(t, replayed.Dump(things), 1)
	require.Equal(t, db.Hash(), replayed.Hash())
}
