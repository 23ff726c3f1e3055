package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "signup")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		demo := tour{Tour: program.Tour{Out: io.Discard}, store: s}
		require.NoError(t, program.RunSteps(t.Context(), demo.signUp))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	return []costs.Pattern{
		costs.Of("user", func(ctx context.Context) error { return costs.Err(s.User(ctx, bobby.ID)) }, costtest.Get(s.users.Strong(), bobby)),
		costs.Of("by email", func(ctx context.Context) error { return costs.Err(s.ByEmail(ctx, bobby.Email)) },
			costtest.Query(query.On(s.users, "by-email", bobby))),
	}
}

func writeCosts(s Store, text string) []costs.Pattern {
	kim, ann, ben := user("kim", text), user("ann", text), user("ben", text)
	return []costs.Pattern{
		costs.Transaction("sign up", func(ctx context.Context) error { return s.SignUp(ctx, kim) }, costtest.Create(s.users, kim)),
		costs.Transaction("sign up together", func(ctx context.Context) error { return s.SignUpTogether(ctx, ann, ben) },
			costtest.Transaction(costtest.Create(s.users, ann), costtest.Create(s.users, ben))),
		costs.Transaction("exchange", func(ctx context.Context) error { return s.Exchange(ctx, *ann, *ben) },
			costtest.Transaction(costtest.Update(s.users, *ann, UserName.Set("ben")), costtest.Update(s.users, *ben, UserName.Set("ann")))),
		costs.Transaction("rename", func(ctx context.Context) error { return costs.Err(s.Rename(ctx, bobby.ID, "bob")) },
			costtest.Update(s.users, User{ID: bobby.ID}, UserName.Set("bob"))),
		costs.Transaction("remove", func(ctx context.Context) error { return s.Remove(ctx, bobby.ID) }, costtest.Delete(s.users, User{ID: bobby.ID})),
	}
}

func user(name, text string) *User {
	return &User{ID: name, UserName: name, Email: name + "@example.com", FullName: text}
}
