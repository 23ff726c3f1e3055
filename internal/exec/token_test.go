package exec

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// TestTokenOutcomes checks what the replies to a transaction with a token of the caller say about
// earlier calls with the token. For a token that no earlier call has sent, they are about this call
// only.
func TestTokenOutcomes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replies     []reply
		once, fresh trestle.Outcome
	}{
		"applied":                      {[]reply{fine}, trestle.Applied, trestle.Applied},
		"condition":                    {[]reply{canceled("ConditionalCheckFailed")}, trestle.NotApplied, trestle.NotApplied},
		"conflicts":                    {[]reply{canceled("TransactionConflict")}, trestle.NotApplied, trestle.NotApplied},
		"throttling of an item":        {[]reply{canceled("ThrottlingError")}, trestle.Unknown, trestle.NotApplied},
		"throttling, and condition":    {[]reply{canceled("ThrottlingError", "ConditionalCheckFailed")}, trestle.NotApplied, trestle.NotApplied},
		"conflict, then refused":       {[]reply{canceled("TransactionConflict"), refused}, trestle.NotApplied, trestle.NotApplied},
		"throttling, then conflict":    {[]reply{canceled("ThrottlingError"), canceled("TransactionConflict")}, trestle.NotApplied, trestle.NotApplied},
		"refused, then condition":      {[]reply{refused, canceled("ConditionalCheckFailed")}, trestle.NotApplied, trestle.NotApplied},
		"conflict, then lost":          {[]reply{canceled("TransactionConflict"), reset}, trestle.Unknown, trestle.Unknown},
		"lost, then condition":         {[]reply{reset, canceled("ConditionalCheckFailed")}, trestle.Unknown, trestle.Unknown},
		"lost":                         {[]reply{reset}, trestle.Unknown, trestle.Unknown},
		"another request":              {[]reply{code(400, "IdempotentParameterMismatchException")}, trestle.Unknown, trestle.Unknown},
		"conflict, then another":       {[]reply{canceled("TransactionConflict"), code(400, "IdempotentParameterMismatchException")}, trestle.Unknown, trestle.Unknown},
		"running, then condition":      {[]reply{inProgress, canceled("ConditionalCheckFailed")}, trestle.Unknown, trestle.Unknown},
		"refused":                      {[]reply{refused}, trestle.Unknown, trestle.NotApplied},
		"throttled":                    {[]reply{throttles}, trestle.Unknown, trestle.NotApplied},
		"no permission":                {[]reply{code(400, "AccessDeniedException")}, trestle.Unknown, trestle.NotApplied},
		"expired credentials":          {[]reply{code(400, "ExpiredTokenException")}, trestle.Unknown, trestle.NotApplied},
		"no table":                     {[]reply{code(400, "ResourceNotFoundException")}, trestle.Unknown, trestle.NotApplied},
		"rejected before the token is": {[]reply{code(400, "ValidationException")}, trestle.Unknown, trestle.NotApplied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for _, fresh := range []bool{false, true} {
					want := c.once
					if fresh {
						want = c.fresh
					}
					o := addOf(1, "token")
					o.Fresh = fresh
					err := Do(t.Context(), newEnv(&script{replies: c.replies}), o, nothing)
					require.Equal(t, want, trestle.OutcomeOf(err), "fresh: %t: %v", fresh, err)
					require.Equal(t, want == trestle.Unknown, errors.Is(err, errs.Unknown), "fresh: %t: %v", fresh, err)
				}
				checks := addOf(1, "token")
				checks.Actions[0].Verb, checks.Actions[0].Changes = op.Check, nil
				err := Do(t.Context(), newEnv(&script{replies: c.replies}), checks, nothing)
				require.NotEqual(t, trestle.Unknown, trestle.OutcomeOf(err), "it changes nothing")
			})
		})
	}
}

// unplannable reads an item, and cannot be planned from it.
func unplannable(token string) *op.Operation {
	p := &core.Plan{Schema: &core.Schema{Partition: core.Attribute{Name: "PK"}}}
	return &op.Operation{Name: "delete", Plan: p, Token: token, PreRead: &op.PreRead{
		Reads: []op.Action{{Verb: op.Get, Plan: p, Key: op.Item{"PK": text("a")}, Idempotent: true}},
		Plan:  func([]op.Item) ([]op.Action, error) { return nil, errs.NotFound },
	}}
}

// TestTokenOfAnUnplannedOperation checks what is said of an operation that cannot be planned from
// the item that it reads. With a token of the caller, DynamoDB is asked about the token.
func TestTokenOfAnUnplannedOperation(t *testing.T) {
	t.Parallel()
	mismatch := code(400, "IdempotentParameterMismatchException")
	for name, c := range map[string]struct {
		replies []reply // to the read, and to the check
		outcome trestle.Outcome
		sent    int
	}{
		"canceled":               {[]reply{fine, canceled("ConditionalCheckFailed")}, trestle.NotApplied, 2},
		"conflicts":              {[]reply{fine, canceled("TransactionConflict")}, trestle.NotApplied, 2 + maxConflicts},
		"throttling of an item":  {[]reply{fine, canceled("ThrottlingError")}, trestle.Unknown, 2 + maxConflicts},
		"another request":        {[]reply{fine, mismatch}, trestle.Unknown, 2},
		"lost":                   {[]reply{fine, reset}, trestle.Unknown, 4},
		"no permission":          {[]reply{fine, code(400, "AccessDeniedException")}, trestle.Unknown, 2},
		"applied, against sense": {[]reply{fine, fine}, trestle.Unknown, 2},
		"the read is refused":    {[]reply{refused}, trestle.Unknown, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{replies: c.replies}
				var seen trestle.Event
				e := newEnv(s)
				e.Observer = ends(func(_ context.Context, ev trestle.Event) { seen = ev })
				err := Do(t.Context(), e, unplannable("token"), nothing)
				require.Equal(t, c.outcome, trestle.OutcomeOf(err), "%v", err)
				require.Equal(t, c.outcome, seen.Outcome)
				require.Equal(t, c.outcome == trestle.Unknown, errors.Is(err, errs.Unknown), "%v", err)
				require.Equal(t, c.outcome == trestle.NotApplied, errors.Is(err, errs.NotFound), "%v", err)
				require.Equal(t, c.sent, s.sent)

				s = &script{replies: []reply{fine}}
				err = Do(t.Context(), newEnv(s), unplannable(""), nothing)
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
				require.ErrorIs(t, err, errs.NotFound)
				require.Equal(t, 1, s.sent, "without a token, the item says it")
			})
		})
	}
	o := unplannable("token")
	o.PreRead.Reads = nil
	err := Do(t.Context(), newEnv(&script{replies: []reply{fine}}), o, nothing)
	require.ErrorIs(t, err, errs.Unknown, "there is no item for the check")
}

// A request that is not sent because it is of another tenant applies nothing, and neither did an
// earlier call.
func TestTokenOfAnotherTenant(t *testing.T) {
	t.Parallel()
	c := Call{Event: trestle.Event{Outcome: trestle.Unknown}}
	require.Equal(t, trestle.NotApplied, c.settle(trestle.NotApplied, &Response{err: errs.Tenant, attempts: &attempts{}}))
	require.Equal(t, trestle.Unknown, c.settle(trestle.NotApplied, &Response{err: errs.New("", "no", ""), attempts: &attempts{}}))
}
