package ddbtest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// effectCase is the result of an effect on the operations to which it applies.
type effectCase struct {
	effect     ddbtest.Effect
	operations string // the operations; "" means all
	applied    bool   // whether the server applied the request
	result     string // what a client without retries observes; "" means no difference
	retried    bool   // whether the SDK retries
}

// The operations to which effects apply.
const (
	single            = "PutItem UpdateItem DeleteItem"
	batches           = "BatchGetItem BatchWriteItem"
	transactions      = "TransactGetItems TransactWriteItems"
	pages             = "Query Scan"
	writes            = single + " BatchWriteItem TransactWriteItems"
	reads             = "GetItem Query Scan BatchGetItem TransactGetItems"
	data              = reads + " " + writes
	withBody          = "-TagResource UntagResource" // all others
	canceledException = "TransactionCanceledException"
)

// effectCases lists all effects, except those that last until the client's context ends.
func effectCases() []effectCase {
	return []effectCase{
		{ddbtest.Reset, "", false, "reset", true},
		{ddbtest.Refused, "", false, "refused", true},
		{ddbtest.InternalError, "", false, "InternalServerError", true},
		{ddbtest.Unavailable, "", false, "ServiceUnavailable", true},
		{ddbtest.Error("AccessDeniedException", "no", 400), "", false, "AccessDeniedException", false},
		{ddbtest.AfterCommit(ddbtest.Reset), "", true, "reset", true},
		{ddbtest.AfterCommit(ddbtest.InternalError), "", true, "InternalServerError", true},
		{ddbtest.AfterCommit(ddbtest.Unavailable), "", true, "ServiceUnavailable", true},
		{ddbtest.AfterCommit(ddbtest.Error("GatewayTimeout", "", 504)), "", true, "GatewayTimeout", true},
		{ddbtest.Truncate, withBody, true, "cut", false},
		{ddbtest.InvalidJSON, withBody, true, "not decoded", false},
		{ddbtest.WrongChecksum, "", true, "", false},
		{ddbtest.Delay(time.Microsecond), "", true, "", false},
		{ddbtest.AfterCommit(ddbtest.Delay(time.Microsecond)), "", true, "", false},

		{ddbtest.Throttle(), pages + " GetItem " + single + " " + batches, false, "ThrottlingException", true},
		{ddbtest.Throttle(), transactions, false, canceledException + " [ThrottlingError None]", false},
		{ddbtest.Throttle("TableReadProvisionedThroughputExceeded"), pages + " GetItem BatchGetItem", false, "ProvisionedThroughputExceededException", true},
		{ddbtest.Throttle("TableReadProvisionedThroughputExceeded"), "TransactGetItems", false, canceledException + " [ProvisionedThroughputExceeded None]", false},
		{ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"), single + " BatchWriteItem", false, "ThrottlingException", true},
		{ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"), "TransactWriteItems", false, canceledException + " [ThrottlingError None]", false},
		{ddbtest.Throttle("ProvisionedThroughputExceededException"), data, false, "ProvisionedThroughputExceededException", true},
		{ddbtest.Throttle("ThrottlingException"), "", false, "ThrottlingException", true},
		{ddbtest.Throttle("RequestLimitExceeded"), "", false, "RequestLimitExceeded", true},

		{ddbtest.LateDuplicate, writes, false, "reset", true},
		{ddbtest.LateDuplicateAfterWrite, writes, false, "reset", true},
		{ddbtest.Conflict, single, false, "TransactionConflictException", false},
		{ddbtest.Conflict, transactions, false, canceledException + " [TransactionConflict None]", false},
		{ddbtest.CollectionFull, single + " BatchWriteItem", false, "ItemCollectionSizeLimitExceededException", false},
		{ddbtest.CollectionFull, "TransactWriteItems", false, canceledException + " [ItemCollectionSizeLimitExceeded None]", false},
		{ddbtest.ReplicatedWriteConflict, writes, false, "ReplicatedWriteConflictException", false},
		{ddbtest.InProgress, "TransactWriteItems", false, "TransactionInProgressException", true},
		{ddbtest.Cancel(1, "TransactionConflict"), transactions, false, canceledException + " [None TransactionConflict]", false},
		{ddbtest.Cancel(0, "ProvisionedThroughputExceeded"), transactions, false, canceledException + " [ProvisionedThroughputExceeded None]", false},
		{ddbtest.Cancel(0, "ThrottlingError"), transactions, false, canceledException + " [ThrottlingError None]", false},
		{ddbtest.Cancel(1, "ValidationError"), transactions, false, canceledException + " [None ValidationError]", false},
		{ddbtest.Cancel(0, "ConditionalCheckFailed"), "TransactWriteItems", false, canceledException + " [ConditionalCheckFailed None]", false},
		{ddbtest.Cancel(1, "ItemCollectionSizeLimitExceeded"), "TransactWriteItems", false, canceledException + " [None ItemCollectionSizeLimitExceeded]", false},

		// the unprocessed part is the one that the test looks at
		{ddbtest.Unprocessed(1), "BatchWriteItem", false, "1 left", false},
		{ddbtest.Unprocessed(1), "BatchGetItem", true, "1 left", false},
		{ddbtest.Unprocessed(100), batches, false, "3 left", false},
		{ddbtest.UnprocessedRate(1), batches, false, "3 left", false},
		// it costs the same as any other page
		{ddbtest.EmptyPage, pages, true, "0 items, more true", false},
		{ddbtest.CutPage(1), pages, true, "1 items, more true", false},
		{ddbtest.ExpiredIterator, "GetRecords", false, "ExpiredIteratorException", false},
		{ddbtest.TrimmedData, "GetRecords GetShardIterator", false, "TrimmedDataAccessException", false},
	}
}

// appliesTo reports whether the effect applies to the operation.
func (i *effectCase) appliesTo(operation string) bool {
	if others, not := strings.CutPrefix(i.operations, "-"); not {
		return !slices.Contains(strings.Fields(others), operation)
	}
	return i.operations == "" || slices.Contains(strings.Fields(i.operations), operation)
}

// TestEffectsOnOperations checks what the server did and what the SDK returned. A rule with
// an effect that does not apply to its operation is invalid.
func TestEffectsOnOperations(t *testing.T) {
	t.Parallel()
	all := operations()
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.name
	}
	require.ElementsMatch(t, fault.Operations(), slices.Concat(names, partiqlOperations))
	origin := newFullDatabase(t)
	meaning := map[string]map[string]bool{} // by effect and operation
	for _, i := range effectCases() {
		for _, o := range all {
			name := i.effect.String()
			if meaning[name] == nil {
				meaning[name] = map[string]bool{}
			}
			if !i.appliesTo(o.name) {
				continue
			}
			meaning[name][o.name] = true
			t.Run(o.name+" "+name, func(t *testing.T) {
				t.Parallel()
				i.once(t, origin.ForkFor(t), o)
				i.again(t, origin.ForkFor(t), o)
			})
		}
	}
	for _, i := range effectCases() {
		for _, o := range all {
			rule := ddbtest.New(ddbtest.Options{}).Fail(i.effect, ddbtest.Op(o.name))
			name := i.effect.String()
			require.Equal(t, meaning[name][o.name], rule.Err() == nil, "%s on %s: %v", name, o.name, rule.Err())
		}
	}
}

// once applies the effect to a client without retries.
func (i *effectCase) once(t *testing.T, db *ddbtest.DB, o operation) {
	t.Helper()
	usual, err := o.do(t.Context(), callerOf(t, db.ForkFor(t), nil))
	require.NoError(t, err)
	c := callerOf(t, db, aws.NopRetryer{})
	rule := db.Fail(ddbtest.Op(o.name), i.effect, ddbtest.First(1))
	shows, err := o.do(t.Context(), c)
	want := i.result
	if want == "" {
		want = usual
	}
	require.Equal(t, want, show(shows, err))
	require.Equal(t, 1, rule.Hits())
	if log := db.Requests(); o.applied != nil {
		require.Equal(t, i.effect.String(), log[len(log)-1].Fault)
		require.Equal(t, i.applied, o.applied(t, db, c))
	}
}

// again applies the effect to the first attempt of the SDK.
func (i *effectCase) again(t *testing.T, db *ddbtest.DB, o operation) {
	t.Helper()
	c := callerOf(t, db, nil)
	before := db.Cost().Total(o.name)
	db.Fail(ddbtest.Op(o.name), i.effect, ddbtest.First(1))
	shows, err := o.do(t.Context(), c)
	require.Equal(t, 1+count(i.retried), db.Cost().Total(o.name)-before, "attempts")
	if !i.retried {
		return
	}
	want := ""
	if i.applied {
		want = o.resultIfRepeated
	}
	if want != "" || err != nil {
		require.Equal(t, want, show(shows, err))
	}
	if o.applied != nil {
		require.True(t, o.applied(t, db, c))
	}
}

// show returns what the client observes of a reply or an error.
func show(shows string, err error) string {
	var canceled *types.TransactionCanceledException
	switch {
	case err == nil:
		return shows
	case errors.As(err, &canceled):
		var codes []string
		for _, r := range canceled.CancellationReasons {
			codes = append(codes, aws.ToString(r.Code))
		}
		return fmt.Sprintf("%s %v", canceledException, codes)
	default:
		return resultOf(err)
	}
}

// TestEffectsAreComplete checks that the table is complete.
func TestEffectsAreComplete(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{"Hang": true} // covered by TestEveryOperationHangs
	for _, i := range effectCases() {
		shown[i.effect.String()] = true
	}
	for f := ddbtest.Fault(1); !strings.HasPrefix(f.String(), "Fault("); f++ {
		require.True(t, shown[f.String()], f)
	}
}

// TestHangOnOperations checks that each operation blocks until the client's context ends,
// whether the request was applied or not.
func TestHangOnOperations(t *testing.T) {
	t.Parallel()
	for _, hang := range []struct {
		effect  ddbtest.Effect
		applied bool
	}{
		{ddbtest.Hang, false},
		{ddbtest.AfterCommit(ddbtest.Hang), true},
		{ddbtest.AfterCommit(ddbtest.Delay(time.Hour)), true},
	} {
		synctest.Test(t, func(t *testing.T) {
			origin := newFullDatabase(t)
			for _, o := range operations() {
				db := origin.ForkFor(t)
				c := callerOf(t, db, nil)
				rule := db.Fail(hang.effect, ddbtest.Op(o.name))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				began := time.Now()
				_, err := o.do(ctx, c)
				cancel()
				require.Equal(t, "gone", resultOf(err), o.name)
				require.Equal(t, time.Second, time.Since(began), o.name)
				require.Equal(t, 1, rule.Hits(), o.name)
				if rule.Remove(); o.applied != nil {
					require.Equal(t, hang.applied, o.applied(t, db, c), o.name)
				}
			}
		})
	}
}

// TestAfterCommitOfFailedRequest covers the effects that AfterCommit rejects: they mean that the
// request was not applied, or already act afterwards.
func TestAfterCommitOfFailedRequest(t *testing.T) {
	t.Parallel()
	for _, i := range effectCases() {
		name := i.effect.String()
		wanted := slices.Contains([]string{"Reset", "Hang", "InternalError", "Unavailable"}, name) || strings.HasPrefix(name, "Delay")
		rule := ddbtest.New(ddbtest.Options{}).Fail(ddbtest.AfterCommit(i.effect))
		require.Equal(t, wanted, rule.Err() == nil, name)
	}
}
