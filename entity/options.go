package entity

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/repo"
)

// TableOption is an option of [Schema.Open].
type TableOption interface{ table(*Table) }

// CallOption configures the calls of one repository ([Repo.With]) or of all repositories of a table
// ([Schema.Open]).
type CallOption interface {
	TableOption
	call(*repo.View)
}

type callOption func(*repo.View)

func (o callOption) table(t *Table)    { o(&t.view) }
func (o callOption) call(v *repo.View) { o(v) }

// Timeout limits the duration of each attempt of a call. The default is 10 seconds; it also
// replaces a d of zero or less. The context limits the whole call. An attempt that timed out is
// retried only if that is safe. Otherwise the write fails with [trestle.ErrUnknown].
func Timeout(d time.Duration) CallOption {
	return callOption(func(v *repo.View) { v.Exec.Timeout = d })
}

// ClientOptions passes options to the SDK with every call, after those of earlier calls. A Retryer
// determines the number of attempts and the backoff, but the library still prevents retries that
// are not safe.
func ClientOptions(options ...func(*dynamodb.Options)) CallOption {
	options = slices.DeleteFunc(slices.Clone(options), func(o func(*dynamodb.Options)) bool { return o == nil })
	return callOption(func(v *repo.View) {
		v.Exec.SDK = append(v.Exec.SDK[:len(v.Exec.SDK):len(v.Exec.SDK)], options...)
	})
}

// ReadFirst lets Update and Upsert read the item before they write it, if the changes affect an
// index key and do not determine it. This is the case if neither the changes nor the example give
// the value of a field of that key, or if DynamoDB computes the value, as for [attr.Add]. The read
// is strongly consistent and costs one read unit per 4 KB of the item, rounded up. The write has
// the condition that the values that were read are unchanged. If another writer has changed them,
// Update and Upsert read and write again, at most eight times in all.
func ReadFirst() CallOption {
	return callOption(func(v *repo.View) { v.ReadFirst = true })
}

// ShowExpired lets reads return expired items, as DynamoDB does until it deletes them, which takes
// up to some days.
//
// Without it, no read returns an item of a type with the role ttl from the second in that field on,
// by the clock of the schema. Reads of a repository, queries, scans and transactions check each
// item when it arrives: when the reply that has it is processed, also if the call sends more
// requests after it. A page that was read ahead is checked when the caller asks for it, and an item
// that a query fetches when it is fetched. Nothing is checked again later: an item can expire in
// the hands of the caller, such as in a page, or in the result of a long Collect or GetMany. A
// query and a scan of one type also have a filter in the request, so DynamoDB does not send most
// expired items; a count has one in any case. A read costs the same
// with expired items and without: also dropped items cost read units, as Explain reports. A value
// that DynamoDB ignores has not expired: another type than N, and a time more than five years in
// the past. A read through an index that does not project the field fails with
// [trestle.ErrInvalid], unless the query fetches the items (Fetch of package query).
//
// Writes treat an expired item of their type as none, alone and in transactions. An expired item of
// another type that shares the key still exists for them, so that no write replaces an item of
// another type. Create replaces it. Update, Check, Move and a Delete with a version or conditions
// return [trestle.ErrNotFound], and a Put with a version [trestle.ErrStale]. Upsert, Put and
// Overwrite begin anew: if they meet an expired item, and nothing else fails, they delete it and
// are sent again, which costs two more requests. If a condition of the write or another operation
// of the transaction fails, nothing is deleted. If the deletion fails, the write is not applied. A
// Put and an Overwrite without conditions, of a type without a version, unique values and counts,
// and a Delete without conditions do not depend on the old item. A unique value is free when its
// item has expired, and an expired item counts no others ([Counted]). The time of a write is that
// of its plan. A write with an idempotency token therefore depends on the time like a write of a
// type with the role updated. With ShowExpired, an expired item exists for writes too.
func ShowExpired() CallOption {
	return callOption(func(v *repo.View) { v.Expired = true })
}

// CoalesceReads lets eventually consistent Gets that run at the same time share requests. Gets of
// the same item in flight are one request. If the window is positive, a Get waits that long for
// others, and the Gets of up to 100 items that began meanwhile are one BatchGetItem, which needs
// that permission. Projections are not batched. A window of one or two milliseconds suits a service
// that reads a few popular items by many goroutines.
//
// Strong reads, other reads and transactions never share requests. A Get that begins after a write
// of the item by this program was acknowledged does not join a request that was sent before; like
// every eventually consistent read, it may still get an older item.
//
// Calls share requests if they have the same table value that Open returned, the same tenant,
// ClientOptions, Timeout and AttributeValues. The context of a call ends only its own wait; the
// request is canceled when no call waits for it. The event of one of the calls has the cost, and
// those of the others have Coalesced. An error of the request is that of each call.
//
// Each call decodes its own result. Results share no memory, so a caller may change its own.
//
// A test with package ddbtest must delay the replies, because otherwise a Get often has its reply
// before the next one begins, and later Gets are further requests:
//
//	db.Fail(ddbtest.Op("GetItem"), ddbtest.Delay(5*time.Millisecond))
func CoalesceReads(window time.Duration) CallOption {
	return callOption(func(v *repo.View) { v.Coalesce(window) })
}

// AttributeValues lets the SDK read the items of replies and write those of requests, as attribute
// values. It costs several times more CPU time and memory.
//
// Without it, reads with a client of the SDK, and writes that return an item, decode structs
// directly from the JSON of the reply, and the SDK's output of these requests has no items. A
// middleware of the client that uses the items of outputs therefore needs AttributeValues: one that
// changes them, or that stores outputs and returns them later. An interceptor that gets outputs
// does not need it: the library then uses attribute values. The results are the same, but replies
// of reads with a wrong checksum are only detected without AttributeValues.
//
// Without it, puts with a client of the SDK encode structs directly as JSON in the body of the
// request, and GetMany its keys. If the client or [ClientOptions] add a middleware or an
// interceptor, the SDK's input has the whole items and keys as attribute values, so that it can use
// and change them.
//
// With other clients and protocols than the SDK's, the library uses attribute values anyway.
func AttributeValues() CallOption {
	return callOption(func(v *repo.View) { v.Exec.AttributeValues = true })
}

// AsRead declares that the examples of Update and Upsert are whole items that the program read
// before. A zero field of the example is then a value, not a missing value. If an update uses a
// zero field for an index key, it checks that the item has the zero value or lacks the attribute;
// otherwise it fails with [trestle.ErrCondition]. If the type is versioned and the example has no
// version, the update checks that the item has no version; otherwise it fails with
// [trestle.ErrStale]. An example with a version implies AsRead, except with [ReadFirst].
func AsRead() CallOption {
	return callOption(func(v *repo.View) { v.AsRead = true })
}
