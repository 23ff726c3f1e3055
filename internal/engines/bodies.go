package engines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Bodies records the requests of a client. The zero Bodies is ready to use.
type Bodies struct {
	next dynamodb.HTTPClient
	mu   sync.Mutex
	list []string
}

// Record is an option of a client: it records the requests of the client.
func (b *Bodies) Record(o *dynamodb.Options) { b.next, o.HTTPClient = o.HTTPClient, b }

// Do records a request and sends it.
func (b *Bodies) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	// The SDK writes the members of an object in any order; json.Marshal sorts them.
	var decoded any
	if err := json.Unmarshal(body, &decoded); err != nil {
		return nil, fmt.Errorf("the body of a request: %w", err)
	}
	sorted, err := json.Marshal(decoded)
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	b.mu.Lock()
	b.list = append(b.list, operation+" "+string(sorted))
	b.mu.Unlock()
	return b.next.Do(r)
}

// Take returns the operations and bodies of the requests since the last call of Take. The members
// of each object are sorted.
func (b *Bodies) Take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.list
	b.list = nil
	return list
}
