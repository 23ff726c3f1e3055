package entity_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// blindClient leaves all retries to the SDK: it drops the options with which the library prevents
// them.
type blindClient struct{ *dynamodb.Client }

func (c blindClient) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return c.Client.PutItem(ctx, in)
}

func (c blindClient) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return c.Client.UpdateItem(ctx, in)
}

// distant is a transport with a latency of up to 2 ms in each direction, so that calls overlap in
// fake time.
type distant struct {
	next dynamodb.HTTPClient
	mu   sync.Mutex
	rand *rand.Rand
}

func (d *distant) Do(r *http.Request) (*http.Response, error) {
	if err := d.wait(r.Context()); err != nil {
		return nil, err
	}
	res, err := d.next.Do(r)
	if late := d.wait(r.Context()); err == nil && late != nil {
		_, err = io.Copy(io.Discard, res.Body)
		return nil, errors.Join(late, err, res.Body.Close())
	}
	return res, err
}

func (d *distant) wait(ctx context.Context) error {
	d.mu.Lock()
	latency := time.Duration(d.rand.Int64N(int64(2 * time.Millisecond)))
	d.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(latency):
		return nil
	}
}

// attemptTimeout is the timeout of an attempt of a history's clients.
const attemptTimeout = 50 * time.Millisecond

// failRequests adds a rule for each kind of fault. Together they affect the given part of all
// requests.
func failRequests(db *ddbtest.DB, rate float64) map[string]*ddbtest.Rule {
	all := []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}
	writes := all[1:]
	kinds := []struct {
		name       string
		operations []string
		effect     ddbtest.Effect
	}{
		{"delay", all, ddbtest.Delay(2 * attemptTimeout)},
		{"delay after commit", all, ddbtest.AfterCommit(ddbtest.Delay(2 * attemptTimeout))},
		{"reset", all, ddbtest.Reset},
		{"reset after commit", writes, ddbtest.AfterCommit(ddbtest.Reset)},
		{"error", all, ddbtest.InternalError},
		{"error after commit", writes, ddbtest.AfterCommit(ddbtest.InternalError)},
		{"truncated", all, ddbtest.Truncate},
		{"throttled", all, ddbtest.Throttle()},
		{"late", writes, ddbtest.LateDuplicate},
		{"late after another write", writes, ddbtest.LateDuplicateAfterWrite},
		{"conflict", writes, ddbtest.Conflict},
	}
	rules := map[string]*ddbtest.Rule{}
	for _, k := range kinds {
		rules[k.name] = db.Fail(ddbtest.Op(k.operations...), ddbtest.Rate(rate/float64(len(kinds))), k.effect)
	}
	return rules
}

// generator generates histories.
type generator struct {
	calls int     // of each client
	rate  float64 // of faults
	blind bool    // the SDK retries, and the items have no write ID
	totals
}

// history runs clients in a bubble, and returns the history of their calls.
func (g *generator) history(t *testing.T, seed uint64) (history []porcupine.Operation) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.New(ddbtest.Options{Seed: seed})
		defer db.Close()
		far := &distant{rand: rand.New(rand.NewPCG(seed, 1<<32))}
		sdk := db.Client(func(o *dynamodb.Options) { far.next, o.HTTPClient = o.HTTPClient, far })
		var client trestle.Client = sdk
		var c entity.Config
		if g.blind {
			client, c.WriteID = blindClient{sdk}, entity.None
		}
		h := newRegisters(t, client, c, entity.Timeout(attemptTimeout))
		rules := failRequests(db, g.rate)
		stop := deliverLate(db, rand.New(rand.NewPCG(seed, 2<<32)))
		h.run(t, seed, g.calls, func() {
			stop()
			db.ClearFaults()
			db.DeliverLate()
		})
		history = h.history
		g.add(h, rules)
	})
	return history
}

// deliverLate applies the requests that arrive late, at random times until stop is called.
func deliverLate(db *ddbtest.DB, r *rand.Rand) (stop func()) {
	ended := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Duration(r.Int64N(int64(attemptTimeout)))):
				db.DeliverLate()
			}
		}
	})
	return func() {
		close(ended)
		done.Wait()
	}
}
