package ddbtest

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Fault is an [Effect] without parameters.
type Fault uint8

const (
	// Reset resets the connection before the request is applied.
	Reset Fault = iota + 1
	// Refused refuses the connection, so the request never leaves the client. A client of
	// [DB.ServeHTTP] already has a connection: it gets a reset.
	Refused
	// Hang never replies: the client waits until its context ends. Give the call a context with a
	// deadline, because the SDK sets none. The request is not applied.
	Hang
	// InternalError is InternalServerError, status 500.
	InternalError
	// Unavailable is ServiceUnavailable, status 503.
	Unavailable

	// Truncate applies the request and cuts the reply's body in the middle. The SDK for Go does not
	// retry it.
	Truncate
	// WrongChecksum applies the request and sends a wrong checksum with the reply. The SDK for Go
	// ignores it.
	WrongChecksum
	// InvalidJSON applies the request and replies with a body that is not JSON, with a correct
	// length and checksum. The SDK for Go does not retry it.
	InvalidJSON

	// LateDuplicate resets the connection before the request is applied, and applies it later:
	// right after the client's retry was served. The retry is the SDK's next attempt, or otherwise
	// another call with the same content.
	LateDuplicate
	// LateDuplicateAfterWrite is like LateDuplicate, but then waits for a successful write to the
	// same item by another call, even one with the same content.
	LateDuplicateAfterWrite

	// Conflict simulates a concurrent transaction on the item. A single write fails with
	// TransactionConflictException. A transaction is canceled with the reason TransactionConflict,
	// at the action that the rule matches or else at the first. The SDK for Go retries neither.
	Conflict
	// ReplicatedWriteConflict simulates a concurrent write in another Region.
	ReplicatedWriteConflict
	// InProgress is TransactionInProgressException: another attempt with the same transaction token
	// is running.
	InProgress
	// CollectionFull simulates an item collection that has reached 10 GB:
	// ItemCollectionSizeLimitExceededException, or the cancellation reason of that name.
	CollectionFull

	// EmptyPage returns an empty page with a LastEvaluatedKey from which all items of the page
	// follow. The key is one that DynamoDB accepts as ExclusiveStartKey: of a query, it is in the
	// partition and in the range of the key condition; of an index, the partition key of the table
	// is that of an item, if possible. A page that continues after a key returns this key again.
	//
	// EmptyPage has no effect if there is no such key: on a query of a table without a sort key, on
	// a query whose first item has the first key of the range, on a query of a global index that
	// finds nothing, and on a scan that finds nothing.
	EmptyPage
	// ExpiredIterator is ExpiredIteratorException of GetRecords.
	ExpiredIterator
	// TrimmedData is TrimmedDataAccessException of GetRecords and GetShardIterator.
	TrimmedData
)

var faults = map[Fault]fault.Effect{
	Reset:                   fault.ResetConnection(),
	Refused:                 fault.RefuseConnection(),
	Hang:                    fault.HangForever(),
	InternalError:           fault.InternalError(),
	Unavailable:             fault.Unavailable(),
	Truncate:                fault.Truncate(),
	WrongChecksum:           fault.InvalidChecksum(),
	InvalidJSON:             fault.InvalidBody(),
	LateDuplicate:           fault.LateDuplicate(fault.AfterRetry),
	LateDuplicateAfterWrite: fault.LateDuplicate(fault.AfterOtherWrite),
	Conflict:                fault.Conflict(),
	ReplicatedWriteConflict: fault.ReplicatedWriteConflict(),
	InProgress:              fault.InProgress(),
	CollectionFull:          fault.CollectionFull(),
	EmptyPage:               fault.EmptyPage(),
	ExpiredIterator:         fault.ExpiredIterator(),
	TrimmedData:             fault.TrimmedData(),
}

func (f Fault) effect() fault.Effect {
	if e, ok := faults[f]; ok {
		return e
	}
	return fault.Unknown(fmt.Sprintf("Fault(%d)", uint8(f)))
}

