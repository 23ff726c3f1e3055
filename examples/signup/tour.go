package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/maintain"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "signup")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	if err := program.RunSteps(ctx, t.signUp, t.clash, t.together, t.rename, t.exchange, t.remove); err != nil {
		return err
	}
	t.Printf("\nthe table: users, and the guards of their unique values")
	if err := t.Table(ctx, client, table.Name(), "PK", "SK", "user_name", "email", "GSI1PK"); err != nil {
		return err
	}
	if err := t.race(ctx); err != nil {
		return err
	}
	// A program that writes users without this library would leave users without guards.
	if _, err := maintain.RepairGuards(ctx, table, maintain.Run{DryRun: true}); err != nil {
		return err
	}
	t.Printf("at the end, each unique value has its guard, and each guard its user")
	return nil
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func (t tour) signUp(ctx context.Context) error {
	for _, u := range []User{bobby, john, peter} {
		if err := t.store.SignUp(ctx, &u); err != nil {
			return err
		}
		t.Printf("%s signs up as %s <%s>", u.FullName, u.UserName, u.Email)
	}
	x, err := t.store.users.Op().Create(&bobby).Explain()
	if err != nil {
		return err
	}
	t.Printf("a sign-up is one transaction:")
	for line := range strings.Lines(x.String()) {
		t.Printf("  %s", strings.TrimSuffix(line, "\n"))
	}
	return nil
}

// clash signs up users whose values are taken. The address has other letters.
func (t tour) clash(ctx context.Context) error {
	t.Printf("")
	for _, u := range []User{
		{ID: "0001", UserName: "btables", Email: "bobo@example.com"},
		{ID: "0001", UserName: "bobo", Email: "Bobby.Tables@Gmail.com"},
		{ID: "0001", UserName: "btables", Email: "Bobby.Tables@Gmail.com"},
	} {
		err := t.store.SignUp(ctx, &u)
		if !errors.Is(err, trestle.ErrTaken) {
			return fmt.Errorf("the sign-up as %s was not rejected: %w", u.UserName, err)
		}
		t.Printf("a sign-up as %s <%s> is rejected; taken: %s", u.UserName, u.Email, strings.Join(trestle.Taken(err), ", "))
		t.Printf("  %s", program.ErrorText(err))
	}
	found, err := t.store.ByEmail(ctx, "BOBBY.TABLES@GMAIL.COM")
	if err != nil {
		return err
	}
	t.Printf("the address BOBBY.TABLES@GMAIL.COM belongs to %s", found.FullName)
	return nil
}

// together signs up two users in one transaction, first with a name that is taken.
func (t tour) together(ctx context.Context) error {
	ann, ben := User{ID: "0002", UserName: "ann", Email: "ann@example.com"}, User{ID: "0003", UserName: "jsmith", Email: "ben@example.com"}
	err := t.store.SignUpTogether(ctx, &ann, &ben)
	if !nameTaken(err) {
		return fmt.Errorf("the sign-up of Ann and Ben was not rejected: %w", err)
	}
	t.Printf("\nAnn and Ben sign up together, but the name of Ben is taken:")
	t.Printf("  %s", program.ErrorText(err))
	if _, err := t.store.User(ctx, ann.ID); !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("the user Ann was stored alone: %w", err)
	}
	t.Printf("neither of them is stored")
	ben.UserName = "ben"
	if err := t.store.SignUpTogether(ctx, &ann, &ben); err != nil {
		return err
	}
	t.Printf("with the name ben both are stored")
	return nil
}

func nameTaken(err error) bool { return slices.Contains(trestle.Taken(err), "user_name") }

func (t tour) rename(ctx context.Context) error {
	_, err := t.store.Rename(ctx, bobby.ID, "jsmith")
	if !nameTaken(err) {
		return fmt.Errorf("the name of another user was not rejected: %w", err)
	}
	t.Printf("\nBobby cannot have the name jsmith: %s", program.ErrorText(err))
	u, err := t.store.Rename(ctx, bobby.ID, "little.bobby")
	if err != nil {
		return err
	}
	t.Printf("Bobby is %s now, and the name btables is free", u.UserName)
	u, err = t.store.Rename(ctx, "0003", "btables")
	if err != nil {
		return err
	}
	t.Printf("Ben takes it: %s <%s>", u.UserName, u.Email)
	return nil
}

// exchange gives John and Peter the name of the other, in one transaction.
func (t tour) exchange(ctx context.Context) error {
	a, b, err := t.johnAndPeter(ctx)
	if err != nil {
		return err
	}
	if err := t.store.Exchange(ctx, a, b); err != nil {
		return err
	}
	t.Printf("\n%s and %s exchange their names", a.UserName, b.UserName)
	err = t.store.Exchange(ctx, a, b)
	if !errors.Is(err, trestle.ErrStale) {
		return fmt.Errorf("an exchange of stale users was not rejected: %w", err)
	}
	t.Printf("a second exchange of the users as they were read before is rejected:")
	t.Printf("  %s", program.ErrorText(err))
	a, b, err = t.johnAndPeter(ctx)
	if err != nil {
		return err
	}
	t.Printf("%s is %s, %s is %s", a.FullName, a.UserName, b.FullName, b.UserName)
	return nil
}

func (t tour) johnAndPeter(ctx context.Context) (User, User, error) {
	a, errA := t.store.User(ctx, john.ID)
	b, errB := t.store.User(ctx, peter.ID)
	return a, b, errors.Join(errA, errB)
}

func (t tour) remove(ctx context.Context) error {
	if err := t.store.Remove(ctx, john.ID); err != nil {
		return err
	}
	t.Printf("\nJohn leaves, so his name and his address are free")
	kim := User{ID: "0004", UserName: "phonork", Email: "JohnSmith@yahoo.com", FullName: "Kim Smith"}
	if err := t.store.SignUp(ctx, &kim); err != nil {
		return err
	}
	t.Printf("%s signs up as %s <%s>", kim.FullName, kim.UserName, kim.Email)
	return nil
}

// race signs up several users with one name at the same time.
func (t tour) race(ctx context.Context) error {
	const users = 8
	results := make(chan error, users)
	for i := range users {
		go func() {
			results <- t.store.SignUp(ctx, &User{ID: fmt.Sprintf("race-%d", i), UserName: "popular", Email: fmt.Sprintf("user%d@example.com", i)})
		}()
	}
	stored, rejected := 0, 0
	for range users {
		switch err := <-results; {
		case err == nil:
			stored++
		case nameTaken(err):
			rejected++
		default:
			return err
		}
	}
	t.Printf("\n%d users sign up as popular at the same time: %d is stored, %d are rejected", users, stored, rejected)
	return nil
}
