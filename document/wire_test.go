package document_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// fate is what happens to a request.
type fate uint8

const (
	pass  fate = iota
	drop       // it is not applied, and the client gets no reply
	lose       // it is applied, and the client gets no reply
	delay      // the client gets no reply, and it is applied when the test calls deliver
)

// fates are all faults.
var fates = map[string]fate{"dropped": drop, "lost reply": lose, "delayed": delay}

// crashAt returns a decision for a process that gets no reply to its request k, with a fault, nor
// to any later one.
func crashAt(k int, f fate) func(int, string) fate {
	return func(n int, _ string) fate {
		switch {
		case n < k:
			return pass
		case n == k:
			return f
		default:
			return drop
		}
	}
}

// wire is the connection of one process to an engine.
type wire struct {
	next dynamodb.HTTPClient
	// decide is called before each request with its number, from 1, and its operation. nil: all
	// pass.
	decide func(n int, operation string) fate
	// then is called after each request without a reply. It may be nil.
	then func()

	mu      sync.Mutex
	sent    int
	delayed []*http.Request
}

var errReset = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.mu.Lock()
	w.sent++
	n := w.sent
	w.mu.Unlock()
	now := pass
	if w.decide != nil {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		now = w.decide(n, operation)
	}
	if now != pass && w.then != nil {
		defer w.then()
	}
	switch now {
	case drop:
		return nil, errReset
	case delay:
		later := r.Clone(context.WithoutCancel(r.Context()))
		later.Body = io.NopCloser(bytes.NewReader(body))
		w.mu.Lock()
		w.delayed = append(w.delayed, later)
		w.mu.Unlock()
		return nil, errReset
	}
	res, err := w.next.Do(r)
	if now == pass || err != nil {
		return res, err
	}
	return nil, errors.Join(errReset, res.Body.Close())
}

// deliver applies the delayed requests.
func (w *wire) deliver() error {
	w.mu.Lock()
	delayed := w.delayed
	w.delayed = nil
	w.mu.Unlock()
	for _, r := range delayed {
		res, err := w.next.Do(r)
		if err != nil {
			return err
		}
		if err := errors.Join(discard(res.Body), res.Body.Close()); err != nil {
			return err
		}
	}
	return nil
}

func discard(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// on returns a client of the same database whose requests pass through the wire. It makes several
// attempts without pauses.
func (w *wire) on(client *dynamodb.Client, attempts int) *dynamodb.Client {
	return dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		w.next, o.HTTPClient = o.HTTPClient, w
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.RateLimiter = attempts, ratelimit.None
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		})
	})
}

var _ aws.HTTPClient = (*wire)(nil)
