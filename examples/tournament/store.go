package main

import (
	"context"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	tournaments *entity.Repo[Tournament]
	players     *entity.Repo[Player]
	teams       *entity.Repo[Team]
	matches     *entity.Repo[Match]
}

func NewStore(t *entity.Table) Store {
	return Store{Tournaments.In(t), Players.In(t), Teams.In(t), Matches.In(t)}
}

func (s Store) AddTournament(ctx context.Context, t *Tournament) error {
	return s.tournaments.Create(ctx, t)
}
func (s Store) AddPlayer(ctx context.Context, p *Player) error { return s.players.Create(ctx, p) }
func (s Store) AddTeam(ctx context.Context, t *Team) error     { return s.teams.Create(ctx, t) }
func (s Store) AddMatch(ctx context.Context, m *Match) error   { return s.matches.Put(ctx, m) }

// AddPoints adds points to a team.
func (s Store) AddPoints(ctx context.Context, tournament, team string, points int) (Team, error) {
	return s.teams.Update(ctx, Team{TournamentID: tournament, ID: team}, attr.Add(Points, points))
}

// Details returns a tournament without its matches, players and teams.
func (s Store) Details(ctx context.Context, id string) (Tournament, error) {
	return s.tournaments.Get(ctx, Tournament{ID: id})
}

// Basics returns the attributes of a tournament that a list shows.
func (s Store) Basics(ctx context.Context, id string) (Basics, error) {
	return BasicsOf.Get(ctx, s.tournaments, Tournament{ID: id})
}

func (s Store) Players(ctx context.Context, id string) ([]Player, error) {
	return query.Of(s.players, Player{TournamentID: id}).Collect(ctx)
}

func (s Store) Teams(ctx context.Context, id string) ([]Team, error) {
	return query.Of(s.teams, Team{TournamentID: id}).Collect(ctx)
}

// MatchesDuring returns the matches of a period, sorted by time.
func (s Store) MatchesDuring(ctx context.Context, id string, p attr.Period) ([]Match, error) {
	return query.On(s.matches, "schedule", Match{TournamentID: id}).Where(attr.During(Starts, p)).Collect(ctx)
}

// Program is a tournament with its matches, players and teams.
type Program struct {
	Tournament Tournament
	Matches    []Match
	Players    []Player
	Teams      []Team
}

// Program reads all items of a tournament with one query.
func (s Store) Program(ctx context.Context, id string) (p Program, err error) {
	err = query.Load(ctx, query.Of(s.tournaments, Tournament{ID: id}).Collection(), &p)
	return p, err
}
