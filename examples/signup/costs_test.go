package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity/costtest"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
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

// writeCosts does not have the exchange of names: it costs less than Explain reports, because the
// transaction writes each guard once.
func writeCosts(s Store, text string) []costs.Pattern {
	kim, ann, ben := user("kim", text), user("ann", text), user("ben", text)
	users, strong := s.users.Op(), s.users.Strong()
	return []costs.Pattern{
		costs.Operation("sign up", func(ctx context.Context) error { return s.SignUp(ctx, kim) }, users.Create(kim).Explain),
		costs.Transaction("sign up together", func(ctx context.Context) error { return s.SignUpTogether(ctx, ann, ben) }, s.signUpTogether(ann, ben).Explain),
		costs.Operation("rename", func(ctx context.Context) error { return costs.Err(s.Rename(ctx, bobby.ID, "bob")) },
			users.Update(User{ID: bobby.ID}, UserName.Set("bob")).Explain, costtest.Get(strong, bobby), costtest.Get(strong, bobby)), // before and after
		costs.Operation("remove", func(ctx context.Context) error { return s.Remove(ctx, bobby.ID) },
			users.Delete(User{ID: bobby.ID}).Explain, costtest.Get(strong, bobby)),
	}
}

func user(name, text string) *User {
	return &User{ID: name, UserName: name, Email: name + "@example.com", FullName: text}
}
