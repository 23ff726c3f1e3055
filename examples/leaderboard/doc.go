// Command leaderboard keeps the scores of players, and shows the best ones of a game.
//
// The board of a game is one partition key of an index. Each score is written there, and a
// partition takes 1,000 writes of a second, so the board has shards. model.go declares them, and
// store.go is the data access object of a service. A query merges the shards in the order of the
// scores. grow.go lets the board grow from 4 to 16 shards while the old entries stay where they
// are.
package main
