package entity_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// stubbornReads is a client whose reads do not return when their context ends.
type stubbornReads struct {
	*dynamodb.Client
	release chan struct{}
	started atomic.Int64
}

func (s *stubbornReads) GetItem(_ context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	s.started.Add(1)
	<-s.release
	return s.Client.GetItem(context.Background(), in, o...)
}

// A read does not join a request that was canceled, also if the client has not returned yet.
func TestAGetDoesNotJoinACanceledRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &stubbornReads{Client: ddbtest.Client(t), release: make(chan struct{})}
		h := newRegisters(t, client, entity.Config{}, entity.CoalesceReads(0))
		var done sync.WaitGroup
		get := func(ctx context.Context, want error) {
			done.Go(func() {
				if _, err := h.repo.Get(ctx, register{ID: "mortal 0"}); !errors.Is(err, want) {
					t.Errorf("%v, not %v", err, want)
				}
			})
			synctest.Wait()
		}
		ctx, cancel := context.WithCancel(t.Context())
		get(ctx, context.Canceled)
		cancel()
		synctest.Wait()
		get(t.Context(), nil)
		require.Equal(t, int64(2), client.started.Load())
		close(client.release)
		done.Wait()
		synctest.Wait() // the canceled request returns before the database is closed
	})
}

// abortingReads is a client whose eventually consistent reads panic or end their goroutine.
type abortingReads struct {
	*dynamodb.Client
	abort func()
}

func (a *abortingReads) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	a.abort()
	return a.Client.GetItem(ctx, in, o...)
}

func (a *abortingReads) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	a.abort()
	return a.Client.BatchGetItem(ctx, in, o...)
}

// A client that panics or ends the goroutine of a request does not make an item missing. The panic
// is raised in one of the calls.
func TestCoalescedGetsOfAClientThatAborts(t *testing.T) {
	for name, abort := range map[string]func(){"panics": func() { panic("no") }, "ends": runtime.Goexit} {
		for _, distinct := range []int{1, 5} {
			t.Run(fmt.Sprint(name, " ", distinct), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := &abortingReads{Client: ddbtest.Client(t), abort: func() {}}
					h := newRegisters(t, client, entity.Config{}, entity.CoalesceReads(time.Millisecond))
					client.abort = abort
					var done sync.WaitGroup
					var panics, failures atomic.Int64
					for i := range 10 {
						done.Go(func() {
							defer func() {
								if recover() != nil {
									panics.Add(1)
								}
							}()
							_, err := h.repo.Get(t.Context(), register{ID: fmt.Sprintf("mortal %d", i%distinct)})
							if err != nil && !errors.Is(err, trestle.ErrNotFound) {
								failures.Add(1)
							}
						})
					}
					done.Wait()
					require.Equal(t, int64(10), panics.Load()+failures.Load())
					require.Equal(t, name == "panics", panics.Load() == 1)
				})
			})
		}
	}
}
