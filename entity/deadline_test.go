package entity_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
)

// The error of a call whose deadline passes while it retries also wraps the reason of the retries.
// The control is a call that hangs: it has no other reason than the deadline.
func TestDeadlineKeepsTheCause(t *testing.T) {
	t.Parallel()
	code := func(name string) func(error) bool {
		return func(err error) bool {
			var api smithy.APIError
			return errors.As(err, &api) && api.ErrorCode() == name
		}
	}
	reads := func(c cancelableCall) bool { return !c.write }
	retried := func(c cancelableCall) bool { return c.write && c.retried }
	refused := func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
	for name, m := range map[string]struct {
		effect  ddbtest.Effect
		request ddbtest.RuleOption
		affects func(cancelableCall) bool
		want    trestle.Outcome
		cause   func(error) bool
	}{
		"throttled reads":    {ddbtest.Throttle(), readRequests, reads, trestle.NoWrite, trestle.IsThrottled},
		"throttled writes":   {ddbtest.Throttle(), writeRequests, func(c cancelableCall) bool { return c.write && !c.token() }, trestle.NotApplied, trestle.IsThrottled},
		"throttled tokens":   {ddbtest.Throttle(), writeRequests, cancelableCall.token, trestle.Unknown, trestle.IsThrottled}, // an earlier call may have been applied
		"unprocessed writes": {ddbtest.Unprocessed(25), ddbtest.Op("BatchWriteItem"), func(c cancelableCall) bool { return c.batch }, trestle.NotApplied, trestle.IsThrottled},
		"unprocessed reads":  {ddbtest.Unprocessed(100), ddbtest.Op("BatchGetItem"), func(c cancelableCall) bool { return c.name == "get many" }, trestle.NoWrite, trestle.IsThrottled},
		"refused reads":      {ddbtest.Refused, readRequests, reads, trestle.NoWrite, refused},
		"refused writes":     {ddbtest.Refused, writeRequests, func(c cancelableCall) bool { return c.write && !c.token() }, trestle.NotApplied, refused},
		"refused tokens":     {ddbtest.Refused, writeRequests, cancelableCall.token, trestle.Unknown, refused}, // an earlier call may have been applied
		"lost writes":        {ddbtest.AfterCommit(ddbtest.Reset), writeRequests, retried, trestle.Unknown, func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }},
		"failing reads":      {ddbtest.InternalError, readRequests, reads, trestle.NoWrite, code("InternalServerError")},
		"conflicts":          {ddbtest.Conflict, ddbtest.Op("PutItem", "UpdateItem", "DeleteItem"), func(c cancelableCall) bool { return c.name == "create" }, trestle.NotApplied, code("TransactionConflictException")},
		"hanging":            {ddbtest.Hang, readRequests, reads, trestle.NoWrite, func(err error) bool { return !trestle.IsThrottled(err) && !code("")(err) }},
	} {
		withCancelable(t, func(t *testing.T, db *ddbtest.DB, calls []cancelableCall) {
			before := db.Snapshot()
			for _, call := range calls {
				if !m.affects(call) {
					continue
				}
				db.Restore(before)
				rule := db.Fail(m.effect, m.request)
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
				err := call.do(ctx)
				cancel()
				rule.Remove()
				require.Positive(t, rule.Hits(), "%s: %s", name, call.name)
				require.ErrorIs(t, err, context.DeadlineExceeded, "%s: %s", name, call.name)
				require.True(t, m.cause(err), "%s: %s: %v", name, call.name, err)
				require.Equal(t, m.want, trestle.OutcomeOf(err), "%s: %s", name, call.name)
			}
		}, func(o *dynamodb.Options) { o.Retryer = waiting{o.Retryer} })
	}
}

// waiting is a retryer that waits for a minute before each retry.
type waiting struct{ aws.Retryer }

func (waiting) RetryDelay(int, error) (time.Duration, error) { return time.Minute, nil }
