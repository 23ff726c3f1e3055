package exec

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// plain is a retryer of the older interface. It always retries, without delay.
type plain struct{}

func (plain) IsErrorRetryable(error) bool                  { return true }
func (plain) MaxAttempts() int                             { return 5 }
func (plain) RetryDelay(int, error) (time.Duration, error) { return 0, nil }
func (plain) GetInitialToken() func(error) error           { return func(error) error { return nil } }
func (plain) GetRetryToken(context.Context, error) (func(error) error, error) {
	return func(error) error { return nil }, nil
}

// With any retryer of a client or a call, a request that may have been applied is sent again only
// if it is idempotent.
func TestUnsafeRetriesArePreventedForEveryRetryer(t *testing.T) {
	t.Parallel()
	set := func(r aws.Retryer) func(*dynamodb.Options) { return func(o *dynamodb.Options) { o.Retryer = r } }
	attempts := func(n int) func(*dynamodb.Options) { return func(o *dynamodb.Options) { o.RetryMaxAttempts = n } }
	for _, c := range []struct {
		name   string
		client []func(*dynamodb.Options)
		call   []func(*dynamodb.Options)
		again  int // requests of an idempotent put
	}{
		{"the client's", nil, nil, 3},
		{"the client's, with attempts of the call", nil, []func(*dynamodb.Options){attempts(4)}, 4},
		{"the call's", nil, []func(*dynamodb.Options){set(newRetryer(5))}, 5},
		{"the call's, of a client with one attempt", []func(*dynamodb.Options){attempts(1)}, []func(*dynamodb.Options){set(newRetryer(5))}, 5},
		{"of the older interface", nil, []func(*dynamodb.Options){set(plain{})}, 5},
		{"that does nothing", nil, []func(*dynamodb.Options){set(aws.NopRetryer{})}, 1},
		{"none", nil, []func(*dynamodb.Options){set(nil)}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, idempotent := range []bool{false, true} {
				s := &script{replies: []reply{reset}}
				e := newEnv(s, c.client...)
				e.SDK = c.call
				f := failureOf(t, Do(t.Context(), e, putOf(idempotent), nothing))
				require.Equal(t, trestle.Unknown, f.Outcome)
				want := 1
				if idempotent {
					want = c.again
				}
				require.Equal(t, want, s.sent)
			}
		})
	}
}

// twice is a client that calls each option twice.
type twice struct{ trestle.Client }

func (c twice) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return c.Client.PutItem(ctx, in, append(options, options...)...)
}

// A client may call the options of a call twice.
func TestOptionsAreCalledTwice(t *testing.T) {
	t.Parallel()
	s := &script{replies: []reply{throttles, fine}}
	e := newEnv(s)
	e.Client = twice{e.Client}
	calls := 0
	e.SDK = []func(*dynamodb.Options){func(*dynamodb.Options) { calls++ }}
	require.NoError(t, Do(t.Context(), e, putOf(false), nothing))
	require.Equal(t, 2, s.sent)
	require.Equal(t, 1, calls)
}
