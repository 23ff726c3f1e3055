package ddbtest

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Fault is an [Effect] that has nothing to choose.
type Fault uint8

const (
	// Reset resets the connection before the request is applied.
	Reset Fault = iota + 1
	// Refused lets no connection be made: nothing leaves the client.
	Refused
	// Hang never answers: the client waits until its context ends. The request is not applied.
	Hang
	// InternalError is InternalServerError, status 500.
	InternalError
	// Unavailable is ServiceUnavailable, status 503.
	Unavailable

	// Truncate applies the request, and ends the reply's body in its middle.
	Truncate
	// WrongChecksum applies the request, and states a wrong checksum of the reply.
	WrongChecksum
	// Garbage applies the request, and answers with something that is not JSON, with the right length and checksum.
	Garbage

	// LateDuplicate resets the connection before the request is applied, and applies it right after the same request was served, once the
	// client has sent it again.
	LateDuplicate
	// LateDuplicateAfterWrite is LateDuplicate that waits, after that, for a successful write of another request to an item of this one.
	LateDuplicateAfterWrite

	// Conflict is a transaction on the item: TransactionConflictException of a single write, the reason TransactionConflict of a transaction,
	// at the action that the rule is about, or at the first.
	Conflict
	// ReplicatedWriteConflict is a write in another Region.
	ReplicatedWriteConflict
	// InProgress is TransactionInProgressException: another attempt with the transaction's token is under way.
	InProgress
	// CollectionFull is an item collection of 10 GB: ItemCollectionSizeLimitExceededException, or the reason of that name.
	CollectionFull

	// EmptyPage makes a page empty, with a key from which all of it follows.
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
	LateDuplicateAfterWrite: fault.LateDuplicate(fault.AfterOtherWriter),
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

// String is the fault's name.
func (f Fault) String() string { return f.effect().String() }

// effect is an [Effect] with a choice made.
type effect struct{ fault.Effect }

func (e effect) effect() fault.Effect { return e.Effect }
func (e effect) join(s *fault.Spec)   { s.Effects = append(s.Effects, e.Effect) }

// AfterCommit makes an effect happen when the request was applied already: the client cannot tell. It takes [Reset], [Hang], [InternalError],
// [Unavailable], [Delay], and [Error] with a status from 500 on. The others say that the request was not applied, or come after it by
// themselves.
func AfterCommit(e Effect) Effect {
	if e == nil {
		return effect{fault.Unknown("AfterCommit(nil)")}
	}
	return effect{fault.AfterCommit(e.effect())}
}

// Delay keeps the request on its way for a time of the database's clock, which holds up nobody else. When the client gives up in between, the
// request still arrives in the end, after whatever the client did in the meantime.
func Delay(d time.Duration) Effect { return effect{fault.Wait(d)} }

// Throttle refuses the request with ProvisionedThroughputExceededException. The reasons are those of the service, such as
// "TableWriteKeyRangeThroughputExceeded".
func Throttle(reasons ...string) Effect {
	return effect{fault.Throttle(fault.ProvisionedThroughput, reasons...)}
}

// ThrottleAs is [Throttle] under another of the service's names: "ThrottlingException" or "RequestLimitExceeded".
func ThrottleAs(name string, reasons ...string) Effect {
	return effect{fault.Throttle(name, reasons...)}
}

// Error refuses the request with any error of the service. It is not applied.
func Error(code, message string, status int) Effect { return effect{fault.Fail(code, message, status)} }

// Cancel cancels a transaction; its i-th action, from 0, has this reason, such as "ConditionalCheckFailed". Several name several actions.
func Cancel(i int, reason string) Effect { return effect{fault.Cancel(i, reason)} }

// All is as many as there are.
const All = fault.All

// Unprocessed makes a batch leave n of its parts undone, or [All].
func Unprocessed(n int) Effect { return effect{fault.LeaveUndone(n)} }

// UnprocessedRate makes a batch leave each of its parts undone by chance.
func UnprocessedRate(share float64) Effect { return effect{fault.LeaveSomeUndone(share)} }

// CutPage ends a page after n items, before filters, with a key from which the rest follows.
func CutPage(n int) Effect { return effect{fault.Cut(n)} }
