package tx_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// Boxes count balls. A ball can move to another box.
type (
	box struct {
		_     entity.Key `type:"box" pk:"BOX#<id>" sk:"BOX"`
		ID    string     `dynamodbav:"id"`
		Balls int        `dynamodbav:"balls"`
		Label int        `dynamodbav:"label"`
	}
	ball struct {
		_   entity.Key     `type:"ball" pk:"BALL#<id>" sk:"BALL"`
		_   entity.Counted `in:"box" as:"balls" pk:"BOX#<box>" sk:"BOX"`
		ID  string         `dynamodbav:"id"`
		Box string         `dynamodbav:"box,omitempty"`
	}
	// uncounted is a ball whose writers count it by a second write.
	uncounted struct {
		_   entity.Key `type:"uncounted" pk:"UNCOUNTED#<id>" sk:"BALL"`
		ID  string     `dynamodbav:"id"`
		Box string     `dynamodbav:"box,omitempty"`
	}
)

var (
	boxBalls = attr.Must(func(b *box) *int { return &b.Balls })
	boxLabel = attr.Must(func(b *box) *int { return &b.Label })
	ballBox  = attr.Must(func(b *ball) *string { return &b.Box })
)

// shelf is a table of boxes.
type shelf struct {
	boxes     *entity.Repo[box]
	balls     *entity.Repo[ball]
	uncounted *entity.Repo[uncounted]
}

const boxes, balls = 3, 6

// quick makes the SDK wait a millisecond before a retry.
func quick(o *dynamodb.Options) {
	o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.RateLimiter = 4, ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Millisecond, nil })
	})
}

func newShelf(t *testing.T, db *ddbtest.DB) *shelf {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	b, l, u := entity.Define[box](s), entity.Define[ball](s), entity.Define[uncounted](s)
	table, err := s.Open(db.Client(quick), "shelf")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	h := &shelf{b.In(table), l.In(table), u.In(table)}
	for i := range boxes {
		require.NoError(t, h.boxes.Create(t.Context(), &box{ID: fmt.Sprint(i)}))
	}
	return h
}

// step makes a random write of balls and boxes. Errors are expected: other writers interfere.
func (h *shelf) step(ctx context.Context, r *rand.Rand) error {
	b := ball{ID: fmt.Sprint(r.IntN(balls)), Box: fmt.Sprint(r.IntN(boxes))}
	if r.IntN(8) == 0 {
		b.Box = ""
	}
	other := ball{ID: fmt.Sprint(r.IntN(balls)), Box: b.Box}
	in := box{ID: fmt.Sprint(r.IntN(boxes))}
	switch r.IntN(10) {
	case 0:
		return h.balls.Create(ctx, &b)
	case 1:
		return h.balls.Put(ctx, &b)
	case 2:
		return h.balls.Overwrite(ctx, &b)
	case 3, 4:
		_, err := h.balls.Update(ctx, ball{ID: b.ID}, ballBox.Set(fmt.Sprint(r.IntN(boxes))))
		return err
	case 5:
		_, err := h.balls.Upsert(ctx, ball{ID: b.ID}, ballBox.Set(fmt.Sprint(r.IntN(boxes))))
		return err
	case 6:
		return h.balls.Delete(ctx, ball{ID: b.ID})
	case 7:
		return tx.Write(ctx, h.balls.Op().Put(&b), h.balls.Op().Delete(ball{ID: other.ID}))
	case 8:
		return tx.Write(ctx, h.balls.Op().Put(&b), h.boxes.Op().Update(in, attr.Add(boxLabel, 1)))
	default:
		got, err := h.boxes.Strong().Get(ctx, in)
		if err != nil {
			return err
		}
		got.Label++
		return h.boxes.Put(ctx, &got)
	}
}

// naive stores or deletes a ball, and then counts it by a second write.
func (h *shelf) naive(ctx context.Context, r *rand.Rand) error {
	b, delta := uncounted{ID: fmt.Sprint(r.IntN(balls)), Box: fmt.Sprint(r.IntN(boxes))}, 1
	var err error
	if r.IntN(2) == 0 {
		err = h.uncounted.Create(ctx, &b)
	} else {
		delta = -1
		var res entity.Result[uncounted]
		if res, err = h.uncounted.Op().Delete(uncounted{ID: b.ID}).Return(trestle.AllOld).Do(ctx); !res.Found {
			return err
		}
		b = res.Item
	}
	if err != nil {
		return err
	}
	_, err = h.boxes.Update(ctx, box{ID: b.Box}, attr.Add(boxBalls, delta))
	return err
}

