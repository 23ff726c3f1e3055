package main

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

// faults makes transfers while the in-process database loses, delays and cancels requests.
func (t tour) faults(ctx context.Context) error {
	return program.RunSteps(ctx, t.lostReply, t.lostReplies, t.conflicts, t.canceled, t.lateDuplicate, t.lateCaller)
}

// lostReply breaks the connection once, after the transaction was applied.
func (t tour) lostReply(ctx context.Context) error {
	t.Printf("\n6. A lost reply")
	t.Printf("   The bank applies T-7, then the connection breaks.")
	return t.during(ctx, Transfer{ID: "T-7", From: ann, To: bob, Amount: 1_00}, ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Reset))
}

// lostReplies breaks the connection at each attempt. The caller repeats the transfer.
func (t tour) lostReplies(ctx context.Context) error {
	t.Printf("\n7. No reply at all")
	t.Printf("   The bank applies T-8, but the connection breaks at each attempt.")
	order := Transfer{ID: "T-8", From: ann, To: bob, Amount: 1_00}
	if err := t.during(ctx, order, ddbtest.AfterCommit(ddbtest.Reset)); err != nil {
		return err
	}
	return program.RunSteps(ctx, t.pay("Ann sends the same transfer again", order), t.audit)
}

// conflicts cancels a transaction twice, as if other transactions changed Bob's account.
func (t tour) conflicts(ctx context.Context) error {
	t.Printf("\n8. A transaction that is canceled")
	t.Printf("   Twice, another transaction changes Bob's account at the same time as T-9.")
	order := Transfer{ID: "T-9", From: ann, To: bob, Amount: 1_00}
	return t.during(ctx, order, ddbtest.First(2), ddbtest.Cancel(3, "TransactionConflict"))
}

// canceled cancels a transaction that a client without retries sends.
func (t tour) canceled(ctx context.Context) error {
	t.Printf("   T-10 is sent by a client that makes one attempt only.")
	once := entity.ClientOptions(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	t.store = Store{t.store.accounts.With(once), t.store.entries.With(once)}
	order := Transfer{ID: "T-10", From: ann, To: bob, Amount: 1_00}
	return t.during(ctx, order, ddbtest.First(1), ddbtest.Cancel(3, "TransactionConflict"))
}

// lateDuplicate delays the first attempt until its retry was applied.
func (t tour) lateDuplicate(ctx context.Context) error {
	t.Printf("\n9. A late duplicate")
	t.Printf("   The first attempt of T-11 is delayed. It arrives after the second one was applied.")
	return t.during(ctx, Transfer{ID: "T-11", From: ann, To: bob, Amount: 1_00}, ddbtest.First(1), ddbtest.LateDuplicate)
}

// lateCaller repeats a transfer after DynamoDB has forgotten its token.
func (t tour) lateCaller(ctx context.Context) error {
	t.Printf("\n10. A late caller")
	t.Printf("   An hour later DynamoDB has forgotten the tokens, but the entries exist.")
	t.db.Advance(time.Hour)
	return program.RunSteps(ctx,
		t.pay("Ann's browser sends T-1 again", Transfer{ID: "T-1", From: ann, To: bob, Amount: 30_00}),
		t.fail("It sends T-1 with 31.00", Transfer{ID: "T-1", From: ann, To: bob, Amount: 31_00}, ErrReused),
		t.audit,
	)
}

// during makes a transfer while a rule acts. It prints the number of requests and the error.
func (t tour) during(ctx context.Context, order Transfer, rule ...ddbtest.RuleOption) error {
	r := t.db.Fail(append(rule, ddbtest.Op("TransactWriteItems"))...)
	defer r.Remove()
	var err error
	cost := t.db.Measure(func() { err = t.store.Transfer(ctx, order) })
	r.Remove()
	t.Printf("   %s: %d requests, %s", order.ID, cost.Total("TransactWriteItems"), trestle.OutcomeOf(err))
	t.Printf("     %s", program.ErrorText(err))
	return t.audit(ctx)
}
