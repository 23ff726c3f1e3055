package batch_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// step is an operation on one of few items, and its effect on a model of the table.
type step struct {
	operation entity.Operation
	do        func(context.Context) error
	model     func(map[string]int) (applied bool)
}

func stepOf[T any](op *entity.Op[T], model func(map[string]int) bool) step {
	return step{op, func(ctx context.Context) error { _, err := op.Do(ctx); return err }, model}
}

// steps returns random operations. Each stores another number.
func steps(rnd *rand.Rand, s *site, n int) (list []step) {
	items := 1 + rnd.IntN(12)
	drafts := make([]*draft, items)
	for i := range drafts {
		drafts[i] = &draft{ID: fmt.Sprintf("d%d", i)}
	}
	for n := range n {
		i := rnd.IntN(items)
		id := fmt.Sprintf("p%d", i)
		set := func(model map[string]int) bool { model[id] = n; return true }
		unset := func(model map[string]int) bool { delete(model, id); return true }
		setExisting := func(model map[string]int) bool {
			_, exists := model[id]
			if exists {
				model[id] = n
			}
			return exists
		}
		switch rnd.IntN(8) {
		case 0, 1, 2:
			list = append(list, stepOf(s.pages.Op().Put(&page{ID: id, N: n}), set))
		case 3:
			list = append(list, stepOf(s.pages.Op().Delete(page{ID: id}), unset))
		case 4:
			list = append(list, stepOf(s.pages.Op().Update(page{ID: id}, pageN.Set(n)), setExisting))
		case 5:
			list = append(list, stepOf(s.pages.Op().Create(&page{ID: id, N: n}), func(model map[string]int) bool {
				_, exists := model[id]
				if !exists {
					model[id] = n
				}
				return !exists
			}))
		case 6: // the same entity again: each put has the version that the one before stamped
			id = drafts[i].ID
			list = append(list, step{s.drafts.Op().Put(drafts[i]), func(ctx context.Context) error {
				return s.drafts.Overwrite(ctx, &draft{ID: id}) // puts of one entity at the same time are a data race
			}, func(model map[string]int) bool { model[id] = 0; return true }})
		case 7:
			id = fmt.Sprintf("u%d", i)
			list = append(list, stepOf(s.drafts.Op().Upsert(draft{ID: id}, draftN.Set(n)), set))
		}
	}
	return list
}

// inOrder sends the steps as a batch, and returns the indexes of those that failed.
func inOrder(ctx context.Context, t *testing.T, rnd *rand.Rand, list []step) (failed []int) {
	t.Helper()
	err := entity.WriteMany(ctx, func(yield func(entity.Operation) bool) {
		for _, s := range list {
			if !yield(s.operation) {
				return
			}
		}
	}, entity.Concurrency(1+rnd.IntN(8)))
	if err != nil {
		for _, f := range failure(t, err).Failures {
			failed = append(failed, f.Index)
		}
	}
	return failed
}

// withoutOrder sends the steps alone, four at the same time.
func withoutOrder(ctx context.Context, _ *testing.T, _ *rand.Rand, list []step) (failed []int) {
	var wait sync.WaitGroup
	var mu sync.Mutex
	slots := make(chan struct{}, 4)
	for i, s := range list {
		slots <- struct{}{}
		wait.Go(func() {
			if s.do(ctx) != nil {
				mu.Lock()
				failed = append(failed, i)
				mu.Unlock()
			}
			<-slots
		})
	}
	wait.Wait()
	slices.Sort(failed)
	return failed
}

// sameAsModel sends random steps and reports whether the table and the failures are those of steps
// that run one after the other.
func sameAsModel(t *testing.T, seed uint64, send func(context.Context, *testing.T, *rand.Rand, []step) []int) (same bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		db, s := start(t, ddbtest.Options{Seed: seed})
		for range rnd.IntN(4) {
			db.Fail(ddbtest.Delay(time.Duration(rnd.IntN(int(time.Second)))), ddbtest.Rate(rnd.Float64()))
		}
		if rnd.IntN(2) == 0 { // rarely enough: eight times in a row would stop the batch
			db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.UnprocessedRate(0.1))
		}
		list := steps(rnd, s, 1+rnd.IntN(testsize.Pick(150, 300, 600)))
		failed := send(t.Context(), t, rnd, list)
		model := map[string]int{}
		var want []int
		for i, s := range list {
			if !s.model(model) {
				want = append(want, i)
			}
		}
		db.ClearFaults()
		found := s.stored(t, db)
		same = slices.Equal(want, failed) && maps.Equal(model, found)
	})
	return same
}

// Writes of one item are applied in the order of the sequence, although several requests run at the
// same time. The negative control does not wait for the earlier write of an item.
func TestWritesOfOneItemKeepTheirOrder(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for i := range testsize.Pick(40, 60, 5000) {
		require.True(t, sameAsModel(t, seed+uint64(i), inOrder), "run %d", i)
	}
	runs := 1
	for runs < 200 && sameAsModel(t, seed+uint64(runs), withoutOrder) {
		runs++
	}
	t.Logf("the negative control differs after %d runs", runs)
	require.Less(t, runs, 200, "the negative control")
}
