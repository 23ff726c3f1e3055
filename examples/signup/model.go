package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// User has a user name and an e-mail address that no other user has. Addresses that differ in upper
// and lower case only are the same address. Full names and phone numbers need not be unique.
//
// Each unique value is held by a guard, an item of the library that is written in the same
// transaction as the user. The index by-email finds a user by the address, but it cannot make the
// address unique: an index accepts several items with the same key.
type User struct {
	_        entity.Key    `type:"user" pk:"USER#<id>" sk:"USER"`
	_        entity.Index  `name:"by-email" on:"GSI1" pk:"EMAIL#<email:lower>" sk:"USER"`
	_        entity.Unique `key:"<email:lower>"`
	ID       string        `dynamodbav:"id"`
	UserName string        `dynamodbav:"user_name" entity:"unique"`
	Email    string        `dynamodbav:"email"`
	FullName string        `dynamodbav:"full_name"`
	Phone    string        `dynamodbav:"phone"`
	Version  int64         `dynamodbav:"version" entity:"version"`
}

var (
	Schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Users  = entity.Define[User](Schema)

	UserName = attr.Must(func(u *User) *string { return &u.UserName })
)
