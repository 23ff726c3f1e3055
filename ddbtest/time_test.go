package ddbtest_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestCloseEndsHang covers requests that hang and requests that are delayed.
func TestCloseEndsHang(t *testing.T) {
	t.Parallel()
	for _, effect := range []ddbtest.Effect{ddbtest.Hang, ddbtest.AfterCommit(ddbtest.Hang), ddbtest.Delay(time.Hour), ddbtest.AfterCommit(ddbtest.Delay(time.Hour))} {
		synctest.Test(t, func(t *testing.T) {
			db := setup(t)
			db.Fail(effect)
			done := make(chan error)
			go func() { done <- increment(t.Context(), db.Client(once)) }()
			synctest.Wait()
			db.Close()
			require.Equal(t, "reset", resultOf(<-done))
			require.Equal(t, "refused", resultOf(increment(t.Context(), db.Client(once))))
		})
	}
}

// serialClient lets one request through at a time, as a delay under a lock would.
type serialClient struct {
	*http.Client
	lock chan struct{} // a blocked mutex would stop the time of the bubble
}

func (o *serialClient) Do(r *http.Request) (*http.Response, error) {
	o.lock <- struct{}{}
	defer func() { <-o.lock }()
	return o.Client.Do(r)
}

// TestDelayIsPerRequest runs 8 clients that each wait. On average at least 3 requests must run
// concurrently. With a lock it is 1.
func TestDelayIsPerRequest(t *testing.T) {
	t.Parallel()
	for _, effect := range []ddbtest.Effect{ddbtest.Delay(10 * time.Millisecond), ddbtest.AfterCommit(ddbtest.Delay(10 * time.Millisecond))} {
		synctest.Test(t, func(t *testing.T) {
			db := setup(t)
			require.GreaterOrEqual(t, overlap(t, db, effect, func(*dynamodb.Options) {}), 3.0)
			under := &serialClient{db.HTTPClient(), make(chan struct{}, 1)}
			require.InDelta(t, 1, overlap(t, db, effect, func(o *dynamodb.Options) { o.HTTPClient = under }), 0.1)
		})
	}
}

// overlap returns the mean number of concurrent requests.
func overlap(t *testing.T, db *ddbtest.DB, effect ddbtest.Effect, option func(*dynamodb.Options)) float64 {
	t.Helper()
	const clients, requests = 8, 20
	rule := db.Fail(effect)
	defer rule.Remove()
	before, began := len(db.Requests()), time.Now()
	var all sync.WaitGroup
	for range clients {
		client := db.Client(option)
		all.Go(func() {
			for range requests {
				if err := increment(t.Context(), client); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var sum time.Duration
	for _, r := range db.Requests()[before:] {
		sum += r.Duration
	}
	require.Len(t, db.Requests(), before+clients*requests)
	return float64(sum) / float64(time.Since(began))
}

// TestBackoffInBubble retries for more than a minute of fake time.
func TestBackoffInBubble(t *testing.T) {
	t.Parallel()
	outside := time.Now()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		rule := db.Fail(ddbtest.Throttle(), ddbtest.First(5))
		began := time.Now()
		client := db.Client(func(o *dynamodb.Options) {
			o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts = 6
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 13 * time.Second, nil })
			})
		})
		require.NoError(t, increment(t.Context(), client))
		require.Equal(t, 5, rule.Hits())
		require.Equal(t, 65*time.Second, time.Since(began))
	})
	require.Less(t, time.Since(outside), time.Minute)
}

// TestBackoffIsShort checks that a test with retries does not wait for seconds.
func TestBackoffIsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Fail(ddbtest.InternalError)
		client := db.Client()
		began := time.Now()
		for range 200 { // far more than the retry quota of the SDK allows
			require.Equal(t, "InternalServerError", resultOf(increment(t.Context(), client)))
		}
		require.Len(t, db.Requests(), 600)
		require.Less(t, time.Since(began), 200*2*16*time.Millisecond)
		require.NotZero(t, time.Since(began))
	})
}

