package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	repositories *entity.Repo[Repository]
	stars        *entity.Repo[Star]
}

func NewStore(t *entity.Table) Store { return Store{Repositories.In(t), Stars.In(t)} }

func (s Store) Add(ctx context.Context, r *Repository) error { return s.repositories.Create(ctx, r) }

// AddStarred stores a repository with the star of its owner, or neither of them.
func (s Store) AddStarred(ctx context.Context, r *Repository) error {
	star := starOf(r.Owner, *r)
	return tx.Write(ctx, s.repositories.Op().Create(r), s.stars.Op().Create(&star))
}

// Star gives a repository the star of a user. The error is trestle.ErrExists if the user has given
// it before, and trestle.ErrNotFound if there is no such repository.
func (s Store) Star(ctx context.Context, user string, r Repository) error {
	star := starOf(user, r)
	return s.stars.Create(ctx, &star)
}

// Unstar takes the star back. If there is none, nothing changes.
func (s Store) Unstar(ctx context.Context, user string, r Repository) error {
	return s.stars.Delete(ctx, starOf(user, r))
}

// MoveStar takes a star back and gives it to another repository, at once.
func (s Store) MoveStar(ctx context.Context, user string, from, to Repository) error {
	moved := starOf(user, to)
	_, err := tx.Move(s.stars, starOf(user, from), &moved).Do(ctx)
	return err
}

// Repository reads strongly consistent, so it returns the current number of stars.
func (s Store) Repository(ctx context.Context, owner, name string) (Repository, error) {
	return s.repositories.Strong().Get(ctx, Repository{Owner: owner, Name: name})
}

// Describe changes the description. The number of stars stays.
func (s Store) Describe(ctx context.Context, r Repository, about string) error {
	_, err := s.repositories.Update(ctx, r, About.Set(about))
	return err
}

// Recount counts the stars of a repository again. The index may lag, so no user should give or take
// stars meanwhile.
func (s Store) Recount(ctx context.Context, r Repository) (int, error) {
	return query.Recount(ctx, s.repositories, r, StarCount, query.On(s.stars, "by-repository", Star{Owner: r.Owner, Name: r.Name}))
}

// Top returns the repositories of a language with the most stars.
func (s Store) Top(ctx context.Context, language string, n int) iter.Seq2[Repository, error] {
	return query.On(s.repositories, "by-stars", Repository{Language: language}).Desc().Limit(n).All(ctx)
}

// Popular returns the repositories of a language with at least this number of stars.
func (s Store) Popular(ctx context.Context, language string, stars int64) iter.Seq2[Repository, error] {
	return query.On(s.repositories, "by-stars", Repository{Language: language}).Where(StarCount.Ge(stars)).Desc().All(ctx)
}

// Fans returns the stars of a repository.
func (s Store) Fans(ctx context.Context, owner, name string) iter.Seq2[Star, error] {
	return query.On(s.stars, "by-repository", Star{Owner: owner, Name: name}).All(ctx)
}

// StarsOf returns the stars of a user.
func (s Store) StarsOf(ctx context.Context, user string) iter.Seq2[Star, error] {
	return query.Of(s.stars, Star{User: user}).All(ctx)
}

func starOf(user string, r Repository) Star { return Star{User: user, Owner: r.Owner, Name: r.Name} }
