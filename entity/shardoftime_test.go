package entity_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

// The shard of a time is computed from the time in the sort key, and not from its day in the
// partition key: one day has items in all shards.
func TestShards_time(t *testing.T) {
	t.Parallel()
	type sample struct {
		At time.Time `dynamodbav:"at"`
	}
	for _, c := range []struct {
		pk, sk string
	}{
		{"S#<at:day>#<shard:at>", "<at:ms>"},
		{"S#<at:day>#<shard:at>", "<at:hour>#<at:ms>"},
		{"S#<at:day>#<shard:at>", "<at:ns>#<at:hour>"},
	} {
		s := entity.NewSchema(entity.Config{})
		samples := entity.DefineSpec[sample](s, entity.Spec{Type: "sample", Key: entity.KeySpec{PK: c.pk, SK: c.sk, Shards: []int{4}}})
		used := map[string]bool{}
		for i := range 100 {
			key, err := samples.KeyOf(sample{At: time.Date(2026, 8, 1, 12, 0, 0, i*int(time.Millisecond), time.UTC)})
			require.NoError(t, err)
			used[key["PK"].(*types.AttributeValueMemberS).Value] = true
		}
		require.Len(t, used, 4, "%s %s", c.pk, c.sk)
	}
}
