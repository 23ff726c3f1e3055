package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/program"
)

// cup is the ID of the tournament.
const cup = "983d39a3-bdd6-4b61-88d5-58595d555b81"

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "tournaments")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	return program.RunSteps(ctx, t.fill, t.details, t.parts, t.schedule, t.score, t.program)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func at(day, hour int) time.Time {
	return time.Date(2026, time.September, day, hour, 0, 0, 0, time.UTC)
}

func (t tour) fill(ctx context.Context) error {
	s := t.store
	err := errors.Join(
		s.AddTournament(ctx, &Tournament{ID: cup, Game: "Go", Location: "Oslo", Date: at(5, 0), Prize: 5000, Rules: "Komi is seven and a half points."}),
		s.AddTeam(ctx, &Team{TournamentID: cup, ID: "t1", Name: "Black Stones"}),
		s.AddTeam(ctx, &Team{TournamentID: cup, ID: "t2", Name: "White Stones"}),
		s.AddPlayer(ctx, &Player{TournamentID: cup, ID: "p1", Name: "Ada", Team: "t1"}),
		s.AddPlayer(ctx, &Player{TournamentID: cup, ID: "p2", Name: "Bo", Team: "t2"}),
		s.AddPlayer(ctx, &Player{TournamentID: cup, ID: "p3", Name: "Cy", Team: "t1"}),
		s.AddMatch(ctx, &Match{TournamentID: cup, ID: "m1", Home: "t1", Away: "t2", Starts: at(6, 14)}),
		s.AddMatch(ctx, &Match{TournamentID: cup, ID: "m2", Home: "t2", Away: "t1", Starts: at(5, 10)}),
	)
	if err != nil {
		return err
	}
	t.Printf("a tournament with two teams, three players and two matches is stored")
	return nil
}

func (t tour) details(ctx context.Context) error {
	d, err := t.store.Details(ctx, cup)
	if err != nil {
		return err
	}
	t.Printf("\nrules of the tournament: %s", d.Rules)
	b, err := t.store.Basics(ctx, cup)
	if err != nil {
		return err
	}
	t.Printf("its projection for a list: %s in %s on %s, prize %d", b.Game, b.Location, b.Date.Format(time.DateOnly), b.Prize)
	if _, err := t.store.Details(ctx, "00000000-0000-4000-8000-000000000000"); !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("a tournament that does not exist was found: %w", err)
	}
	t.Printf("a tournament that does not exist: not found")
	return nil
}

func (t tour) parts(ctx context.Context) error {
	teams, err := t.store.Teams(ctx, cup)
	if err != nil {
		return err
	}
	players, err := t.store.Players(ctx, cup)
	if err != nil {
		return err
	}
	t.Printf("\nteams:")
	for _, team := range teams {
		t.Printf("  %s %s", team.ID, team.Name)
	}
	t.Printf("players:")
	for _, p := range players {
		t.Printf("  %s %s for %s", p.ID, p.Name, p.Team)
	}
	return nil
}

func (t tour) schedule(ctx context.Context) error {
	weekend := attr.Period{Start: at(5, 0), End: at(7, 0)}
	for _, p := range []struct {
		name   string
		period attr.Period
	}{{"on Saturday", attr.Day(2026, time.September, 5)}, {"at the weekend", weekend}} {
		matches, err := t.store.MatchesDuring(ctx, cup, p.period)
		if err != nil {
			return err
		}
		t.Printf("\nmatches %s:", p.name)
		for _, m := range matches {
			t.Printf("  %s %s against %s, %s", m.ID, m.Home, m.Away, m.Starts.Format("Mon 15:04"))
		}
	}
	return nil
}

func (t tour) score(ctx context.Context) error {
	team, err := t.store.AddPoints(ctx, cup, "t2", 3)
	if err != nil {
		return err
	}
	t.Printf("\n%s won a match and now have %d points", team.Name, team.Points)
	return nil
}

func (t tour) program(ctx context.Context) error {
	p, err := t.store.Program(ctx, cup)
	if err != nil {
		return err
	}
	t.Printf("\nall items of the tournament in one request: %s in %s with %d matches, %d players and %d teams",
		p.Tournament.Game, p.Tournament.Location, len(p.Matches), len(p.Players), len(p.Teams))
	return nil
}
