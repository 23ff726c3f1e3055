package peerbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// latency is the time until the servers of the slow rows respond.
const latency = 5 * time.Millisecond

// pages is a transport that sends pages of a read, each after a time. The position of a page is its
// number.
type pages struct {
	wait   time.Duration
	bodies [][]byte // the replies with the pages
}

// newPages returns a client that reads n pages of 1,000 orders from every segment.
func newPages(tb testing.TB, n int, wait time.Duration) *dynamodb.Client {
	tb.Helper()
	items, _ := stored(tb)
	p := pages{wait, make([][]byte, n)}
	last := queryReply(items[:1000])
	for i := range p.bodies {
		if p.bodies[i] = last; i+1 < n {
			p.bodies[i] = fmt.Appendf(nil, `%s,"LastEvaluatedKey":{"PK":{"S":"CUS#c001"},"SK":{"S":"ORD#%06d"}}}`, last[:len(last)-1], i+1)
		}
	}
	return clientOn(p)
}

// Do sends the page after the position of the request.
func (p pages) Do(r *http.Request) (*http.Response, error) {
	var in struct {
		ExclusiveStartKey struct{ SK struct{ S string } }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(in.ExclusiveStartKey.SK.S, "ORD#"))
	if n >= len(p.bodies) {
		return nil, fmt.Errorf("there is no page %d", n)
	}
	if p.wait > 0 {
		select {
		case <-time.After(p.wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return canned{p.bodies[n]}.Do(r)
}

// The transport sends each page once, and the last one without a position.
func TestPages(t *testing.T) {
	t.Parallel()
	p := pages{bodies: [][]byte{[]byte("a"), []byte("b")}}
	for start, want := range map[string]string{`{}`: "a", `{"ExclusiveStartKey":{"SK":{"S":"ORD#000001"}}}`: "b"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost", bytes.NewReader([]byte(start)))
		require.NoError(t, err)
		response, err := p.Do(request)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, string(body))
	}
}
