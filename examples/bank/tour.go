package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "bank")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table), db: program.Database(client)}
	steps := []func(context.Context) error{t.open, t.transfers, t.refused, t.repeated, t.staleWrite}
	if t.db != nil {
		steps = append(steps, t.faults)
	}
	return program.RunSteps(ctx, append(steps, t.statements)...)
}

// tour is one run of the program.
type tour struct {
	program.Tour

	store Store
	db    *ddbtest.DB // nil on a server
}

const ann, bob, cat, dan = "A-1", "A-2", "A-3", "A-4"

func (t tour) open(ctx context.Context) error {
	err := errors.Join(
		t.store.Open(ctx, ann, "Ann", 100_00, 0),
		t.store.Open(ctx, bob, "Bob", 50_00, 0),
		t.store.Open(ctx, cat, "Cat", 0, 20_00),
		t.store.Open(ctx, dan, "Dan", 0, 0),
		t.store.Close(ctx, dan),
	)
	if err != nil {
		return err
	}
	t.Printf("1. Accounts")
	t.Printf("   Ann deposits 100.00, and Bob 50.00. Cat may overdraw her account by 20.00. Dan closes his account.")
	return t.audit(ctx)
}

func (t tour) transfers(ctx context.Context) error {
	first := Transfer{ID: "T-1", From: ann, To: bob, Amount: 30_00}
	x, err := t.store.transfer(first).Explain()
	if err != nil {
		return err
	}
	t.Printf("\n2. Transfers")
	t.Printf("   A transfer is a transaction of %d actions and costs about %g write units.", x.Actions, x.Units.Write)
	return program.RunSteps(ctx,
		t.pay("Ann pays Bob 30.00", first),
		t.pay("Cat pays Ann 15.00", Transfer{ID: "T-2", From: cat, To: ann, Amount: 15_00}),
		t.audit,
	)
}

// refused orders transfers that a condition rejects.
func (t tour) refused(ctx context.Context) error {
	t.Printf("\n3. Transfers that are refused")
	return program.RunSteps(ctx,
		t.fail("Cat pays Ann 5.01", Transfer{ID: "T-3", From: cat, To: ann, Amount: 5_01}, ErrMoney),
		t.fail("Ann pays Dan 1.00", Transfer{ID: "T-4", From: ann, To: dan, Amount: 1_00}, ErrClosed),
		t.fail("Ann pays A-9 1.00", Transfer{ID: "T-5", From: ann, To: "A-9", Amount: 1_00}, trestle.ErrNotFound),
		t.audit,
	)
}

// repeated orders a transfer again, first unchanged and then with another amount.
func (t tour) repeated(ctx context.Context) error {
	t.Printf("\n4. Transfers that are repeated")
	return program.RunSteps(ctx,
		t.pay("Ann's browser sends transfer T-1 again", Transfer{ID: "T-1", From: ann, To: bob, Amount: 30_00}),
		t.fail("It sends T-1 with 31.00", Transfer{ID: "T-1", From: ann, To: bob, Amount: 31_00}, trestle.ErrUnknown),
		t.audit,
	)
}

// staleWrite sets the overdraft limit of an account that has changed after it was read.
func (t tour) staleWrite(ctx context.Context) error {
	t.Printf("\n5. A stale write")
	a, err := t.store.Account(ctx, bob)
	if err != nil {
		return err
	}
	t.Printf("   A clerk reads Bob's account. Its balance is %s.", amount(a.Balance))
	if err := t.pay("Bob pays Cat 10.00", Transfer{ID: "T-6", From: bob, To: cat, Amount: 10_00})(ctx); err != nil {
		return err
	}
	_, err = t.store.SetOverdraft(ctx, a, 5_00)
	stored, met := entity.ItemFromError[Account](err)
	if !errors.Is(err, trestle.ErrStale) || !met {
		return fmt.Errorf("the stale write was not rejected: %w", err)
	}
	t.Printf("   The clerk sets Bob's overdraft limit from the old balance:")
	t.Printf("     %s", program.ErrorText(err))
	if a, err = t.store.SetOverdraft(ctx, stored, 5_00); err != nil {
		return err
	}
	t.Printf("   The error has the stored account. From its balance of %s, %s are available.", amount(stored.Balance), amount(a.Available))
	return t.audit(ctx)
}

// pay returns a step that makes a transfer.
func (t tour) pay(what string, order Transfer) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := t.store.Transfer(ctx, order); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		t.Printf("   %s: done", what)
		return nil
	}
}

// fail returns a step whose transfer fails with an error.
func (t tour) fail(what string, order Transfer, want error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := t.store.Transfer(ctx, order)
		if !errors.Is(err, want) {
			return fmt.Errorf("%s: expected %w, and got %w", what, want, err)
		}
		t.Printf("   %s: %s", what, trestle.OutcomeOf(err))
		t.Printf("     %s", program.ErrorText(err))
		return nil
	}
}
