package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Account is the account of a tenant's user. It has the user's credits.
type Account struct {
	_       entity.Key `type:"account" pk:"TENANT#<tenant>#<user>" sk:"ACCOUNT"`
	Tenant  string     `dynamodbav:"tenant"`
	User    string     `dynamodbav:"user"`
	Plan    string     `dynamodbav:"plan"`
	Credits int        `dynamodbav:"credits"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

// Payment is a payment of an account, in the same partition.
type Payment struct {
	_      entity.Key `type:"payment" pk:"TENANT#<tenant>#<user>" sk:"PAYMENT#<number:06>"`
	Tenant string     `dynamodbav:"tenant"`
	User   string     `dynamodbav:"user"`
	Number int        `dynamodbav:"number"`
}

var (
	Schema   = entity.NewSchema(entity.Config{})
	Accounts = entity.Define[Account](Schema)
	Payments = entity.Define[Payment](Schema)

	Plan    = attr.Must(func(a *Account) *string { return &a.Plan })
	Credits = attr.Must(func(a *Account) *int { return &a.Credits })
)
