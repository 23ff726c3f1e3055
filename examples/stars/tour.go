package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "stars")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table), client: client}
	if err := program.RunSteps(ctx, t.add, t.star, t.crowd, t.top, t.unstar, t.move, t.write, t.recount); err != nil {
		return err
	}
	t.Printf("\nthe table at the end:")
	return t.Table(ctx, client, table.Name(), "PK", "SK", "stars", "ByStarsPK", "GSI1PK", "GSI1SK")
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store  Store
	client trestle.Client
}

// The repositories of the tour.
var (
	editor = Repository{Owner: "ann", Name: "editor", Language: "Go"}
	parser = Repository{Owner: "bob", Name: "parser", Language: "Go"}
	game   = Repository{Owner: "cat", Name: "game", Language: "Go"}
)

func (t tour) add(ctx context.Context) error {
	a, b, c := editor, parser, game
	if err := errors.Join(t.store.Add(ctx, &a), t.store.Add(ctx, &b), t.store.AddStarred(ctx, &c)); err != nil {
		return err
	}
	t.Printf("three repositories are stored; cat's game is stored together with her star, in one transaction: %s", stars(c))
	return nil
}

func (t tour) star(ctx context.Context) error {
	if err := t.store.Star(ctx, "bob", editor); err != nil {
		return err
	}
	if err := t.show(ctx, "\nbob gives ann's editor a star", editor); err != nil {
		return err
	}
	err := t.store.Star(ctx, "bob", editor)
	if !errors.Is(err, trestle.ErrExists) {
		return fmt.Errorf("the second star was not rejected: %w", err)
	}
	t.Printf("  a second star: %s", program.ErrorText(err))
	err = t.store.Star(ctx, "bob", Repository{Owner: "ann", Name: "edtior"})
	if !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("the star of a missing repository was not rejected: %w", err)
	}
	t.Printf("  a star for ann's edtior: %s", program.ErrorText(err))
	return t.show(ctx, "nothing has changed", editor)
}

// crowd gives a repository stars at the same time.
func (t tour) crowd(ctx context.Context) error {
	const users = 10
	results := make(chan error, users)
	for i := range users {
		go func() { results <- t.store.Star(ctx, fmt.Sprintf("user%d", i), parser) }()
	}
	for range users {
		if err := <-results; err != nil {
			return err
		}
	}
	return t.show(ctx, fmt.Sprintf("\n%d users give bob's parser a star at the same time", users), parser)
}

func (t tour) top(ctx context.Context) error {
	if err := t.store.Star(ctx, "dan", editor); err != nil {
		return err
	}
	counted := func(r Repository) string { return fmt.Sprintf("%s/%s %d", r.Owner, r.Name, r.Stars) }
	t.Printf("\nthe top repositories in Go: %s", program.List(t.store.Top(ctx, "Go", 3), counted))
	t.Printf("with at least two stars: %s", program.List(t.store.Popular(ctx, "Go", 2), counted))
	t.Printf("the fans of ann's editor: %s", program.List(t.store.Fans(ctx, "ann", "editor"), func(s Star) string { return s.User }))
	t.Printf("the stars of bob: %s", program.List(t.store.StarsOf(ctx, "bob"), func(s Star) string { return s.Owner + "/" + s.Name }))
	return nil
}

func (t tour) unstar(ctx context.Context) error {
	if err := t.store.Unstar(ctx, "dan", editor); err != nil {
		return err
	}
	if err := t.show(ctx, "\ndan takes his star back", editor); err != nil {
		return err
	}
	if err := t.store.Unstar(ctx, "dan", editor); err != nil {
		return err
	}
	return t.show(ctx, "once more, which changes nothing", editor)
}

func (t tour) move(ctx context.Context) error {
	if err := t.store.MoveStar(ctx, "bob", editor, game); err != nil {
		return err
	}
	if err := t.show(ctx, "\nbob moves his star to cat's game", editor, game); err != nil {
		return err
	}
	err := t.store.MoveStar(ctx, "bob", editor, game)
	if !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("the star was moved twice: %w", err)
	}
	t.Printf("  once more: %s", program.ErrorText(err))
	return nil
}

// write changes a repository that got a star after it was read.
func (t tour) write(ctx context.Context) error {
	read, err := t.store.Repository(ctx, "ann", "editor")
	if err != nil {
		return err
	}
	if err := t.store.Star(ctx, "cat", editor); err != nil {
		return err
	}
	err = t.store.Describe(ctx, read, "edits text")
	stored, met := entity.ItemFromError[Repository](err)
	if !errors.Is(err, trestle.ErrStale) || !met {
		return fmt.Errorf("the stale write was not rejected: %w", err)
	}
	t.Printf("\nann describes her editor, but cat has given it a star since ann read it:")
	t.Printf("  %s", program.ErrorText(err))
	if err := t.store.Describe(ctx, editor, "edits text"); err != nil {
		return err
	}
	return t.show(ctx, fmt.Sprintf("the stored one has version %d; without a version ann changes the description", stored.Version), editor)
}

// recount sets a number of stars without the library. Then it takes a star back.
func (t tour) recount(ctx context.Context) error {
	key, err := Repositories.KeyOf(editor)
	if err != nil {
		return err
	}
	if _, err := t.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("stars"), Key: key, UpdateExpression: aws.String("SET stars = :zero"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":zero": &types.AttributeValueMemberN{Value: "0"}},
	}); err != nil {
		return err
	}
	err = t.store.Unstar(ctx, "cat", editor)
	if !errors.Is(err, trestle.ErrCondition) {
		return fmt.Errorf("the number of stars became negative: %w", err)
	}
	t.Printf("\nanother program sets the number of stars to 0; then cat takes her star back:")
	t.Printf("  %s", program.ErrorText(err))
	n, err := t.store.Recount(ctx, editor)
	if err != nil {
		return err
	}
	if err := t.store.Unstar(ctx, "cat", editor); err != nil {
		return err
	}
	return t.show(ctx, fmt.Sprintf("counted again, the number is %d, and cat takes her star back", n), editor)
}

// show prints the number of stars of repositories.
func (t tour) show(ctx context.Context, what string, repositories ...Repository) error {
	for i, r := range repositories {
		r, err := t.store.Repository(ctx, r.Owner, r.Name)
		if err != nil {
			return err
		}
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		what += fmt.Sprintf("%s%s/%s %s", separator, r.Owner, r.Name, stars(r))
	}
	t.Printf("%s", what)
	return nil
}

func stars(r Repository) string {
	if r.Stars == 1 {
		return "1 star"
	}
	return fmt.Sprintf("%d stars", r.Stars)
}
