package shard_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testfaults"
)

// fate is what happens to a request.
type fate uint8

const (
	pass fate = iota
	drop      // it is not applied, and the client gets no reply
	lose      // it is applied, and the client gets no reply
	late      // the client gets no reply, and it is applied when the test calls deliver
)

// wire is the connection of one process.
type wire struct {
	next   dynamodb.HTTPClient
	decide func(n int, operation string) fate // n counts requests from 1

	mu      sync.Mutex
	sent    int
	delayed []*http.Request
}

// crashAt returns a decision for a process that gets no reply to request k, with a fate, nor to any
// later one.
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

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	w.mu.Lock()
	w.sent++
	n := w.sent
	w.mu.Unlock()
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	now := w.decide(n, operation)
	switch now {
	case drop:
		return nil, testfaults.ErrReset
	case late:
		later := r.Clone(context.WithoutCancel(r.Context()))
		later.Body = io.NopCloser(strings.NewReader(string(body)))
		w.mu.Lock()
		w.delayed = append(w.delayed, later)
		w.mu.Unlock()
		return nil, testfaults.ErrReset
	default:
	}
	res, err := w.next.Do(r)
	if now == pass || err != nil {
		return res, err
	}
	return nil, errors.Join(testfaults.ErrReset, res.Body.Close())
}

// deliver applies the delayed requests.
func (w *wire) deliver(t testing.TB) {
	t.Helper()
	w.mu.Lock()
	delayed := w.delayed
	w.delayed = nil
	w.mu.Unlock()
	for _, r := range delayed {
		res, err := w.next.Do(r)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, errors.Join(err, res.Body.Close()))
	}
}

// process returns another process on the same table, which makes two attempts to send a request.
func (b *box) process(t testing.TB, w *wire) *box {
	t.Helper()
	client := dynamodb.New(b.client.Options(), func(o *dynamodb.Options) {
		w.next, o.HTTPClient = o.HTTPClient, w
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.RateLimiter = 2, ratelimit.None
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		})
	})
	return openBox(t, client, entity.Config{})
}
