package main

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// votingTable is a table of votes that another program has written, as the AWS documentation shows
// it: the shards of a candidate have the numbers 1 to 4. The total was stored without the first
// shard.
var votingTable = []struct{ candidate, votes, total string }{
	{"CandidateA#1", "10238", ""},
	{"CandidateA#2", "8452", ""},
	{"CandidateA#3", "9148", ""},
	{"CandidateA#4", "11092", ""},
	{"CandidateA#Total", "28692", "28692"},
}

const lastUpdate = "2019-09-30T11:35:53"

// The total of the table is the sum of its shards. The stored total is not one of them, and it is
// what the published total was.
func TestExistingTable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		// The table has no sort key, and its items have no type. With Raw, keys are not escaped.
		schema := entity.NewSchema(entity.Config{Partition: entity.S("Candidate"), NoSort: true, Raw: true, TypeAttribute: entity.None})
		table, err := schema.Open(client, "voting")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for _, row := range votingTable {
			item := map[string]types.AttributeValue{
				"Candidate": &types.AttributeValueMemberS{Value: row.candidate}, "Vote-Counter": &types.AttributeValueMemberN{Value: row.votes},
				"Last-Update": &types.AttributeValueMemberS{Value: lastUpdate},
			}
			if row.total != "" {
				item["Total"] = &types.AttributeValueMemberN{Value: row.total}
			}
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("voting"), Item: item})
			require.NoError(t, err)
		}
		s := Store{shard.NewCounters(table, family, shard.Config{
			Shards: 4, Names: []string{"CandidateA"},
			Keys: &shard.Keys{
				Shard: "<name>#<shard>", Total: "<name>#Total", First: 1, Count: "Vote-Counter", TotalCount: "Total", Updated: "Last-Update",
			},
		})}

		total, err := s.Total(t.Context(), "CandidateA")
		require.NoError(t, err)
		require.EqualValues(t, 38930, total)
		published, err := s.Published(t.Context(), "CandidateA")
		require.NoError(t, err)
		at, err := time.Parse("2006-01-02T15:04:05", lastUpdate)
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: 28692, AsOf: at}, published)

		// The library continues to count in the same items.
		for range 2 {
			require.NoError(t, s.Vote(t.Context(), "ann", "CandidateA"))
		}
		require.NoError(t, s.Publish(t.Context()))
		published, err = s.Published(t.Context(), "CandidateA")
		require.NoError(t, err)
		require.EqualValues(t, 38931, published.Value)
		standings, err := s.Standings(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, []shard.Standing{{Name: "CandidateA", Value: 38931}}, standings)
	})
}
