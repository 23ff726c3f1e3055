package shard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A batch read does not read its items at one moment. Totals and drains are exact whatever happens
// between the reads of two items.
func TestBatchesAreNotAtomic(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	modes := []shard.Config{{Mode: shard.Approximate, Shards: 3}, {Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}}
	for n := range testsize.Sequential(50, 150, 500, 20_000) {
		config := modes[n%len(modes)]
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		s := &splitting{random: r}
		split := openBox(t, dynamodb.New(b.client.Options(), s.install), entity.Config{}).counters(config)
		votes, want := b.counters(config), int64(0)
		w := votes.Writer()
		add := func() {
			want++
			if config.Mode == shard.WriterOwned {
				require.NoError(t, w.Add("a", 1))
				require.NoError(t, w.Flush(t.Context()))
				return
			}
			require.NoError(t, votes.Add(t.Context(), "a", 1))
		}
		for range 5 {
			add()
		}
		_, err := split.Total(t.Context(), "a") // it knows the items
		require.NoError(t, err)
		left := 6
		s.between = func() {
			if left--; left < 0 {
				return
			}
			switch r.IntN(5) {
			case 0:
				add()
			case 1, 2:
				_, err := votes.Drain(t.Context(), "a")
				require.NoError(t, err)
			case 3:
				w = votes.Writer()
			default:
				if config.Mode != shard.WriterOwned {
					require.NoError(t, votes.Resize(t.Context(), "a", 1+r.IntN(5)))
				}
			}
		}
		least := want
		var got int64
		switch r.IntN(3) {
		case 0:
			got, err = split.Drain(t.Context(), "a")
		case 1:
			err = split.Resize(t.Context(), "a", 2)
			if config.Mode == shard.WriterOwned {
				err = nil
			}
			got = want
		default:
			got, err = split.Total(t.Context(), "a")
		}
		if err == nil {
			require.GreaterOrEqual(t, got, least)
			require.LessOrEqual(t, got, want)
		}
		requireTotal(t, b.counters(config), "a", want)
	}
}

// splitting is a transport that reads each item of a batch by a request of its own, in random
// order, and calls between before each.
type splitting struct {
	next    dynamodb.HTTPClient
	random  *rand.Rand
	between func()
}

func (s *splitting) install(o *dynamodb.Options) { s.next, o.HTTPClient = o.HTTPClient, s }

// batchBody is the body of a batch read.
type batchBody struct {
	RequestItems map[string]struct {
		Keys           []json.RawMessage
		ConsistentRead bool
	}
}

func (s *splitting) Do(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem") || s.between == nil {
		return s.next.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var in batchBody
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	keys := in.RequestItems[tableName].Keys
	var items []json.RawMessage
	for _, i := range s.random.Perm(len(keys)) {
		s.between()
		found, err := s.one(r, keys[i])
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	text, err := json.Marshal(map[string]any{"Responses": map[string]any{tableName: items}, "UnprocessedKeys": map[string]any{}})
	return reply(r, text), err
}

// one reads one item.
func (s *splitting) one(r *http.Request, key json.RawMessage) ([]json.RawMessage, error) {
	body := fmt.Sprintf(`{"RequestItems":{%q:{"Keys":[%s],"ConsistentRead":true}}}`, tableName, key)
	own := r.Clone(context.WithoutCancel(r.Context()))
	own.Body, own.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	own.Header.Set("Content-Length", strconv.Itoa(len(body)))
	res, err := s.next.Do(own)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var out struct {
		Responses map[string][]json.RawMessage
	}
	err = json.NewDecoder(res.Body).Decode(&out)
	return out.Responses[tableName], err
}

// reply returns a successful reply.
func reply(r *http.Request, body []byte) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Request: r, ContentLength: int64(len(body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, Body: io.NopCloser(bytes.NewReader(body)),
	}
}
