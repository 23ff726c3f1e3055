package ddbtest

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

const (
	maxAttempts  = retry.DefaultMaxAttempts
	firstBackoff = 2 * time.Millisecond
	lastBackoff  = 16 * time.Millisecond
)

// retryer sets every setting that the SDK would otherwise read from the environment.
func (db *DB) retryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = ratelimit.None
		o.Backoff = db.backoff
	})
}

// backoff computes short random delays between attempts, from the database's seed.
type backoff struct {
	mu   sync.Mutex
	rand *rand.Rand
	used bool
}

func newBackoff(seed uint64) *backoff { return &backoff{rand: rand.New(rand.NewPCG(seed, 0))} }

// drawn reports whether a delay was drawn.
func (b *backoff) drawn() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// BackoffDelay implements [retry.BackoffDelayer].
func (b *backoff) BackoffDelay(attempt int, _ error) (time.Duration, error) {
	ceiling := min(firstBackoff<<min(max(attempt, 0), 8), lastBackoff)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = true
	return time.Duration(b.rand.Int64N(int64(ceiling))), nil
}
