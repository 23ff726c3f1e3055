package explore

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// maxAttempts is how often a client sends a request, as with the SDK's default retryer.
const maxAttempts = 3

// retryer is shared by all clients: it has no state. It retries without a pause.
var retryer = retry.NewStandard(func(o *retry.StandardOptions) {
	o.MaxAttempts = maxAttempts
	o.RateLimiter = ratelimit.None
	o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
})

// sdkOptions returns the options of the client of a process.
func (p *process) sdkOptions() dynamodb.Options {
	o := dynamodb.Options{Retryer: retryer, IdempotencyTokenProvider: &p.tokens}
	p.run.db.Configure(&o)
	o.HTTPClient = p
	return o
}

// tokens are the client request tokens of a process. The goroutines of the process take temporary
// tokens in any order. The search replaces them by tokens that repeat themselves in every run.
type tokens struct {
	n     atomic.Int64
	final map[string]string // by temporary token
	name  string            // of the process
}

const temporaryToken = "temporary token "

var temporaryTokens = regexp.MustCompile(temporaryToken + `\d{9}`)

// GetIdempotencyToken implements the SDK's interface.
func (t *tokens) GetIdempotencyToken() (string, error) {
	return fmt.Sprintf("%s%09d", temporaryToken, t.n.Add(1)), nil
}

// hide returns a body in which all temporary tokens are alike.
func (t *tokens) hide(body []byte) []byte {
	if !bytes.Contains(body, []byte(temporaryToken)) {
		return body
	}
	return temporaryTokens.ReplaceAll(body, []byte(temporaryToken))
}

// replace replaces the temporary tokens in a body. A retry has the same token again.
func (t *tokens) replace(body []byte) []byte {
	if !bytes.Contains(body, []byte(temporaryToken)) {
		return body
	}
	return temporaryTokens.ReplaceAllFunc(body, func(temporary []byte) []byte {
		token, known := t.final[string(temporary)]
		if !known {
			if t.final == nil {
				t.final = map[string]string{}
			}
			token = t.name + "-" + itoa(len(t.final)+1)
			t.final[string(temporary)] = token
		}
		return []byte(token)
	})
}

// readBody reads and closes the body of a request.
func readBody(h *http.Request) ([]byte, error) {
	if h.Body == nil {
		return nil, nil
	}
	defer func() { _ = h.Body.Close() }()
	if h.ContentLength <= 0 {
		return io.ReadAll(h.Body)
	}
	body := make([]byte, h.ContentLength)
	_, err := io.ReadFull(h.Body, body)
	return body, err
}
