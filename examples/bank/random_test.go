package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// Customers make transfers at the same time, while requests and replies are lost, delayed and
// rejected. They repeat a transfer until it is applied or refused. Each transfer is applied once.
func TestMoneyIsConstant(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		require.Empty(t, problems(t, seed, func(ctx context.Context, s Store, order Transfer) error { return s.Transfer(ctx, order) }))
	})
}

// The control: two updates without a transaction, repeated like the transfers.
func TestMoneyIsConstantControl(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		require.NotEmpty(t, problems(t, seed, func(ctx context.Context, s Store, order Transfer) error {
			_, err := s.accounts.Update(ctx, Account{Number: order.From}, attr.Add(Balance, -order.Amount), attr.Add(Available, -order.Amount),
				attr.If(Available.Ge(order.Amount)))
			if errors.Is(err, trestle.ErrCondition) {
				return ErrMoney
			}
			if err != nil {
				return err
			}
			_, err = s.accounts.Update(ctx, Account{Number: order.To}, attr.Add(Balance, order.Amount), attr.Add(Available, order.Amount))
			return err
		}))
	})
}

// problems makes random transfers with faults, and returns what is wrong with the balances.
func problems(t *testing.T, seed uint64, transfer func(context.Context, Store, Transfer) error) (found []string) {
	t.Helper()
	db := ddbtest.Start(t, ddbtest.Options{Seed: seed})
	table, err := Schema.Open(db.Client(), "bank")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s := NewStore(table)
	numbers := []string{ann, bob, cat, dan}
	expected := map[string]int64{}
	for _, n := range numbers {
		require.NoError(t, s.Open(t.Context(), n, n, 1000, 0))
		expected[n] = 1000
	}
	var rules []*ddbtest.Rule
	for _, e := range []ddbtest.Effect{ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Reset, ddbtest.LateDuplicate, ddbtest.Conflict} {
		rules = append(rules, db.Fail(ddbtest.Op("TransactWriteItems", "UpdateItem"), ddbtest.Rate(0.1), e).MustHit(t))
	}

	var mu sync.Mutex
	var customers sync.WaitGroup
	for c := range 4 {
		customers.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(c)))
			for i := range testsize.Pick(100, 200, 5000) {
				pair := r.Perm(len(numbers))
				order := Transfer{ID: fmt.Sprintf("%d-%d", c, i), From: numbers[pair[0]], To: numbers[pair[1]], Amount: 1 + r.Int64N(300)}
				err := transfer(t.Context(), s, order)
				for try := 0; err != nil && !errors.Is(err, ErrMoney) && try < 100; try++ {
					err = transfer(t.Context(), s, order)
				}
				if err == nil {
					mu.Lock()
					expected[order.From] -= order.Amount
					expected[order.To] += order.Amount
					mu.Unlock()
				}
			}
		})
	}
	customers.Wait()
	db.ClearFaults()
	db.DeliverLate()

	sum := int64(0)
	accounts, err := s.Snapshot(t.Context(), numbers...)
	require.NoError(t, err)
	for _, a := range accounts {
		sum += a.Balance
		if a.Balance != expected[a.Number] || a.Balance < 0 {
			found = append(found, fmt.Sprintf("account %s has %d instead of %d", a.Number, a.Balance, expected[a.Number]))
		}
	}
	if sum != 4000 {
		found = append(found, fmt.Sprintf("the sum of the balances is %d", sum))
	}
	for _, r := range rules {
		t.Logf("%d of %d requests: %v", r.Hits(), db.Cost().Total(), r)
	}
	return found
}
