package clock

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFreeze(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		begin := clock.Now()
		at := begin.Add(-time.Hour)
		clock.Freeze(at)

		<-time.After(time.Minute)
		require.Equal(t, at, clock.Now())
		clock.Advance(time.Hour)
		require.Equal(t, at, clock.Now())

		// Neither Freeze nor Unfreeze affects a sleeper.
		woken := make(chan error, 1)
		go func() { woken <- clock.Sleep(t.Context(), 2*time.Minute) }()
		<-time.After(time.Minute)
		clock.Unfreeze()
		require.Equal(t, begin.Add(time.Hour+2*time.Minute), clock.Now())
		synctest.Wait()
		require.Empty(t, woken)
		clock.Advance(time.Minute)
		require.NoError(t, <-woken)
	})
}
