package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Profile is the first entity of a user's partition.
type Profile struct {
	_         entity.Key `type:"profile" pk:"USER#<user>" sk:"PROFILE"`
	User      string     `dynamodbav:"user"`
	FirstName string     `dynamodbav:"first_name"`
	LastName  string     `dynamodbav:"last_name"`
	Joined    time.Time  `dynamodbav:"joined"`
}

// Address is an address of a user, from the country down to the postal code. GSI1 has only the
// default address.
type Address struct {
	_       entity.Key   `type:"address" pk:"USER#<user>" sk:"ADDRESS#<country>#<state>#<city>#<zip>"`
	_       entity.Index `name:"default" on:"GSI1" pk:"USER#<user>" sk:"DEFAULT#<default>"`
	User    string       `dynamodbav:"user"`
	Country string       `dynamodbav:"country"`
	State   string       `dynamodbav:"state"`
	City    string       `dynamodbav:"city"`
	Zip     string       `dynamodbav:"zip"`
	Street  string       `dynamodbav:"street"`
	Default bool         `dynamodbav:"default,omitempty"`
}

// Item is a product in a user's cart. GSI1 has only the active items, sorted by the time when they
// were added.
type Item struct {
	_       entity.Key   `type:"item" pk:"USER#<user>" sk:"CART#<status>#<product>"`
	_       entity.Index `name:"by-added" on:"GSI1" pk:"USER#<user>" sk:"ADDED#<added:s>#<product>"`
	User    string       `dynamodbav:"user"`
	Status  Status       `dynamodbav:"status"`
	Product string       `dynamodbav:"product"`
	SKU     string       `dynamodbav:"sku"`
	Added   time.Time    `dynamodbav:"added,omitempty"` // zero if the item is saved
}

// Status is whether the user wants to buy an item now or later.
type Status string

const (
	Active Status = "ACTIVE"
	Saved  Status = "SAVED" // for later
)

// Order is a past order of a user.
type Order struct {
	_    entity.Key `type:"order" pk:"USER#<user>" sk:"ORDER#<id>"`
	User string     `dynamodbav:"user"`
	ID   string     `dynamodbav:"id"`
	SKUs []string   `dynamodbav:"skus"`
	At   time.Time  `dynamodbav:"at"`
}

// Pickup is a store where a user collects orders.
type Pickup struct {
	_    entity.Key `type:"pickup" pk:"USER#<user>" sk:"STORE#<store>"`
	User string     `dynamodbav:"user"`
	ID   string     `dynamodbav:"store"`
	City string     `dynamodbav:"city"`
	Zip  string     `dynamodbav:"zip"`
}

// Wish is a product on a user's wish list. It is not part of the cart, and a read of the cart does
// not pay for it.
type Wish struct {
	_       entity.Key `type:"wish" pk:"USER#<user>" sk:"WISH#<product>"`
	User    string     `dynamodbav:"user"`
	Product string     `dynamodbav:"product"`
}

var (
	Schema    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Profiles  = entity.Define[Profile](Schema)
	Addresses = entity.Define[Address](Schema)
	Items     = entity.Define[Item](Schema)
	Orders    = entity.Define[Order](Schema)
	Pickups   = entity.Define[Pickup](Schema)
	Wishes    = entity.Define[Wish](Schema)

	Country    = attr.Must(func(a *Address) *string { return &a.Country })
	State      = attr.Must(func(a *Address) *string { return &a.State })
	City       = attr.Must(func(a *Address) *string { return &a.City })
	ItemStatus = attr.Must(func(i *Item) *Status { return &i.Status })
	Added      = attr.Must(func(i *Item) *time.Time { return &i.Added })
)
