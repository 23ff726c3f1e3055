package main

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/query"
)

// typedModel reads with the program's store.
type typedModel struct{ Store }

// newTypedModel stores the data of the existing table.
func newTypedModel(t *testing.T, m meter) model {
	t.Helper()
	s := NewStore(opened(t, Schema, m))
	ctx := t.Context()
	require.NoError(t, s.AddTournament(ctx, &Tournament{
		ID: cup, Game: "Go", Location: "Oslo", Date: time.Date(2026, time.September, 5, 0, 0, 0, 0, time.UTC), Prize: 5000, Rules: "Japanese",
	}))
	require.NoError(t, s.AddMatch(ctx, &Match{TournamentID: cup, ID: "m1", Home: "t1", Away: "t2"}))
	require.NoError(t, s.AddPlayer(ctx, &Player{TournamentID: cup, ID: "p1", Name: "Ada"}))
	require.NoError(t, s.AddTeam(ctx, &Team{TournamentID: cup, ID: "t1", Name: "Stones"}))
	return typedModel{s}
}

func (b typedModel) Everything(ctx context.Context, id string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(b.tournaments, Tournament{ID: id}).Collection()))
}

func (b typedModel) Teams(ctx context.Context, id string) ([]string, error) {
	return listed(b.Store.Teams(ctx, id))
}

func (b typedModel) TeamsBySortKeyPrefix(ctx context.Context, id string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(b.teams, Team{TournamentID: id}).Collection().Prefix("TEAM#")))
}

func (b typedModel) Players(ctx context.Context, id string) ([]string, error) {
	return listed(b.Store.Players(ctx, id))
}

func (b typedModel) Details(ctx context.Context, id string) (string, error) {
	d, err := b.Store.Details(ctx, id)
	return d.line(), err
}

func (b typedModel) Program(ctx context.Context, id string) ([]string, error) {
	p, err := b.Store.Program(ctx, id)
	if err != nil {
		return nil, err
	}
	return programLines(p.Matches, p.Players, p.Teams, p.Tournament), nil
}

func (b typedModel) AddTeam(ctx context.Context, id, team, name string) error {
	return b.Store.AddTeam(ctx, &Team{TournamentID: id, ID: team, Name: name})
}

func (t Tournament) line() string { return "tournament " + t.Game + " " + t.Rules }
func (m Match) line() string      { return "match " + m.ID + " " + m.Home + " " + m.Away }
func (p Player) line() string     { return "player " + p.ID + " " + p.Name }
func (t Team) line() string       { return "team " + t.ID + " " + t.Name }

func (typedModel) UnknownItem() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "TOURNAMENT#" + cup}, "SK": &types.AttributeValueMemberS{Value: "TEAMS#t1"},
		"_type": &types.AttributeValueMemberS{Value: "teams"},
	}
}