// TestTTL checks that an item exists until it expires.
func TestTTL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{TTLDelay: time.Hour})
		expireBy(t, db)
		db.Load(t, things, thing("a", 1, attributes{"n": number(1), "until": number(int(db.Now().Add(24 * time.Hour).Unix()))}))
		db.Advance(25*time.Hour - 2*time.Second)
		require.Equal(t, 1, n(t, db))
		<-time.After(2 * time.Second) // time that passes without Advance counts, too
		require.NoError(t, get(t.Context(), db.Client()))
		require.Zero(t, n(t, db))
	})
}

func expireBy(t *testing.T, db *ddbtest.DB) {
	t.Helper()
	_, err := db.Client().UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(things), TimeToLiveSpecification: ttlOf("until"),
	})
	require.NoError(t, err)
}

// TestExpiredItemsInStream checks that records have the time of expiry and the service's
// identity, and are kept for 24 hours of the clock.
func TestExpiredItemsInStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newFullDatabase(t)
		c := callerOf(t, db, nil)
		expireBy(t, db)
		began := db.Now()
		db.Load(t, things, thing("a", 1, attributes{"until": number(int(began.Add(time.Hour).Unix()))}))
		last := func() *streamtypes.Record {
			iterator, err := c.streams.GetShardIterator(t.Context(), c.iterate())
			require.NoError(t, err)
			out, err := c.streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
			require.NoError(t, err)
			if len(out.Records) == 0 {
				return nil
			}
			return &out.Records[len(out.Records)-1]
		}
		require.Nil(t, last().UserIdentity, "the test itself wrote it")
		<-time.After(3 * time.Hour)
		deleted := last()
		require.Equal(t, streamtypes.OperationTypeRemove, deleted.EventName)
		require.Equal(t, "dynamodb.amazonaws.com", aws.ToString(deleted.UserIdentity.PrincipalId))
		require.Equal(t, "Service", aws.ToString(deleted.UserIdentity.Type))
		require.Equal(t, began.Add(time.Hour).Unix(), deleted.Dynamodb.ApproximateCreationDateTime.Unix())
		db.Advance(22*time.Hour - time.Second)
		require.NotNil(t, last())
		db.Advance(2 * time.Second)
		require.Nil(t, last())
	})
}

// TestExpiryOrder covers items that expired more than a day ago. The times in a stream
// never decrease, and lagging reads lag for all of its items.
func TestExpiryOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newFullDatabase(t)
		db.SetLag(ddbtest.Lag{Items: 10 * time.Minute})
		c := callerOf(t, db, nil)
		expireBy(t, db)
		began := db.Now()
		due := func(hours int) attributes {
			return attributes{"until": number(int(began.Add(time.Duration(hours) * time.Hour).Unix()))}
		}
		db.Load(t, things, thing("a", 1, due(1)), thing("a", 2, due(190)), thing("a", 3, due(191)))
		count := func() int32 {
			out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(things)})
			require.NoError(t, err)
			return out.Count
		}
		before := count()
		db.Advance(192 * time.Hour)
		require.Equal(t, before, count(), "they are deleted just now")
		<-time.After(11 * time.Minute)
		require.Equal(t, before-3, count())
		iterator, err := c.streams.GetShardIterator(t.Context(), c.iterate())
		require.NoError(t, err)
		out, err := c.streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
		require.NoError(t, err)
		require.Len(t, out.Records, 3)
		for _, r := range out.Records {
			require.Equal(t, began.Add(192*time.Hour).Unix(), r.Dynamodb.ApproximateCreationDateTime.Unix())
		}
	})
}

// TestDelayedReadOfNewTable reads from a table that is created while the request is delayed.
func TestDelayedReadOfNewTable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{TableDelay: time.Minute})
		client := db.Client()
		in := thingsTable()
		in.BillingMode = types.BillingModePayPerRequest
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, "ResourceNotFoundException", resultOf(get(t.Context(), client)))
		db.Fail(ddbtest.Delay(2*time.Minute), ddbtest.Op("GetItem"))
		require.NoError(t, get(t.Context(), client))
	})
}
