package trestle_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

func TestIsThrottled(t *testing.T) {
	t.Parallel()
	canceled := func(codes ...string) error {
		var list []types.CancellationReason
		for _, code := range codes {
			list = append(list, types.CancellationReason{Code: &code})
		}
		return &types.TransactionCanceledException{CancellationReasons: append(list, types.CancellationReason{})}
	}
	for err, want := range map[error]bool{
		&types.ProvisionedThroughputExceededException{}:                             true,
		&types.ThrottlingException{}:                                                true,
		&types.RequestLimitExceeded{}:                                               true,
		canceled("None", "ThrottlingError"):                                         true,
		canceled("ProvisionedThroughputExceeded", "None"):                           true,
		canceled("None", "TransactionConflict"):                                     false,
		&types.ConditionalCheckFailedException{Item: nil, Message: aws.String("m")}: false,
		context.Canceled: false,
	} {
		require.Equal(t, want, trestle.IsThrottled(err), err)
		require.Equal(t, want, trestle.IsThrottled(&trestle.OpError{Op: "put", Err: err}), err)
	}
	require.False(t, trestle.IsThrottled(nil))
}
