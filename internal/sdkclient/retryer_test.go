package sdkclient

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The pauses have full jitter, and a mean of half their maximum.
func TestPausesBeforeRetries(t *testing.T) {
	t.Parallel()
	r := Retryer()
	require.Equal(t, maxAttempts, r.MaxAttempts())
	for i, ms := range []int{25, 50, 100, 200, 400, 800, 1600, 3200, 5000, 5000} {
		most := time.Duration(ms) * time.Millisecond
		const n = 4000
		var sum, highest time.Duration
		for range n {
			delay, err := r.RetryDelay(i+1, nil)
			require.NoError(t, err)
			sum, highest = sum+delay, max(highest, delay)
		}
		require.LessOrEqual(t, highest, most)
		require.Greater(t, highest, most*9/10)
		require.InEpsilon(t, most/2, sum/n, 0.1)
	}
	delay, err := r.RetryDelay(1000, nil)
	require.NoError(t, err)
	require.LessOrEqual(t, delay, maxBackoff)
}
