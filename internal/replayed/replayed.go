// Package replayed lets a benchmark measure the client only: after the first request of a kind, the
// reply of the engine is replayed.
package replayed

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Transport sends the first request of a kind to the engine, and replays its reply for all others.
// Requests are of one kind if their operations, the lengths of their bodies, and their partitions
// are equal. So a client must send requests of one kind only if their replies are equal.
type Transport struct {
	// Partition is the beginning of partition keys. The three bytes that follow it in the body
	// distinguish partitions. Empty means that partitions are not distinguished.
	Partition string

	next    dynamodb.HTTPClient
	mu      sync.Mutex
	replies map[kind]reply
}

type kind struct {
	operation string
	length    int
	partition [3]byte
}

type reply struct {
	header http.Header
	body   []byte
}

// Install is an option of a client that sends its requests with the transport.
func (t *Transport) Install(o *dynamodb.Options) {
	t.next, o.HTTPClient, t.replies = o.HTTPClient, t, map[kind]reply{}
}

// Do replays a reply, or sends a request.
func (t *Transport) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	k := kind{operation: r.Header.Get("X-Amz-Target"), length: len(body)}
	if at := bytes.Index(body, []byte(t.Partition)); t.Partition != "" && at >= 0 {
		copy(k.partition[:], body[at+len(t.Partition):])
	}
	t.mu.Lock()
	known, ok := t.replies[k]
	t.mu.Unlock()
	if !ok {
		if known, err = t.send(r, body); err != nil {
			return nil, err
		}
		t.mu.Lock()
		t.replies[k] = known
		t.mu.Unlock()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(known.body)), Body: io.NopCloser(bytes.NewReader(known.body)), Header: known.header,
	}, nil
}

var errFailed = errors.New("replayed: a request failed")

// send sends a request to the engine.
func (t *Transport) send(r *http.Request, body []byte) (reply, error) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	res, err := t.next.Do(r)
	if err != nil {
		return reply{}, err
	}
	text, err := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK {
		err = errFailed
	}
	return reply{res.Header, text}, errors.Join(err, res.Body.Close())
}
