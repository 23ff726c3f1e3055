package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Tournament is the first entity of a partition that also has its matches, players and teams.
type Tournament struct {
	_        entity.Key `type:"tournament" pk:"TOURNAMENT#<id>" sk:"TOURNAMENT"`
	ID       string     `dynamodbav:"id"` // a UUID
	Game     string     `dynamodbav:"game"`
	Location string     `dynamodbav:"location"`
	Date     time.Time  `dynamodbav:"date"`
	Prize    int        `dynamodbav:"prize"`
	Rules    string     `dynamodbav:"rules"`
}

// Player is a player of a team in a tournament.
type Player struct {
	_            entity.Key `type:"player" pk:"TOURNAMENT#<tournament_id>" sk:"PLAYER#<id>"`
	TournamentID string     `dynamodbav:"tournament_id"`
	ID           string     `dynamodbav:"id"`
	Name         string     `dynamodbav:"name"`
	Team         string     `dynamodbav:"team"`
}

// Team is a team in a tournament.
type Team struct {
	_            entity.Key `type:"team" pk:"TOURNAMENT#<tournament_id>" sk:"TEAM#<id>"`
	TournamentID string     `dynamodbav:"tournament_id"`
	ID           string     `dynamodbav:"id"`
	Name         string     `dynamodbav:"name"`
	Points       int        `dynamodbav:"points"`
}

// Match is a match of two teams. GSI1 has the matches of a tournament sorted by time.
type Match struct {
	_            entity.Key   `type:"match" pk:"TOURNAMENT#<tournament_id>" sk:"MATCH#<id>"`
	_            entity.Index `name:"schedule" on:"GSI1" pk:"TOURNAMENT#<tournament_id>" sk:"MATCH#<starts:s>#<id>"`
	TournamentID string       `dynamodbav:"tournament_id"`
	ID           string       `dynamodbav:"id"`
	Home         string       `dynamodbav:"home"`
	Away         string       `dynamodbav:"away"`
	Starts       time.Time    `dynamodbav:"starts"`
}

// Basics is the projection of a tournament for a list of tournaments.
type Basics struct {
	Location string    `dynamodbav:"location"`
	Date     time.Time `dynamodbav:"date"`
	Game     string    `dynamodbav:"game"`
	Prize    int       `dynamodbav:"prize"`
}

var (
	Schema      = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Tournaments = entity.Define[Tournament](Schema)
	Players     = entity.Define[Player](Schema)
	Teams       = entity.Define[Team](Schema)
	Matches     = entity.Define[Match](Schema)
	BasicsOf    = entity.Project[Basics](Tournaments)

	Starts = attr.Must(func(m *Match) *time.Time { return &m.Starts })
	Points = attr.Must(func(t *Team) *int { return &t.Points })
)
