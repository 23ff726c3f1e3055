package entity_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// heldReads is a client whose eventually consistent reads wait until a test lets them go. It counts
// the requests.
type heldReads struct {
	*dynamodb.Client
	release          chan struct{}
	gets, batches    atomic.Int64
	strong           atomic.Int64
	started, expired atomic.Int64 // reads that wait, and those whose context ended
}

func holdReads(client *dynamodb.Client) *heldReads {
	return &heldReads{Client: client, release: make(chan struct{})}
}

func (h *heldReads) wait(ctx context.Context) error {
	h.started.Add(1)
	select {
	case <-h.release:
		return nil
	case <-ctx.Done():
		h.expired.Add(1)
		return ctx.Err()
	}
}

func (h *heldReads) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if aws.ToBool(in.ConsistentRead) {
		h.strong.Add(1)
		return h.Client.GetItem(ctx, in, o...)
	}
	h.gets.Add(1)
	if err := h.wait(ctx); err != nil {
		return nil, err
	}
	return h.Client.GetItem(ctx, in, o...)
}

func (h *heldReads) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	h.batches.Add(1)
	if err := h.wait(ctx); err != nil {
		return nil, err
	}
	return h.Client.BatchGetItem(ctx, in, o...)
}

// newHeldRegisters opens a table with n registers on a client whose reads are held.
func newHeldRegisters(t *testing.T, n int, c entity.Config) (*heldReads, *entity.Table, *entity.Type[register]) {
	t.Helper()
	db := ddbtest.Start(t)
	s := entity.NewSchema(c)
	typ := entity.Define[register](s)
	client := holdReads(db.Client())
	table, err := s.Open(client, "registers")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for i := range n {
		require.NoError(t, typ.In(table).Create(t.Context(), &register{ID: fmt.Sprint(i), Last: int64(i)}))
	}
	return client, table, typ
}

// getter is a repository, or a strong reader.
type getter interface {
	Get(context.Context, register) (register, error)
}

// getAll reads n times at the same time, each register equally often.
func getAll(t *testing.T, repo getter, n, distinct int) (wait func()) {
	t.Helper()
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			got, err := repo.Get(t.Context(), register{ID: fmt.Sprint(i % distinct)})
			if err != nil || got.Last != int64(i%distinct) {
				t.Errorf("%v: %v", got, err)
			}
		})
	}
	return done.Wait
}

// Many Gets of one item, or of up to 100 items, are one request. Without the option, or if they are
// strongly consistent, each is one.
func TestCoalescedGetsAreOneRequest(t *testing.T) {
	for name, c := range map[string]struct {
		options       []entity.CallOption
		strong        bool
		n, distinct   int
		gets, batches int64
	}{
		"one item":           {[]entity.CallOption{entity.CoalesceReads(0)}, false, 100, 1, 1, 0},
		"one item, window":   {[]entity.CallOption{entity.CoalesceReads(time.Millisecond)}, false, 100, 1, 1, 0},
		"100 items":          {[]entity.CallOption{entity.CoalesceReads(time.Millisecond)}, false, 100, 100, 0, 1},
		"each item 3 times":  {[]entity.CallOption{entity.CoalesceReads(time.Millisecond)}, false, 300, 100, 0, 1},
		"101 items":          {[]entity.CallOption{entity.CoalesceReads(time.Millisecond)}, false, 101, 101, 1, 1},
		"items, no window":   {[]entity.CallOption{entity.CoalesceReads(0)}, false, 100, 50, 50, 0},
		"strong reads":       {[]entity.CallOption{entity.CoalesceReads(time.Millisecond)}, true, 100, 1, 100, 0},
		"without the option": {nil, false, 100, 1, 100, 0}, // the negative control
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var requests, coalesced atomic.Int64
				client, table, typ := newHeldRegisters(t, c.distinct, entity.Config{Observer: trestle.ObserverFunc(func(_ context.Context, e trestle.Event) {
					if e.Operation == "get" {
						requests.Add(int64(e.Requests))
						if e.Coalesced {
							coalesced.Add(1)
						}
					}
				})})
				repo := typ.In(table).With(c.options...)
				reads := getter(repo)
				if c.strong {
					reads = repo.Strong()
				}
				wait := getAll(t, reads, c.n, c.distinct)
				time.Sleep(2 * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
				synctest.Wait()
				close(client.release)
				wait()
				require.Equal(t, c.gets, client.gets.Load()+client.strong.Load())
				require.Equal(t, c.batches, client.batches.Load())
				require.Equal(t, c.gets+c.batches, requests.Load(), "the events count each request once")
				require.Equal(t, int64(c.n)-c.gets-c.batches, coalesced.Load())
			})
		})
	}
}

