package databases_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestStoredResetWhileRunning resets and removes a database while clients write to it. No request
// gets an error of a closed file.
func TestStoredResetWhileRunning(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{Folder: t.TempDir(), Fixtures: fixtures(t, things)})
	var ended atomic.Bool
	var written atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for !ended.Load() {
				db, err := d.Open(key("one", "us-east-1"))
				if err != nil {
					t.Error(err)
					return
				}
				client := db.DB.Client(func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
				_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"),
					Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "b"}}})
				var api smithy.APIError
				if errors.As(err, &api) {
					t.Error(api.ErrorCode())
				}
				if err == nil {
					written.Add(1)
				}
			}
		})
	}
	for i := range testsize.Pick(20, 100, 1_000) {
		one := open(t, d, "one", "us-east-1")
		for before := written.Load(); written.Load() < before+10; {
			require.NoError(t, t.Context().Err())
		}
		if i%2 == 0 {
			_, err := d.Reset(one, true, false)
			require.NoError(t, err)
		} else {
			require.NoError(t, d.Remove(one, false))
		}
	}
	ended.Store(true)
	all.Wait()
	require.NoError(t, open(t, d, "one", "us-east-1").DB.Err())
	closeAll(t, d)
}
