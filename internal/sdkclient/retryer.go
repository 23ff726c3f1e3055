package sdkclient

import (
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

const (
	maxAttempts = 8
	retryBase   = 25 * time.Millisecond
	maxBackoff  = 5 * time.Second
)

// Retryer returns the retryer of the SDK with up to 8 attempts and a full jitter: at most 25 ms
// before the first retry, doubled for each further one, at most 5 s. Its budget of retries is that
// of the SDK, shared by all calls of a client.
func Retryer(options ...func(*retry.StandardOptions)) aws.Retryer {
	return retry.NewStandard(append([]func(*retry.StandardOptions){func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.Backoff = retry.BackoffDelayerFunc(backoff)
	}}, options...)...)
}

// backoff returns the pause after an attempt. The first attempt has the number 1.
func backoff(attempt int, _ error) (time.Duration, error) {
	most := min(retryBase<<min(max(attempt-1, 0), 16), maxBackoff)
	return rand.N(most + 1), nil //nolint:gosec // a jitter is no secret
}
