package explore_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// BenchmarkSearch measures the runs per second of two clients with three requests each. SDKAlone
// sends the same six requests with the SDK, without a search.
func BenchmarkSearch(b *testing.B) {
	three := func(ctx context.Context, c *dynamodb.Client) {
		for range 3 {
			_, _ = get(ctx, c, "a")
		}
	}
	b.Run("Trestle", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; n < b.N; {
			r := explore.Search(explore.Options{
				Setup: table(item{"id": str("a")}), Faults: noFaults, NoReduction: true, MaxRuns: b.N - n,
			}, func(w *explore.World) {
				w.Client("alice", three)
				w.Client("bob", three)
				w.Finally(holds)
			})
			require.Nil(b, r.Failure)
			n += r.Runs
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	})
	b.Run("SDKAlone", func(b *testing.B) {
		b.ReportAllocs()
		db := ddbtest.New(ddbtest.Options{})
		table(item{"id": str("a")})(db)
		for range b.N {
			for range 2 {
				c := db.Client()
				for range 3 {
					_, err := c.GetItem(b.Context(), &dynamodb.GetItemInput{TableName: aws.String("items"), Key: key("a"), ConsistentRead: aws.Bool(true)})
					require.NoError(b, err)
				}
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	})
}
