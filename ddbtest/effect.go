package ddbtest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Fault is an [Effect] that has nothing to choose.
type Fault uint8

const (
	// Reset resets the connection before the request is applied.
	Reset Fault = iota + 1
	// Refused lets no connection be made: nothing leaves the client. To a client of [DB.ServeHTTP], which has its connection, it is Reset.
	Refused
	// Hang never answers: the client waits until its context ends, so the call must have one with a deadline, for the SDK sets none. The
	// request is not applied.
	Hang
	// InternalError is InternalServerError, status 500.
	InternalError
	// Unavailable is ServiceUnavailable, status 503.
	Unavailable

	// Truncate applies the request, and ends the reply's body in its middle. The SDK for Go does not retry it.
	Truncate
	// WrongChecksum applies the request, and states a wrong checksum of the reply. The SDK for Go takes no notice.
	WrongChecksum
	// Garbage applies the request, and answers with something that is not JSON, with the right length and checksum. The SDK for Go does not retry it.
	Garbage

	// LateDuplicate resets the connection before the request is applied, and applies it right after the same request was served, once the
	// client has sent it again: in the SDK's next attempt, or else in a call of the same content.
	LateDuplicate
	// LateDuplicateAfterWrite is LateDuplicate that waits, after that, for a successful write of another call, be it of the same content, to
	// an item of this one.
	LateDuplicateAfterWrite

	// Conflict is a transaction on the item: TransactionConflictException of a single write, the reason TransactionConflict of a transaction,
	// at the action that the rule is about, or at the first. The SDK for Go retries neither.
	Conflict
	// ReplicatedWriteConflict is a write in another Region.
	ReplicatedWriteConflict
	// InProgress is TransactionInProgressException: another attempt with the transaction's token is under way.
	InProgress
	// CollectionFull is an item collection of 10 GB: ItemCollectionSizeLimitExceededException, or the reason of that name.
	CollectionFull

	// EmptyPage makes a page empty, with a key from which all of it follows. A query of a table without a sort key has no page that can be,
	// and a scan that finds nothing has none either.
	EmptyPage
	// ExpiredIterator is ExpiredIteratorException of GetRecords.
	ExpiredIterator
	// TrimmedData is TrimmedDataAccessException of GetRecords and GetShardIterator.
	TrimmedData
)

var faults = map[Fault]fault.Effect{
	Reset:                   fault.LoseByReset(),
	Refused:                 fault.Refuse(),
	Hang:                    fault.LoseByHang(),
	InternalError:           fault.InternalError(),
	Unavailable:             fault.Unavailable(),
	Truncate:                fault.Truncate(),
	WrongChecksum:           fault.SpoilChecksum(),
	Garbage:                 fault.Garble(),
	LateDuplicate:           fault.LateDuplicate(fault.AfterRetry),
	LateDuplicateAfterWrite: fault.LateDuplicate(fault.AfterOtherWriter).Named("LateDuplicateAfterWrite"),
	Conflict:                fault.Conflict(),
	ReplicatedWriteConflict: fault.ReplicatedWriteConflict(),
	InProgress:              fault.InProgress(),
	CollectionFull:          fault.CollectionFull(),
	EmptyPage:               fault.Empty(),
	ExpiredIterator:         fault.ExpiredIterator(),
	TrimmedData:             fault.TrimmedData(),
}

func (f Fault) effect() fault.Effect {
	if e, ok := faults[f]; ok {
		return e
	}
	return fault.Unknown(fmt.Sprintf("Fault(%d)", uint8(f)))
}

func (f Fault) join(s *fault.Spec) { s.Effects = append(s.Effects, f.effect()) }

func (f Fault) sole() (what, cure string) {
	if f == EmptyPage {
		return "EmptyPage", "one is enough"
	}
	return "", "" // of these a rule has one at most anyway
}

// String is the fault's name.
func (f Fault) String() string { return f.effect().String() }

// effect is an [Effect] with a choice made.
type effect struct {
	fault.Effect
	what, cure string // what a rule can choose once, and what to do where it does so twice
}

func (e effect) effect() fault.Effect      { return e.Effect }
func (e effect) join(s *fault.Spec)        { s.Effects = append(s.Effects, e.Effect) }
func (e effect) sole() (what, cure string) { return e.what, e.cure }

// AfterCommit makes an effect happen when the request was applied already: the client cannot tell. It takes [Reset], [Hang], [InternalError],
// [Unavailable], [Delay], and [Error] with a status from 500 on. The others say that the request was not applied, or come after it by
// themselves.
func AfterCommit(e Effect) Effect {
	if e == nil {
		return effect{Effect: fault.Unknown("AfterCommit(nil)")}
	}
	what, cure := e.sole()
	if what != "" {
		what = "AfterCommit of " + what
	}
	return effect{fault.AfterCommit(e.effect()), what, cure}
}

// Delay keeps the request on its way for a time of the database's clock, which holds up nobody else. When the client gives up in between, the
// request still arrives in the end, after whatever the client did in the meantime.
func Delay(d time.Duration) Effect {
	return effect{fault.Wait(d), "Delay", "give the whole time in one"}
}

// Throttle refuses a read or a write of items as the service does where the table's capacity is used up: with ThrottlingException where it is paid
// per request, else with ProvisionedThroughputExceededException. Of a batch, the parts that the rule is about stay unprocessed, unless these are
// all; a transaction is canceled at the first of them, which the SDK does not retry. The reasons are the limits that were met, by the service's names, such as
// "TableWriteKeyRangeThroughputExceeded", and are those of requests that can meet them: with "IndexWriteKeyRangeThroughputExceeded" and [OnIndex],
// writes are throttled because that index cannot take them.
func Throttle(reasons ...string) Effect {
	return effect{Effect: fault.Throttle("", reasons...).Named("Throttle(%s)", strings.Join(reasons, ", "))}
}

// ThrottleAs refuses the request as a whole, under one of the service's names: "ProvisionedThroughputExceededException", "ThrottlingException" or
// "RequestLimitExceeded". Without a reason, the last two are of any request.
func ThrottleAs(name string, reasons ...string) Effect {
	text := strings.Join(append([]string{name}, reasons...), ", ")
	return effect{Effect: fault.Throttle(name, reasons...).Named("ThrottleAs(%s)", text)}
}

// Error refuses the request with any error of the service. It is not applied.
func Error(code, message string, status int) Effect {
	return effect{Effect: fault.Fail(code, message, status).Named("Error(%s, %d)", code, status)}
}

// Cancel cancels a transaction; its i-th action, from 0, has this reason, such as "ConditionalCheckFailed". Several name several actions. A
// transaction with fewer actions does not meet the rule.
func Cancel(i int, reason string) Effect {
	return effect{fault.Cancel(i, reason).Named("Cancel(%d, %s)", i, reason), fmt.Sprintf("Cancel of action %d", i), "an action has one reason"}
}

// All is as many as there are.
const All = math.MaxInt

const oneUnprocessed = "choose one way"

// Unprocessed makes a batch leave n of its parts undone, or [All], which is more than the service does: it throttles a batch of which it can do nothing.
func Unprocessed(n int) Effect { return effect{fault.LeaveUndone(n), "Unprocessed", oneUnprocessed} }

// UnprocessedRate makes a batch leave each of its parts undone by chance.
func UnprocessedRate(share float64) Effect {
	return effect{fault.LeaveSomeUndone(share), "Unprocessed", oneUnprocessed}
}

// CutPage ends a page after n items, before filters, with a key from which the rest follows.
func CutPage(n int) Effect { return effect{fault.Cut(n), "CutPage", "a page ends at one place"} }
