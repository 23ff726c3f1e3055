package batch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// absent is the number of an item that does not exist.
const absent = -1

// mixedWrite is an operation on an item of its own, and the item's number before and after it.
type mixedWrite struct {
	name          string
	operation     entity.Operation
	id            string
	before, after int
}

// mixedWrites returns n random operations. It stores the items that exist before them.
func mixedWrites(t *testing.T, rnd *rand.Rand, s *site, n int) (list []mixedWrite) {
	t.Helper()
	for i := range n {
		p, d := page{ID: fmt.Sprint("p", i), N: i}, draft{ID: fmt.Sprint("d", i), N: i}
		old := rnd.IntN(2) == 0
		before := absent
		if old {
			before = i
			require.NoError(t, s.pages.Put(t.Context(), &p))
			require.NoError(t, s.drafts.Put(t.Context(), &d))
		}
		pages, drafts := s.pages.Op(), s.drafts.Op()
		m := mixedWrite{id: d.ID, before: before, after: 1000}
		switch rnd.IntN(7) {
		case 0:
			m.name, m.id, m.operation = "put", p.ID, pages.Put(&page{ID: p.ID, N: 1000})
		case 1:
			m.name, m.id, m.operation, m.after = "delete", p.ID, pages.Delete(page{ID: p.ID}), absent
		case 2:
			d.N = 1000
			m.name, m.operation = "put a version", drafts.Put(&d)
		case 3:
			m.name, m.operation, m.after = "add", drafts.Upsert(draft{ID: d.ID}, attr.Add(draftN, 1000)), max(before, 0)+1000
		case 4:
			m.name, m.operation, m.after = "add with a token", drafts.Upsert(draft{ID: d.ID}, attr.Add(draftN, 1000)).Once(d.ID), max(before, 0)+1000
		case 5:
			m.name, m.operation, m.after = "delete a version", drafts.Delete(d), absent
		case 6:
			m.name, m.operation = "create", drafts.Create(&draft{ID: d.ID, N: 1000})
		}
		list = append(list, m)
	}
	return list
}

// mixedRun sends random writes of all kinds with random faults, and returns what is wrong. It
// counts the outcomes. An unknown outcome is taken for the given one.
func mixedRun(t *testing.T, seed uint64, unknown trestle.Outcome, outcomes map[trestle.Outcome]int) (wrong string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 10))
		db, s := start(t, ddbtest.Options{Seed: seed})
		list := mixedWrites(t, rnd, s, 1+rnd.IntN(60))
		single := ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")
		db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.UnprocessedRate(0.3*rnd.Float64()))
		for _, e := range []ddbtest.Effect{
			ddbtest.Reset, ddbtest.AfterCommit(ddbtest.Reset), ddbtest.AfterCommit(ddbtest.InternalError), ddbtest.Truncate, ddbtest.Throttle(),
			ddbtest.AfterCommit(ddbtest.Hang),
		} {
			db.Fail(e, ddbtest.Rate(0.2*rnd.Float64()), ddbtest.Op("BatchWriteItem"))
			db.Fail(e, ddbtest.Rate(0.2*rnd.Float64()), single)
		}
		db.Fail(ddbtest.Conflict, ddbtest.Rate(0.1), single)
		ctx := t.Context()
		if rnd.IntN(5) == 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(rnd.Int64N(int64(30*time.Second))))
			defer cancel()
		}
		consumed := 0
		operations := make([]entity.Operation, len(list))
		for i := range list {
			operations[i] = list[i].operation
		}
		err := entity.WriteMany(ctx, counted(operations, &consumed), entity.Concurrency(1+rnd.IntN(8)))
		failed := map[int]trestle.Outcome{}
		if err != nil {
			for _, f := range failure(t, err).Failures {
				if failed[f.Index] = trestle.OutcomeOf(f.Err); failed[f.Index] == trestle.Unknown {
					failed[f.Index] = unknown
				}
			}
		}
		db.ClearFaults()
		found := s.stored(t, db)
		for i, m := range list {
			got, exists := found[m.id]
			if !exists {
				got = absent
			}
			want := []int{m.after}
			outcome, reported := failed[i]
			if !reported {
				outcome = trestle.Applied
			}
			switch {
			case i >= consumed, outcome == trestle.NotApplied:
				want = []int{m.before}
			case outcome == trestle.Unknown:
				want = append(want, m.before)
			}
			if i < consumed {
				outcomes[outcome]++
			}
			if !slices.Contains(want, got) {
				wrong = fmt.Sprintf("operation %d, %s: %d became %d, want %v (%s)", i, m.name, m.before, got, want, outcome)
			}
		}
	})
	return wrong
}

// Every write that is taken is applied once, or reported with its outcome. The negative controls
// take unknown outcomes for one of the others.
func TestMixedWritesAreAppliedOrReported(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	outcomes := map[trestle.Outcome]int{}
	for i := range testsize.Pick(80, 120, 20_000) {
		require.Empty(t, mixedRun(t, seed+uint64(i), trestle.Unknown, outcomes), "run %d", i)
	}
	t.Logf("%v", outcomes)
	require.Len(t, outcomes, 3)
	for _, unknown := range []trestle.Outcome{trestle.Applied, trestle.NotApplied} {
		wrong, runs := "", 0
		for ; wrong == "" && runs < 100; runs++ {
			wrong = mixedRun(t, seed+uint64(runs), unknown, map[trestle.Outcome]int{})
		}
		t.Logf("unknown as %s: after %d runs, %s", unknown, runs, wrong)
		require.NotEmpty(t, wrong, "the negative control")
	}
}