// A read that begins after a write was acknowledged does not join a request that was sent before,
// whatever wrote the item.
func TestAGetDoesNotJoinARequestFromBeforeAWrite(t *testing.T) {
	example := register{ID: "0"}
	for name, write := range map[string]func(ctx context.Context, r *entity.Repo[register]) error{
		"put":        func(ctx context.Context, r *entity.Repo[register]) error { return r.Overwrite(ctx, &register{ID: "0"}) },
		"delete":     func(ctx context.Context, r *entity.Repo[register]) error { return r.Delete(ctx, example) },
		"other item": func(ctx context.Context, r *entity.Repo[register]) error { return r.Overwrite(ctx, &register{ID: "1"}) },
		"no write":   func(context.Context, *entity.Repo[register]) error { return nil },
		"batch": func(ctx context.Context, r *entity.Repo[register]) error {
			return r.DeleteMany(ctx, slices.Values([]register{example}))
		},
		"update": func(ctx context.Context, r *entity.Repo[register]) error {
			_, err := r.Update(ctx, example, registerLast.Set(9))
			return err
		},
		"failed": func(ctx context.Context, r *entity.Repo[register]) error {
			if err := r.Create(ctx, &register{ID: "0"}); !errors.Is(err, trestle.ErrExists) {
				return err
			}
			return nil
		},
		"transaction": func(ctx context.Context, r *entity.Repo[register]) error {
			return tx.Write(ctx, r.Op().Overwrite(&register{ID: "0"}), r.Op().Overwrite(&register{ID: "1"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, table, typ := newHeldRegisters(t, 2, entity.Config{})
				repo := typ.In(table).With(entity.CoalesceReads(0))
				var done sync.WaitGroup
				get := func() {
					done.Go(func() {
						_, err := repo.Get(t.Context(), register{ID: "0"})
						if err != nil && !errors.Is(err, trestle.ErrNotFound) {
							t.Error(err)
						}
					})
					synctest.Wait()
				}
				get()
				require.NoError(t, write(t.Context(), repo))
				get()
				get()
				switch name {
				case "no write":
					require.Equal(t, int64(1), client.gets.Load())
				case "other item": // sometimes the items share a counter
					require.LessOrEqual(t, client.gets.Load(), int64(2))
				default:
					require.Equal(t, int64(2), client.gets.Load())
				}
				close(client.release)
				done.Wait()
			})
		})
	}
}

// The write may use another name of the table: its ARN.
func TestAGetDoesNotJoinARequestFromBeforeAWriteByARN(t *testing.T) {
	for _, write := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := entity.NewSchema(entity.Config{})
			typ := entity.Define[register](s)
			client := holdReads(ddbtest.Client(t))
			table, err := s.Open(client, "registers")
			require.NoError(t, err)
			require.NoError(t, table.Create(t.Context()))
			described, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("registers")})
			require.NoError(t, err)
			byARN, err := s.Open(client, aws.ToString(described.Table.TableArn))
			require.NoError(t, err)

			repo := typ.In(table).With(entity.CoalesceReads(0))
			var done sync.WaitGroup
			get := func() {
				done.Go(func() {
					if _, err := repo.Get(t.Context(), register{ID: "0"}); err != nil && !errors.Is(err, trestle.ErrNotFound) {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			get()
			want := int64(1)
			if write {
				require.NoError(t, typ.In(byARN).Overwrite(t.Context(), &register{ID: "0"}))
				want = 2
			}
			get()
			require.Equal(t, want, client.gets.Load())
			close(client.release)
			done.Wait()
		})
	}
}

// The context of a call ends its wait. The request goes on for the others, and ends with the last.
func TestCoalescedGetsAreCanceledAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, table, typ := newHeldRegisters(t, 2, entity.Config{})
		repo := typ.In(table).With(entity.CoalesceReads(time.Millisecond))
		var done sync.WaitGroup
		begin := func(ctx context.Context, want error) {
			done.Go(func() {
				if _, err := repo.Get(ctx, register{ID: "0"}); !errors.Is(err, want) {
					t.Errorf("%v, not %v", err, want)
				}
			})
			time.Sleep(2 * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
			synctest.Wait()
		}
		first, cancelFirst := context.WithCancel(t.Context())
		begin(first, context.Canceled)
		second, cancelSecond := context.WithCancel(t.Context())
		begin(second, context.Canceled)
		require.Equal(t, int64(1), client.started.Load())
		cancelFirst()
		synctest.Wait()
		require.Zero(t, client.expired.Load())
		cancelSecond()
		synctest.Wait()
		require.Equal(t, int64(1), client.expired.Load())

		// A new read does not join the canceled request.
		begin(t.Context(), nil)
		require.Equal(t, int64(2), client.started.Load())
		close(client.release)
		done.Wait()
		_, err := repo.Get(first, register{ID: "0"})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, int64(2), client.started.Load())

		// A read that nobody waits for any more is not sent.
		ctx, cancel := context.WithCancel(t.Context())
		done.Go(func() { _, _ = repo.Get(ctx, register{ID: "1"}) })
		synctest.Wait()
		cancel()
		time.Sleep(time.Second) //nolint:forbidigo // it is the time of a bubble
		done.Wait()
		require.Equal(t, int64(2), client.started.Load())
	})
}

