package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	accounts *entity.Repo[Account]
	entries  *entity.Repo[Entry]
}

func NewStore(t *entity.Table) Store { return Store{Accounts.In(t), Entries.In(t)} }

// The reasons why a transfer is refused.
var (
	ErrMoney  = errors.New("not enough money")
	ErrClosed = errors.New("an account is closed")
	ErrReused = errors.New("another transfer has this ID")
)

// Open opens an account with a first deposit.
func (s Store) Open(ctx context.Context, number, owner string, deposit, overdraft int64) error {
	return s.accounts.Create(ctx, &Account{
		Number: number, Owner: owner, State: Open, Deposit: deposit, Balance: deposit, Available: deposit + overdraft,
	})
}

// Close closes an account without money and without debts.
func (s Store) Close(ctx context.Context, number string) error {
	_, err := s.accounts.Update(ctx, Account{Number: number}, AccountState.Set(Closed), attr.If(Balance.Eq(0)))
	return err
}

// SetOverdraft sets the overdraft limit of an account that was read before. If the account has
// changed since, the error is trestle.ErrStale, because the balance may be another one.
func (s Store) SetOverdraft(ctx context.Context, a Account, overdraft int64) (Account, error) {
	return s.accounts.Update(ctx, a, Available.Set(a.Balance+overdraft))
}

// Transfer moves money. It is safe to repeat a call with the same transfer, now or later: DynamoDB
// recognizes the token for ten minutes, and then the entries exist already.
func (s Store) Transfer(ctx context.Context, t Transfer) error {
	_, err := s.transfer(t).Do(ctx)
	entry, exists := entity.ItemFromError[Entry](err)
	account, met := entity.ItemFromError[Account](err)
	switch {
	case exists && entry == t.debit():
		return nil // an earlier call was applied
	case exists:
		return fmt.Errorf("%w: %w", ErrReused, err)
	case met && account.State == Closed:
		return fmt.Errorf("%w: %w", ErrClosed, err)
	case met:
		return fmt.Errorf("%w: %w", ErrMoney, err)
	default:
		return err
	}
}

// transfer is the transaction of a transfer: two entries and two balances.
func (s Store) transfer(t Transfer) *tx.WriteTransaction {
	debit, credit := t.debit(), t.credit()
	entries, accounts := s.entries.Op(), s.accounts.Op()
	return tx.NewWrite(
		entries.Create(&debit),
		entries.Create(&credit),
		accounts.Update(Account{Number: t.From}, attr.Add(Balance, -t.Amount), attr.Add(Available, -t.Amount),
			attr.If(AccountState.Eq(Open), Available.Ge(t.Amount))),
		accounts.Update(Account{Number: t.To}, attr.Add(Balance, t.Amount), attr.Add(Available, t.Amount),
			attr.If(AccountState.Eq(Open))),
	).Once(t.ID)
}

// Account reads strongly consistent, so it returns what the last write stored.
func (s Store) Account(ctx context.Context, number string) (Account, error) {
	return s.accounts.Strong().Get(ctx, Account{Number: number})
}

// Snapshot reads accounts as they were at one moment: a transfer is in both of its balances or in
// none.
func (s Store) Snapshot(ctx context.Context, numbers ...string) ([]*Account, error) {
	accounts := make([]*Account, len(numbers))
	items := make([]tx.Item, len(numbers))
	for i, number := range numbers {
		items[i] = tx.Get(s.accounts, Account{Number: number}, &accounts[i])
	}
	err := tx.Read(ctx, items...)
	return accounts, err
}

// Statement is an account with its entries.
type Statement struct {
	Account Account
	Entries []Entry
}

// Sum adds up the entries.
func (s Statement) Sum() (sum int64) {
	for _, e := range s.Entries {
		sum += e.Amount
	}
	return sum
}

func (s Store) Statement(ctx context.Context, number string) (st Statement, err error) {
	err = query.Load(ctx, s.statement(number), &st)
	return st, err
}

func (s Store) statement(number string) query.Collection {
	return query.Of(s.accounts.Strong(), Account{Number: number}).Collection()
}
