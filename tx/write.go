package tx

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
)

// CanceledError is the error of a transaction that was not applied because of some of its
// operations.
type CanceledError = trestle.CanceledError

// Failure is the failure of one operation of a transaction.
type Failure = trestle.Failure

// LimitError is the error of a transaction that exceeds 100 actions or 4 MB. It was not sent.
type LimitError = trestle.TransactionLimitError

// Write applies all operations or none of them. The operations may be of several types and tables
// of one client; on the handle of a tenant ([entity.Table.Tenant]), all are of that table and that
// tenant. No two of them may be on the same item, but items that the library writes with them, such
// as a counting item ([entity.Counted]), are combined. The call options and the observer are those
// of the repository of the first operation. An operation returns no item here, so it must not have
// [entity.Op.Return], nor a token of its own ([entity.Op.Once]).
//
// An operation that reads its item first does so here too, before the transaction, such as an
// overwrite of a versioned type. The transaction is conditional on what was read. If another writer
// changed it, Write plans and sends the transaction again, at most eight times in all. If
// operations met expired items and none failed, Write deletes these items and sends the transaction
// again ([entity.ShowExpired]). The version and timestamps of the entities are set only on success.
// All timestamps of one schema are the same.
//
// Write sends a new token for each call, also for a single operation. It is retried after a lost
// reply, because DynamoDB applies a token once. If no attempt gets a reply, or if DynamoDB cancels
// a retry after a lost reply, for example because a condition fails, the error is
// [trestle.ErrUnknown]: to repeat such a transaction safely, and to learn the reason, use
// [WriteOnce]. Conflicts are retried as [entity.Repo] documents.
//
// Without operations, Write does nothing and succeeds.
//
// It costs two write units per KB of each item, rounded up, and one per KB of each index entry. An
// operation that changes nothing costs the same: a check, and a condition that fails.
//
// Errors: [trestle.ErrInvalid] and [trestle.ErrLimit] before the transaction is sent, for the
// mistakes of all operations, with a [*LimitError] for more than 100 actions or 4 MB; they come
// before any read, except for actions that depend on the stored items, such as guards. A
// [*CanceledError] if operations fail, also if one fails in what it reads or writes before the
// transaction, such as a take of shard.Bounded; [trestle.ErrUnknown].
func Write(ctx context.Context, ops ...entity.Operation) error {
	_, err := NewWrite(ops...).Do(ctx)
	return err
}

// WriteOnce is [Write] with an idempotency token of the caller, of 1 to 36 bytes. A call with the
// same token and the same operations within ten minutes is not applied again, and succeeds. It
// costs the read units of the items. Create the token before the first call, and store it with the
// caller's request. Use it for one logical write only.
//
// What each call tells about the write of the token is the same as for [entity.Op.Once]: if the
// outcome is [trestle.NotApplied], no call with the token was applied. A [*CanceledError] is such
// an answer of DynamoDB, also if operations fail because of what they read before the transaction:
// then WriteOnce sends a condition check that never holds (2 write units). After any other failure
// of a request, and if it was only throttled, the error is [trestle.ErrUnknown]: call again with
// the same token.
//
// A call with the same token whose requests differ fails with [trestle.ErrUnknown] and
// IdempotentParameterMismatchException, because an earlier call of the same write may have been
// applied: read the items. Requests differ if they set another timestamp (roles created and
// updated), if they take a unique value of a type with a time to live or write an item that can
// expire (their conditions have the time in seconds), if they take from a limit of package shard
// (its lease has a time), or if they are planned from an item that has changed since. A put of a
// versioned entity differs after a successful call, because that has set the entity's next version.
func WriteOnce(ctx context.Context, token string, ops ...entity.Operation) error {
	_, err := NewWrite(ops...).Once(token).Do(ctx)
	return err
}

// WriteTransaction is operations to apply together. It is immutable and can be sent again: each
// time it is planned from the current values of the entities.
type WriteTransaction repo.Transaction

// NewWrite returns a transaction that can be inspected, explained and sent.
func NewWrite(ops ...entity.Operation) *WriteTransaction {
	list := make([]*repo.Op, len(ops))
	for i, o := range ops {
		list[i], _ = hooks.OperationOf(o).(*repo.Op)
	}
	return (*WriteTransaction)(repo.NewTransaction(list))
}

// Once binds the transaction to an idempotency token: see [WriteOnce].
func (t *WriteTransaction) Once(token string) *WriteTransaction {
	return (*WriteTransaction)((*repo.Transaction)(t).Once(token))
}

// Do sends the transaction: see [Write].
func (t *WriteTransaction) Do(ctx context.Context) (Result, error) {
	var r Result
	err := (*repo.Transaction)(t).Do(ctx, repo.Result{Capacity: &r.Capacity, Attempts: &r.Attempts})
	return r, err
}

// Result is the result of a transaction.
type Result struct {
	// Capacity sums all requests except those that were canceled, for which DynamoDB reports no
	// capacity. If the reply of the attempt that was applied is lost, it has the read units of the
	// retry.
	Capacity trestle.Capacity
	Attempts int // attempts of all requests, including retries
}

// Input returns the SDK input of the transaction, to inspect, test, or send by other means. It
// ignores [entity.ReadFirst]. It returns [trestle.ErrInvalid] if an operation depends on a read,
// such as an overwrite of a versioned type.
//
// Without a token of the caller, send it only once: the SDK sets a token in the input, and DynamoDB
// does not apply a second request with the same token within ten minutes.
func (t *WriteTransaction) Input() (*dynamodb.TransactWriteItemsInput, error) {
	return (*repo.Transaction)(t).Input()
}

// Explain explains the transaction and estimates its cost without sending it. The assumptions are
// those of the operations, in order; the last one applies to the rest.
func (t *WriteTransaction) Explain(assume ...trestle.Assumption) (trestle.TransactionExplanation, error) {
	return (*repo.Transaction)(t).Explain(assume)
}