// An error is that of each call, with its own key.
func TestCoalescedGetsFailTogether(t *testing.T) {
	for _, items := range []int{1, 5} {
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.Start(t)
			h := newRegisters(t, db.Client(), entity.Config{}, entity.CoalesceReads(time.Millisecond))
			db.Fail(ddbtest.Error("AccessDeniedException", "no", 400))
			var done sync.WaitGroup
			for i := range 10 {
				done.Go(func() {
					_, err := h.repo.Get(t.Context(), register{ID: fmt.Sprint(i % items)})
					var failed *trestle.OpError
					if !errors.As(err, &failed) || failed.Op != "get" || failed.Entity != "register" {
						t.Error(err)
						return
					}
					if key, ok := failed.Key["PK"].(*types.AttributeValueMemberS); !ok || key.Value != fmt.Sprintf("REG#%d", i%items) {
						t.Error(failed.Key)
					}
				})
			}
			done.Wait()
		})
	}
}

// delayedReplies delays requests by random times: reads after they were served, writes before.
type delayedReplies struct {
	*dynamodb.Client
	mu  sync.Mutex
	rnd *rand.Rand
}

func (d *delayedReplies) pause() {
	d.mu.Lock()
	pause := time.Duration(d.rnd.IntN(4000)) * time.Microsecond
	d.mu.Unlock()
	time.Sleep(pause) //nolint:forbidigo // it is the time of a bubble
}

func (d *delayedReplies) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	defer d.pause()
	return d.Client.GetItem(ctx, in, o...)
}

func (d *delayedReplies) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	defer d.pause()
	return d.Client.BatchGetItem(ctx, in, o...)
}

func (d *delayedReplies) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	d.pause()
	return d.Client.PutItem(ctx, in, o...)
}

func (d *delayedReplies) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	d.pause()
	return d.Client.UpdateItem(ctx, in, o...)
}

// sharedGets is the naive way: a Get joins any request for the same key that is in flight.
type sharedGets struct {
	*delayedReplies
	joins   sync.Mutex
	flights map[string]*sharedGet
}

type sharedGet struct {
	done chan struct{}
	out  *dynamodb.GetItemOutput
	err  error
}

func (s *sharedGets) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	key := in.Key["PK"].(*types.AttributeValueMemberS).Value
	s.joins.Lock()
	f := s.flights[key]
	if f == nil {
		f = &sharedGet{done: make(chan struct{})}
		s.flights[key] = f
		go func() {
			f.out, f.err = s.delayedReplies.GetItem(ctx, in, o...)
			s.joins.Lock()
			delete(s.flights, key)
			s.joins.Unlock()
			close(f.done)
		}()
	}
	s.joins.Unlock()
	<-f.done
	return f.out, f.err
}

// Histories with coalesced reads are linearizable, because the engine's eventually consistent reads
// are. Those in which a Get joins any request in flight are not.
func TestCoalescedGetsAreLinearizable(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	history := func(t *testing.T, g *totals, seed uint64, wrap func(*delayedReplies) trestle.Client, options ...entity.CallOption) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.Start(t, ddbtest.Options{Seed: seed})
			delayed := &delayedReplies{Client: db.Client(), rnd: rand.New(rand.NewPCG(seed, 5))}
			h := newRegisters(t, wrap(delayed), entity.Config{}, options...)
			h.reads = eventualGets{h.repo}
			h.run(t, seed, 50, func() {})
			g.add(h, nil)
			g.check(h.history)
		})
	}
	plain := func(d *delayedReplies) trestle.Client { return d }
	naive := func(d *delayedReplies) trestle.Client {
		return &sharedGets{delayedReplies: d, flights: map[string]*sharedGet{}}
	}
	var ours, control totals
	for n := range testsize.Sequential(4, 10, 30, 3_000) {
		window := time.Duration(n%3) * time.Millisecond
		history(t, &ours, seed+uint64(n), plain, entity.CoalesceReads(window))
		require.Zero(t, ours.illegal+ours.undecided, "seed %d", seed+uint64(n))
	}
	for n := 0; control.illegal == 0 && n < 200; n++ {
		history(t, &control, seed+uint64(n), naive)
	}
	require.Positive(t, control.illegal, "the negative control")
}

// eventualGets makes eventually consistent reads.
type eventualGets struct{ repo *entity.Repo[register] }

func (g eventualGets) GetOp(example register) *entity.Op[register] { return g.repo.Op().Get(example) }

// Coalesced reads return the same as others: items, missing items, parts of items.
func TestCoalescedGetsReturnTheSame(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		h := newRegisters(t, e.Client(t), entity.Config{})
		for _, window := range []time.Duration{0, time.Millisecond} {
			repo := h.repo.With(entity.CoalesceReads(window))
			var done sync.WaitGroup
			for i := range 200 {
				id := fmt.Sprintf("mortal %d", i%8) // 6 exist
				done.Go(func() {
					want, wantErr := h.repo.Get(t.Context(), register{ID: id})
					got, err := repo.Get(t.Context(), register{ID: id})
					if got != want || errors.Is(err, trestle.ErrNotFound) != errors.Is(wantErr, trestle.ErrNotFound) || err != nil && wantErr == nil {
						t.Errorf("%v %v, not %v %v", got, err, want, wantErr)
					}
				})
			}
			done.Wait()
		}
	})
}
