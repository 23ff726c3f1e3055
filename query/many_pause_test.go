package query_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// waited returns the pauses between the requests of some batch reads, if the service processes no
// keys.
func waited(t *testing.T, read func(*testing.T, *dynamodb.Client, *entity.Repo[row])) (pauses [][]time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		client := db.Client()
		repo := library0(t, client)
		db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(100))
		for range 40 {
			pauses = append(pauses, engines.Pauses(db, func() { read(t, client, repo) }))
		}
	})
	return pauses
}

// GetMany retries unprocessed keys after growing random pauses, which take no real time in this
// test. The negative controls retry immediately and after constant pauses.
func TestGetManyBackoff(t *testing.T) {
	t.Parallel()
	require.Empty(t, engines.BackoffIssue(waited(t, func(t *testing.T, _ *dynamodb.Client, repo *entity.Repo[row]) {
		_, err := repo.GetMany(t.Context(), []row{{Book: "b", N: 1}, {Book: "b", N: 2}})
		var left *trestle.UnprocessedError
		require.ErrorAs(t, err, &left)
		require.Len(t, trestle.Unprocessed[row](err), 2)
		require.True(t, trestle.IsThrottled(err))
	})))
	for name, pause := range map[string]func(int) time.Duration{
		"none": func(int) time.Duration { return 0 }, "the same": func(int) time.Duration { return 10 * time.Millisecond },
		"no chance": func(i int) time.Duration { return time.Millisecond << i },
	} {
		require.NotEmpty(t, engines.BackoffIssue(waited(t, func(t *testing.T, client *dynamodb.Client, _ *entity.Repo[row]) {
			for i := range 8 {
				require.Zero(t, once(t, client, []row{{Book: "b", N: 1}}))
				<-time.After(pause(i))
			}
		})), name)
	}
}

// Canceling the context ends a pause immediately. The error contains all keys that were not read.
func TestGetManyCanceledInAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		repo := library0(t, db.Client())
		db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(100))
		ctx, cancel := context.WithCancel(t.Context())
		var examples []row
		for n := range 150 {
			examples = append(examples, row{Book: "b", N: n})
		}
		done := make(chan error)
		go func() {
			_, err := repo.GetMany(ctx, examples)
			done <- err
		}()
		synctest.Wait()
		sent, start := len(db.Requests()), time.Now()
		cancel()
		err := <-done
		require.Zero(t, time.Since(start))
		require.Len(t, db.Requests(), sent)
		require.ErrorIs(t, err, context.Canceled)
		var left *trestle.UnprocessedError
		require.ErrorAs(t, err, &left)
		require.Equal(t, examples, trestle.Unprocessed[row](err))
	})
}
