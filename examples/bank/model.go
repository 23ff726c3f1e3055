package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// State is whether an account takes part in transfers.
type State string

const (
	Open   State = "open"
	Closed State = "closed"
)

// Account is an account of the bank. Its amounts are in cents.
type Account struct {
	_       entity.Key `type:"account" pk:"ACCOUNT#<number>" sk:"ACCOUNT"`
	Number  string     `dynamodbav:"number"`
	Owner   string     `dynamodbav:"owner"`
	State   State      `dynamodbav:"state"`
	Deposit int64      `dynamodbav:"deposit"` // when the account was opened
	Balance int64      `dynamodbav:"balance"`
	// Available is the balance and the overdraft limit together. It is an attribute because a
	// condition cannot add two attributes.
	Available int64 `dynamodbav:"available"`
	Version   int64 `dynamodbav:"version" entity:"version"`
}

// Entry is the part of one account in a transfer. A transfer has two entries, whose amounts add up
// to zero.
type Entry struct {
	_        entity.Key `type:"entry" pk:"ACCOUNT#<account>" sk:"ENTRY#<transfer>"`
	Account  string     `dynamodbav:"account"`
	Transfer string     `dynamodbav:"transfer"`
	Partner  string     `dynamodbav:"partner"`
	Amount   int64      `dynamodbav:"amount"`
}

// Transfer is what a customer orders. Its ID, such as a UUID, is made before the first call, and
// stays the same when the call is repeated.
type Transfer struct {
	ID       string
	From, To string
	Amount   int64
}

func (t Transfer) debit() Entry {
	return Entry{Account: t.From, Transfer: t.ID, Partner: t.To, Amount: -t.Amount}
}
func (t Transfer) credit() Entry {
	return Entry{Account: t.To, Transfer: t.ID, Partner: t.From, Amount: t.Amount}
}

var (
	Schema   = entity.NewSchema(entity.Config{})
	Accounts = entity.Define[Account](Schema)
	Entries  = entity.Define[Entry](Schema)

	AccountState = attr.Must(func(a *Account) *State { return &a.State })
	Balance      = attr.Must(func(a *Account) *int64 { return &a.Balance })
	Available    = attr.Must(func(a *Account) *int64 { return &a.Available })
)