// wrong returns how many counts differ from the number of balls.
func (h *shelf) wrong(t *testing.T) int {
	t.Helper()
	ctx, number := context.WithoutCancel(t.Context()), map[string]int{}
	for b, err := range query.Scan(h.balls.Strong()).All(ctx) {
		require.NoError(t, err)
		number[b.Box]++
	}
	for b, err := range query.Scan(h.uncounted.Strong()).All(ctx) {
		require.NoError(t, err)
		number[b.Box]++
	}
	wrong := 0
	for i := range boxes {
		b, err := h.boxes.Strong().Get(ctx, box{ID: fmt.Sprint(i)})
		require.NoError(t, err)
		if b.Balls != number[b.ID] {
			wrong++
		}
	}
	return wrong
}

// countRace runs writers with faults at the same time. It returns how many counts are wrong.
func countRace(t *testing.T, seed uint64, steps int, step func(*shelf, context.Context, *rand.Rand) error) (wrong int, applied, unknown int64) {
	t.Helper()
	db := ddbtest.New(ddbtest.Options{Seed: seed})
	defer db.Close()
	h := newShelf(t, db)
	write := ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")
	db.Fail(ddbtest.Reset, ddbtest.Rate(0.05), write)
	db.Fail(ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Rate(0.05), write)
	db.Fail(ddbtest.LateDuplicate, ddbtest.Rate(0.05), write)
	db.Fail(ddbtest.Conflict, ddbtest.Rate(0.05), write)
	var writers sync.WaitGroup
	var ok, lost atomic.Int64
	for w := range 6 {
		r := rand.New(rand.NewPCG(seed, uint64(w)))
		writers.Go(func() {
			for range steps {
				switch err := step(h, t.Context(), r); trestle.OutcomeOf(err) {
				case trestle.Applied:
					ok.Add(1)
				case trestle.Unknown:
					lost.Add(1)
				}
			}
		})
	}
	writers.Wait()
	db.ClearFaults()
	db.DeliverLate()
	return h.wrong(t), ok.Load(), lost.Load()
}

// Whatever writers do at the same time, and whichever replies are lost, each count is the number of
// the items. Two writes, without a transaction, do not agree.
func TestCountsAgreeWithTheItems(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	runs, steps := testsize.Pick(4, 12, 400), 40
	var applied, unknown int64
	for i := range runs {
		wrong, ok, lost := countRace(t, seed+uint64(i), steps, (*shelf).step)
		require.Zero(t, wrong, "run %d", i)
		applied, unknown = applied+ok, unknown+lost
	}
	t.Logf("%d runs, %d writes applied, %d unknown", runs, applied, unknown)
	require.Greater(t, applied, int64(runs*steps))

	wrong := 0
	for i := 0; wrong == 0 && i < 50; i++ { // more than every second count of a run is wrong
		wrong, _, _ = countRace(t, seed+uint64(i), steps, (*shelf).naive)
	}
	require.Positive(t, wrong, "the control: counting by a second write")
}

// interrupted is a transport that calls a function before the first transaction.
type interrupted struct {
	next dynamodb.HTTPClient
	once sync.Once
	call func()
}

func (i *interrupted) Do(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
		i.once.Do(i.call)
	}
	return i.next.Do(r)
}

// A transaction that is planned again, because another writer changed an item that it read, counts
// once.
func TestCountsOfATransactionThatIsPlannedAgain(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	other := newShelf(t, db)
	i := &interrupted{call: func() {
		require.NoError(t, other.balls.Put(context.WithoutCancel(t.Context()), &ball{ID: "1", Box: "0"}))
	}}
	s := entity.NewSchema(entity.Config{})
	b, l := entity.Define[box](s), entity.Define[ball](s)
	table, err := s.Open(db.Client(func(o *dynamodb.Options) { i.next, o.HTTPClient = o.HTTPClient, i }), "shelf")
	require.NoError(t, err)
	created := box{ID: "new"}
	require.NoError(t, tx.Write(t.Context(), b.In(table).Op().Create(&created), l.In(table).Op().Put(&ball{ID: "1", Box: "new"}), l.In(table).Op().Put(&ball{ID: "2", Box: "new"})))
	require.Equal(t, 2, created.Balls)
	require.Zero(t, other.wrong(t))
	got, err := other.boxes.Strong().Get(t.Context(), created)
	require.NoError(t, err)
	require.Equal(t, created, got)
}
