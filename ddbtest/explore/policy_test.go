package explore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
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

// TestPolicies sends equal requests of two clients with different policies. Each may do one of
// them. The search must not take a request of one client for that of the other. Without the policy
// of the guest, it finds the guest's write.
func TestPolicies(t *testing.T) {
	t.Parallel()
	search := func(restricted bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults}, func(w *explore.World) {
			addOne := func(ctx context.Context, c *dynamodb.Client) {
				_ = add(ctx, c, "b", 1)
				_ = add(ctx, c, "a", 1)
			}
			w.Client("owner", addOne, w.DB().WithPolicy(only("a")))
			if restricted {
				w.Client("guest", addOne, w.DB().WithPolicy(only("b")))
			} else {
				w.Client("guest", addOne)
			}
			w.Finally(numberIs("a", 1))
		})
	}
	requireProof(t, search(true))
	require.Contains(t, requireFailure(t, search(false)).String(), "guest")
}

// only returns a policy that allows one partition.
func only(key string) ddbtest.Policy {
	return ddbtest.Policy{
		Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*",
			"Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:PrincipalTag/key}"},"Null":{"dynamodb:LeadingKeys":"false"}}}}`,
		Variables: map[string]string{"aws:PrincipalTag/key": key},
	}
}

// TestPoliciesOfOneClient sends equal requests with two policies at one moment. Their order differs
// from run to run, so the search must distinguish them.
func TestPoliciesOfOneClient(t *testing.T) {
	t.Parallel()
	runs := 0
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		runs++
		w.Client("both", func(ctx context.Context, c *dynamodb.Client) {
			allowed, denied := w.DB().WithPolicy(only("a")), w.DB().WithPolicy(only("b"))
			order := []func(*dynamodb.Options){allowed, denied, allowed}[runs%2:]
			var both sync.WaitGroup
			for _, policy := range order[:2] {
				both.Go(func() {
					if _, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("items"), Item: key("a")}, policy); err == nil {
						_ = put(ctx, c, key("c"))
					}
				})
			}
			both.Wait()
		})
		w.Client("another", func(ctx context.Context, c *dynamodb.Client) { _ = put(ctx, c, key("b")) })
		w.Finally(func(db *ddbtest.DB) error {
			if n := len(db.Dump("items")); n != 3 {
				return fmt.Errorf("%d items are stored", n)
			}
			return nil
		})
	})
	requireProof(t, r)
}
