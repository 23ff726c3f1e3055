package services

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/internal/testsize"
)

// repetitions is how often plain repetition runs a service.
func repetitions() int { return testsize.Sequential(0, 100, 100, 1000) }

// rate is the probability of each fault, for each request.
const rate = 0.05

// effects are the faults of plain repetition. A crash is an end of the client's context. Reads are
// stale in some of the runs. Pauses are left to the real time.
var effects = map[explore.Kind]ddbtest.Effect{
	explore.LostRequest: ddbtest.Reset,
	explore.LostReply:   ddbtest.AfterCommit(ddbtest.Reset),
	explore.LateRequest: ddbtest.LateDuplicate,
	explore.Unprocessed: ddbtest.UnprocessedRate(rate),
}

// noPause makes as many attempts as the clients of explore, without pauses.
func noPause(o *dynamodb.Options) {
	o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}

// repeat runs a service again and again: goroutines that start at once, in real time, with random
// faults. It returns how many runs break the invariant.
func (s *service) repeat(t *testing.T, random *rand.Rand, mended bool) (hits int) {
	t.Helper()
	newScene := s.inReal
	if newScene == nil {
		newScene = s.scene
	}
	for range repetitions() {
		if s.repeatOnce(t, random, newScene(mended)) != nil {
			hits++
		}
	}
	return hits
}

func (s *service) repeatOnce(t *testing.T, random *rand.Rand, scene *scene) error {
	t.Helper()
	db := ddbtest.New(ddbtest.Options{Seed: random.Uint64() | 1})
	defer db.Close()
	s.setup(db)
	for kind, effect := range effects {
		switch {
		case s.faults[kind] == 0:
		case kind == explore.Unprocessed:
			db.Fail(effect)
		default:
			db.Fail(ddbtest.Rate(rate), effect)
		}
	}
	if s.faults[explore.StaleRead] > 0 && random.Float64() < rate {
		db.SetLag(ddbtest.Lag{Items: time.Millisecond})
	}
	var ready, ended sync.WaitGroup
	start := make(chan struct{})
	for _, a := range scene.actors {
		crash := 0
		if s.faults[explore.Crash] > 0 {
			for crash = 1; random.Float64() > rate; crash++ { // the request that is not sent
			}
		}
		ready.Add(1)
		ended.Go(func() {
			ready.Done()
			<-start
			runWithCrash(db, a, crash)
		})
	}
	ready.Wait()
	close(start)
	ended.Wait()
	db.DeliverLate()
	return scene.check(db)
}

// runWithCrash runs a client until it is about to send the n-th request, and then the one that runs
// after a crash. With n = 0 it does not crash.
func runWithCrash(db *ddbtest.DB, a actor, n int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	crash := &crashing{left: n, cancel: cancel}
	options := []func(*dynamodb.Options){noPause}
	if a.option != nil {
		options = append(options, a.option)
	}
	a.run(ctx, db.Client(append(options[:len(options):len(options)], func(o *dynamodb.Options) {
		crash.client, o.HTTPClient = o.HTTPClient, crash
	})...))
	if ctx.Err() != nil && a.again != nil {
		a.again(context.Background(), db.Client(options...))
	}
}

// crashing is an HTTP client that cancels the context at a request.
type crashing struct {
	client aws.HTTPClient
	left   int
	cancel context.CancelFunc
}

// Do implements the HTTP client of the SDK.
func (c *crashing) Do(h *http.Request) (*http.Response, error) {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	if err := h.Context().Err(); err != nil {
		return nil, err
	}
	return c.client.Do(h)
}
