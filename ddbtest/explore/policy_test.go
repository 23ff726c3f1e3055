package explore_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestPolicy applies a policy to one of two clients.
func TestPolicy(t *testing.T) {
	t.Parallel()
	var restricted func(*dynamodb.Options)
	setup := func(db *ddbtest.DB) {
		table()(db)
		restricted = db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*",
			"Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"own"}}}}`})
	}
	r := explore.Search(explore.Options{Setup: setup, Faults: noFaults}, func(w *explore.World) {
		var denied, allowed error
		w.Client("restricted", func(ctx context.Context, c *dynamodb.Client) {
			_, denied = put(ctx, c, key("own")), put(ctx, c, key("a"))
		}, restricted)
		w.Client("free", func(ctx context.Context, c *dynamodb.Client) { allowed = put(ctx, c, key("b")) })
		w.Finally(func(*ddbtest.DB) error {
			var api smithy.APIError
			require.ErrorAs(t, denied, &api)
			require.Equal(t, "AccessDeniedException", api.ErrorCode())
			return allowed
		})
	})
	requireProof(t, r)
}
