package exec

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// A call with a token of the caller may repeat an earlier call whose outcome is unknown, also one
// of another process. Its outcome is unknown until DynamoDB cancels a transaction with the token:
// DynamoDB checks the token before the conditions, and cancels a transaction only if it has applied
// none with the same token in the last ten minutes. Throttling alone shows nothing: a request that
// repeats an applied one reads the items, which can be throttled.

// outcomeOf returns the outcome of an operation before its first request.
func outcomeOf(o *op.Operation) trestle.Outcome {
	switch {
	case o.PreRead == nil && o.Actions[0].Verb == op.Get:
		return trestle.NoWrite
	case o.Token != "" && !o.Fresh && (o.PreRead != nil || !onlyChecks(o.Actions)):
		return trestle.Unknown
	default:
		return trestle.NotApplied
	}
}

// onlyChecks reports whether actions change nothing.
func onlyChecks(actions []op.Action) bool {
	for i := range actions {
		if actions[i].Verb != op.Check {
			return false
		}
	}
	return true
}

// Denied reports whether an error shows that DynamoDB has applied no transaction with the token: it
// canceled one for another reason than throttling.
func Denied(err error) bool {
	var canceled *types.TransactionCanceledException
	return errors.As(err, &canceled) && slices.ContainsFunc(canceled.CancellationReasons, func(r types.CancellationReason) bool {
		code := aws.ToString(r.Code)
		return code != reasonNone && !errs.Throttling[code]
	})
}

// settle returns the outcome of the call after a transaction with a token of the caller that failed
// with the outcome o, and keeps it if the failure shows that nothing was applied with the token.
func (c *Call) settle(o trestle.Outcome, r *Response) trestle.Outcome {
	switch {
	case o != trestle.NotApplied || errors.Is(r.err, errs.Tenant): // no call of another tenant is sent
		return o
	case r.attempts.denied || Denied(r.err):
		c.Outcome = trestle.NotApplied
	}
	return c.Outcome
}

// cannotPlan returns the error of an operation that cannot be planned from the stored items. They
// may be as they are because an earlier call with the same token was applied.
func (c *Call) cannotPlan(ctx context.Context, pre *op.PreRead, token string, err error) *trestle.OpError {
	if c.Outcome == trestle.Unknown {
		if e := c.applyNothing(ctx, pre, token); e != nil {
			return e
		}
	}
	return c.notSent(pre.Reads, err)
}

// applyNothing sends a transaction with the token that DynamoDB cancels, unless it has applied
// another one with the token. It returns nil if DynamoDB canceled it.
func (c *Call) applyNothing(ctx context.Context, pre *op.PreRead, token string) *trestle.OpError {
	check, ok := c.failingCheck(pre)
	if !ok {
		return c.Fail(errNoItem)
	}
	_, e := c.transact(ctx, []op.Action{check}, token)
	switch {
	case e == nil:
		c.Outcome = trestle.Unknown
		return c.Fail(errNotCanceled)
	case e.Outcome == trestle.NotApplied:
		return nil
	default:
		return e
	}
}

var (
	errNoItem      = unknownOf("no operation can be planned, and no item of them is known")
	errNotCanceled = unknownOf("a transaction was not canceled although its condition never holds")
)

func unknownOf(reason string) error {
	return &errs.ValidationError{Kind: errs.Unknown, Problems: []errs.Problem{{
		Reason: reason, Hint: "read the items to learn whether an earlier call was applied",
	}}}
}

// failingCheck returns a check of an item of the operation that never holds, because no key
// attribute is NULL. It returns false if no item is known.
func (c *Call) failingCheck(pre *op.PreRead) (check op.Action, ok bool) {
	if len(pre.Reads) > 0 {
		check = op.Action{Plan: pre.Reads[0].Plan, Table: pre.Reads[0].Table, Key: pre.Reads[0].Key}
	}
	for i := range c.members { // an operation that reads nothing has another item
		if m := &c.members[i]; check.Key == nil && m.Subject != nil {
			check = op.Action{Plan: m.Plan, Table: m.Table, Key: m.Subject, Member: i}
		}
	}
	if check.Key == nil {
		return check, false
	}
	check.Verb = op.Check
	check.Require(same(clause.Attribute(check.Plan.Schema.Partition.Name, clause.HasType, &types.AttributeValueMemberS{Value: "NULL"})))
	return check, true
}
