package main

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "tournaments")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, tour{Tour: program.Tour{Out: io.Discard}, store: s}.fill(t.Context()))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	key, schedule := Tournament{ID: cup}, query.On(s.matches, "schedule", Match{TournamentID: cup})
	saturday, winter := attr.Day(2026, time.September, 5), attr.Month(2026, time.December)
	return []costs.Pattern{
		costs.Of("details", func(ctx context.Context) error { return costs.Err(s.Details(ctx, cup)) }, costtest.Get(s.tournaments, key)),
		costs.Of("basics", func(ctx context.Context) error { return costs.Err(s.Basics(ctx, cup)) }, costtest.Get(s.tournaments, key)),
		costs.Of("players", func(ctx context.Context) error { return costs.Err(s.Players(ctx, cup)) },
			costtest.Query(query.Of(s.players, Player{TournamentID: cup}))),
		costs.Of("teams", func(ctx context.Context) error { return costs.Err(s.Teams(ctx, cup)) },
			costtest.Query(query.Of(s.teams, Team{TournamentID: cup}))),
		costs.Of("matches on a day", func(ctx context.Context) error { return costs.Err(s.MatchesDuring(ctx, cup, saturday)) },
			costtest.Query(schedule.Where(attr.During(Starts, saturday)))),
		costs.Of("matches in a month without any", func(ctx context.Context) error { return costs.Err(s.MatchesDuring(ctx, cup, winter)) },
			costtest.Query(schedule.Where(attr.During(Starts, winter)))),
		costs.Of("program", func(ctx context.Context) error { return costs.Err(s.Program(ctx, cup)) },
			costtest.Query(query.Of(s.tournaments, key).Collection())),
	}
}

func writeCosts(s Store, text string) []costs.Pattern {
	open := &Tournament{ID: "open", Game: "Go", Rules: text}
	player := &Player{TournamentID: "open", ID: "p1", Name: "Di" + text}
	team := &Team{TournamentID: "open", ID: "t1", Name: text}
	match := &Match{TournamentID: "open", ID: "m1", Home: "t1", Away: text, Starts: at(6, 10)}
	return []costs.Pattern{
		costs.Of("add a tournament", func(ctx context.Context) error { return s.AddTournament(ctx, open) }, costtest.Create(s.tournaments, open)),
		costs.Of("add a player", func(ctx context.Context) error { return s.AddPlayer(ctx, player) }, costtest.Create(s.players, player)),
		costs.Of("add a team", func(ctx context.Context) error { return s.AddTeam(ctx, team) }, costtest.Create(s.teams, team)),
		costs.Of("add a match", func(ctx context.Context) error { return s.AddMatch(ctx, match) }, costtest.Put(s.matches, match)),
		costs.Of("add points", func(ctx context.Context) error { return costs.Err(s.AddPoints(ctx, cup, "t2", 3)) },
			costtest.Update(s.teams, Team{TournamentID: cup, ID: "t2"}, attr.Add(Points, 3))),
	}
}
