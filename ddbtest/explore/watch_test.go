package explore

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestHang checks that a client that waits for a mutex is reported while the test hangs.
func TestHang(t *testing.T) { //nolint:paralleltest // it changes variables of the package
	var mu sync.Mutex
	mu.Lock()
	output := &unlocker{mu: &mu}
	after, to := hangAfter, hangOutput
	t.Cleanup(func() { hangAfter, hangOutput = after, to })
	hangAfter, hangOutput = 20*time.Millisecond, output

	r := Search(Options{Faults: Faults{}}, func(w *World) {
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			mu.Lock()
			defer mu.Unlock()
			_, err := c.ListTables(ctx, nil)
			require.NoError(w, err)
		})
		w.Finally(func(*ddbtest.DB) error { return nil })
	})
	require.Nil(t, r.Failure)
	require.Contains(t, output.text.String(), "TestHang")
}

// unlocker unlocks a mutex when it is written to.
type unlocker struct {
	mu   *sync.Mutex
	once sync.Once
	text strings.Builder
}

func (u *unlocker) Write(b []byte) (int, error) {
	defer u.once.Do(u.mu.Unlock)
	return u.text.Write(b)
}
