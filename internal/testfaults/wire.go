package testfaults

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Fate is what happens to a request of a [Wire].
type Fate uint8

// The fates.
const (
	Pass  Fate = iota
	Drop       // it is not applied, and the client gets no reply
	Lose       // it is applied, and the client gets no reply
	Delay      // the client gets no reply, and Deliver applies it
)

// Fates are all faults.
var Fates = map[string]Fate{"dropped": Drop, "lost reply": Lose, "delayed": Delay}

// CrashAt returns a decision for a process that gets no reply to its request k, with a fate, nor to
// any later one.
func CrashAt(k int, f Fate) func(int, string) Fate {
	return func(n int, _ string) Fate {
		switch {
		case n < k:
			return Pass
		case n == k:
			return f
		default:
			return Drop
		}
	}
}

// Wire is the connection of one process to an engine.
type Wire struct {
	// Decide is called before each request with its number, from 1, and its operation. nil: all
	// pass.
	Decide func(n int, operation string) Fate
	// Then is called after each request without a reply. It may be nil.
	Then func()

	next    dynamodb.HTTPClient
	mu      sync.Mutex
	sent    int
	delayed []*http.Request
}

// Client returns a client of the same database whose requests pass through the wire. It makes
// several attempts without pauses.
func (w *Wire) Client(client *dynamodb.Client, attempts int) *dynamodb.Client {
	return dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		w.next, o.HTTPClient = o.HTTPClient, w
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.RateLimiter = attempts, ratelimit.None
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		})
	})
}

// Sent returns the number of requests.
func (w *Wire) Sent() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent
}

// Delayed returns the number of delayed requests that Deliver has not applied yet.
func (w *Wire) Delayed() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.delayed)
}

// Do sends a request, or lets it fail.
func (w *Wire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.mu.Lock()
	w.sent++
	n := w.sent
	w.mu.Unlock()
	now := Pass
	if w.Decide != nil {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		now = w.Decide(n, operation)
	}
	if now != Pass && w.Then != nil {
		defer w.Then()
	}
	switch now {
	case Drop:
		return nil, ErrReset
	case Delay:
		later := r.Clone(context.WithoutCancel(r.Context()))
		later.Body = io.NopCloser(bytes.NewReader(body))
		w.mu.Lock()
		w.delayed = append(w.delayed, later)
		w.mu.Unlock()
		return nil, ErrReset
	}
	res, err := w.next.Do(r)
	if now == Pass || err != nil {
		return res, err
	}
	return nil, errors.Join(ErrReset, res.Body.Close())
}

// Deliver applies the delayed requests.
func (w *Wire) Deliver() error {
	w.mu.Lock()
	delayed := w.delayed
	w.delayed = nil
	w.mu.Unlock()
	for _, r := range delayed {
		res, err := w.next.Do(r)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil {
			return err
		}
	}
	return nil
}
