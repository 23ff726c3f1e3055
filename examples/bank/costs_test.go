package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "bank")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		demo := tour{Tour: program.Tour{Out: io.Discard}, store: s}
		require.NoError(t, program.RunSteps(t.Context(), demo.open, demo.transfers))
		eve := &Account{Number: "A-5", Owner: text, State: Open}
		order := Transfer{ID: "T-9", From: ann, To: bob, Amount: 1}
		annAccount, err := s.Account(t.Context(), ann)
		require.NoError(t, err)
		debit, credit := order.debit(), order.credit()
		from, to := Account{Number: ann}, Account{Number: bob}
		return table.Name(), []costs.Pattern{
			costs.Of("account", func(ctx context.Context) error { return costs.Err(s.Account(ctx, ann)) }, costtest.Get(s.accounts.Strong(), Account{Number: ann})),
			costs.Of("statement", func(ctx context.Context) error { return costs.Err(s.Statement(ctx, ann)) }, costtest.Query(s.statement(ann))),
			costs.Transaction("snapshot", func(ctx context.Context) error { return costs.Err(s.Snapshot(ctx, ann, bob)) },
				costtest.Transaction(costtest.Get(s.accounts, from), costtest.Get(s.accounts, to))),
			costs.Of("set an overdraft limit", func(ctx context.Context) error { return costs.Err(s.SetOverdraft(ctx, annAccount, 1)) },
				costtest.Update(s.accounts, annAccount, Available.Set(1))),
			costs.Of("open", func(ctx context.Context) error { return s.Open(ctx, "A-5", text, 0, 0) }, costtest.Create(s.accounts, eve)),
			costs.Of("close", func(ctx context.Context) error { return s.Close(ctx, "A-5") },
				costtest.Update(s.accounts, Account{Number: "A-5"}, AccountState.Set(Closed), attr.If(Balance.Eq(0)))),
			costs.Transaction("transfer", func(ctx context.Context) error { return s.Transfer(ctx, order) }, costtest.Transaction(
				costtest.Create(s.entries, &debit), costtest.Create(s.entries, &credit),
				costtest.Update(s.accounts, from, attr.Add(Balance, -1), attr.Add(Available, -1)),
				costtest.Update(s.accounts, to, attr.Add(Balance, 1), attr.Add(Available, 1)),
			)),
		}
	})
}
