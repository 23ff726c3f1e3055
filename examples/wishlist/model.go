package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Information is the name and the email address of a user.
type Information struct {
	_      entity.Key `type:"information" pk:"USER#<user_id>" sk:"U#Information"`
	UserID string     `dynamodbav:"user_id"`
	Name   string     `dynamodbav:"name"`
	Email  string     `dynamodbav:"email"`
}

// Address is an address of a user, with a name such as Home.
type Address struct {
	_      entity.Key `type:"address" pk:"USER#<user_id>" sk:"U#Address#<name>"`
	UserID string     `dynamodbav:"user_id"`
	Name   string     `dynamodbav:"name"`
	Street string     `dynamodbav:"street"`
	City   string     `dynamodbav:"city"`
}

// Account is the shop's own data of a user.
type Account struct {
	_        entity.Key `type:"account" pk:"USER#<user_id>" sk:"M#Account"`
	UserID   string     `dynamodbav:"user_id"`
	JoinedAt time.Time  `dynamodbav:"joined_at"`
}

// Visibility is who can see a wish. Private wishes sort before public ones.
type Visibility string

const (
	Private Visibility = "Private"
	Public  Visibility = "Public"
)

// Wish is a product on a user's wish list.
type Wish struct {
	_          entity.Key `type:"wish" pk:"USER#<user_id>" sk:"M#WishList#<visibility>#<added_at:s>#<product>"`
	UserID     string     `dynamodbav:"user_id"`
	Visibility Visibility `dynamodbav:"visibility"`
	AddedAt    time.Time  `dynamodbav:"added_at"`
	Product    string     `dynamodbav:"product"`
}

// Preference is a setting of a user.
type Preference struct {
	_      entity.Key `type:"preference" pk:"USER#<user_id>" sk:"P#<name>"`
	UserID string     `dynamodbav:"user_id"`
	Name   string     `dynamodbav:"name"`
	Value  string     `dynamodbav:"value"`
}

var (
	Schema       = entity.NewSchema(entity.Config{})
	Informations = entity.Define[Information](Schema)
	Addresses    = entity.Define[Address](Schema)
	Accounts     = entity.Define[Account](Schema)
	Wishes       = entity.Define[Wish](Schema)
	Preferences  = entity.Define[Preference](Schema)

	Email       = attr.Must(func(i *Information) *string { return &i.Email })
	WishSeenBy  = attr.Must(func(w *Wish) *Visibility { return &w.Visibility })
	WishAddedAt = attr.Must(func(w *Wish) *time.Time { return &w.AddedAt })
)
