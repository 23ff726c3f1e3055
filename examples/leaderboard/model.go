package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Score is the best score of a player in a game.
type Score struct {
	Player string `dynamodbav:"player"`
	Game   string `dynamodbav:"game"`
	Points int    `dynamodbav:"points"`
	Motto  string `dynamodbav:"motto,omitempty"`
}

// define returns a schema whose boards have these numbers of shards. As tags of Score, with four
// shards, it is
//
//	_ entity.Key   `type:"score" pk:"PLAYER#<player>" sk:"SCORE#<game>"`
//	_ entity.Index `name:"board" on:"GSI1" pk:"BOARD#<game>#<shard>" sk:"<points:08,desc>#<player>"
//	                shards:"4"`
//
// The shard of a score is computed from its key in the table: the player and the game. Scores sort
// from high to low, and players with equal scores by name.
func define(shards ...int) (*entity.Schema, *entity.Type[Score]) {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	return s, entity.DefineSpec[Score](s, entity.Spec{
		Type:    "score",
		Key:     entity.KeySpec{PK: "PLAYER#<player>", SK: "SCORE#<game>"},
		Indexes: []entity.IndexSpec{{Name: "board", On: "GSI1", PK: "BOARD#<game>#<shard>", SK: "<points:08,desc>#<player>", Shards: shards}},
	})
}

var (
	Schema, Scores = define(4)
	// The next versions of the program. The first one already reads 16 shards, and still writes to
	// 4, so that it can run beside the old program. The second one also writes to 16: old entries
	// are in the first 4 shards of them.
	Prepared, PreparedScores = define(16, 4)
	Grown, GrownScores       = define(4, 16)

	Points = attr.Must(func(s *Score) *int { return &s.Points })
	Motto  = attr.Must(func(s *Score) *string { return &s.Motto })
)