func (f Fault) addTo(s *fault.Spec) { s.Effects = append(s.Effects, f.effect()) }

func (f Fault) unique() (what, advice string) {
	if f == EmptyPage {
		return "EmptyPage", "use one EmptyPage"
	}
	return "", "" // a rule has at most one of these anyway
}

// String returns the fault's name.
func (f Fault) String() string { return f.effect().String() }

// effect is an [Effect] with parameters.
type effect struct {
	fault.Effect
	what, advice string // a choice that a rule makes only once, and the advice if it is made twice
}

func (e effect) effect() fault.Effect          { return e.Effect }
func (e effect) addTo(s *fault.Spec)           { s.Effects = append(s.Effects, e.Effect) }
func (e effect) unique() (what, advice string) { return e.what, e.advice }

// AfterCommit applies the effect after the request was applied, so the client cannot know whether
// it was applied. AfterCommit accepts [Reset], [Hang], [InternalError], [Unavailable], [Delay], and
// [Error] with a status of at least 500. Other effects are invalid: they tell the client that the
// request was not applied, or already act after it was applied.
func AfterCommit(e Effect) Effect {
	if e == nil {
		return effect{Effect: fault.Unknown("AfterCommit(nil)")}
	}
	what, advice := e.unique()
	if what != "" {
		what = "AfterCommit of " + what
	}
	return effect{fault.AfterCommit(e.effect()), what, advice}
}

// Delay delays the request by d on the database's clock. Other requests are not delayed. If the
// client gives up meanwhile, the request is still applied at the end of the delay.
func Delay(d time.Duration) Effect {
	return effect{fault.Delay(d), "Delay", "use one Delay with the total time"}
}

// Throttle throttles a read or a write of items as DynamoDB does when the capacity of a table is
// used up. The error is ThrottlingException for an on-demand table, and
// ProvisionedThroughputExceededException otherwise. In a batch, the parts that the rule matches are
// unprocessed; if it matches all parts, the whole request fails. A transaction is canceled at the
// first matching action, which the SDK does not retry.
//
// The names are DynamoDB's names of the exceeded limits, such as
// "TableWriteKeyRangeThroughputExceeded". The rule matches only requests that can exceed all of
// them. With "IndexWriteKeyRangeThroughputExceeded" and [OnIndex], writes are throttled because the
// index lacks capacity.
//
// The names can also include the name of an error: "ProvisionedThroughputExceededException",
// "ThrottlingException" or "RequestLimitExceeded". Throttle then fails the whole request with this
// error, even a batch or a transaction. Without the name of a limit, the last two apply to every
// operation.
func Throttle(names ...string) Effect { return effect{Effect: fault.Throttle(names...)} }

// Error fails the request with any error of DynamoDB. The request is not applied.
func Error(code, message string, status int) Effect {
	return effect{Effect: fault.Error(code, message, status)}
}

// Cancel cancels a transaction with this reason, such as "ConditionalCheckFailed", at the i-th
// action, counted from 0. Use one Cancel effect per action. A transaction with fewer actions does
// not match the rule.
func Cancel(i int, reason string) Effect {
	return effect{fault.Cancel(i, reason), fmt.Sprintf("Cancel of action %d", i), "an action has one reason"}
}

const oneUnprocessed = "use one of them"

// Unprocessed leaves n parts of a batch unprocessed, or all if there are fewer. DynamoDB never
// leaves all parts unprocessed: it throttles such a batch as a whole.
func Unprocessed(n int) Effect { return effect{fault.Unprocessed(n), "Unprocessed", oneUnprocessed} }

// UnprocessedRate leaves each part of a batch unprocessed with this probability, from 0 to 1.
func UnprocessedRate(probability float64) Effect {
	return effect{fault.UnprocessedRate(probability), "Unprocessed", oneUnprocessed}
}

// CutPage ends a page after n items, counted before filters, with a LastEvaluatedKey from which the
// rest follows.
func CutPage(n int) Effect { return effect{fault.CutPage(n), "CutPage", "use one CutPage"} }
