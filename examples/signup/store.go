package main

import (
	"context"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct{ users *entity.Repo[User] }

func NewStore(t *entity.Table) Store { return Store{Users.In(t)} }

// SignUp stores a new user and holds the name and the address in one transaction. If another user
// has one of them, the error is trestle.ErrTaken, and trestle.Taken names which.
func (s Store) SignUp(ctx context.Context, u *User) error { return s.users.Create(ctx, u) }

// SignUpTogether stores all users or none of them.
func (s Store) SignUpTogether(ctx context.Context, users ...*User) error {
	creates := make([]entity.Operation, len(users))
	for i, u := range users {
		creates[i] = s.users.Op().Create(u)
	}
	return tx.Write(ctx, creates...)
}

// User reads strongly consistent, so it returns what the last write stored.
func (s Store) User(ctx context.Context, id string) (User, error) {
	return s.users.Strong().Get(ctx, User{ID: id})
}

// ByEmail finds a user by the address, in upper or lower case.
func (s Store) ByEmail(ctx context.Context, email string) (User, error) {
	return query.On(s.users, "by-email", User{Email: email}).One(ctx)
}

// Rename takes the new name and frees the old one.
func (s Store) Rename(ctx context.Context, id, name string) (User, error) {
	return s.users.Update(ctx, User{ID: id}, UserName.Set(name))
}

// Exchange gives each user the name of the other. No other user can take one of them meanwhile. If
// one of the users has changed since it was read, the error is trestle.ErrStale.
func (s Store) Exchange(ctx context.Context, a, b User) error {
	users := s.users.Op()
	return tx.Write(ctx, users.Update(a, UserName.Set(b.UserName)), users.Update(b, UserName.Set(a.UserName)))
}

// Remove deletes a user and frees the name and the address.
func (s Store) Remove(ctx context.Context, id string) error {
	return s.users.Delete(ctx, User{ID: id})
}
