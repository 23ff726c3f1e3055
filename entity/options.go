package entity

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/repo"
)

// TableOption changes how a table is opened.
type TableOption interface{ table(*Table) }

// CallOption configures calls, of one repository ([Repo.With]) or of all repositories of a table
// ([Schema.Open]).
type CallOption interface {
	TableOption
	call(*repo.View)
}

type callOption func(*repo.View)

func (o callOption) table(t *Table)    { o(&t.view) }
func (o callOption) call(v *repo.View) { o(v) }

// Timeout limits each attempt of a call. The default is 10 seconds, also for zero or less. The
// context limits the whole call. An attempt that timed out is retried only if that is safe.
// Otherwise the outcome of the write is unknown.
func Timeout(d time.Duration) CallOption {
	return callOption(func(v *repo.View) { v.Exec.Timeout = d })
}

// ClientOptions passes options to the SDK with every call, after those of earlier calls. A Retryer
// sets the number of attempts and the pauses, but the library still prevents retries that are not
// safe.
func ClientOptions(options ...func(*dynamodb.Options)) CallOption {
	options = slices.DeleteFunc(slices.Clone(options), func(o func(*dynamodb.Options)) bool { return o == nil })
	return callOption(func(v *repo.View) {
		v.Exec.SDK = append(v.Exec.SDK[:len(v.Exec.SDK):len(v.Exec.SDK)], options...)
	})
}

// ReadFirst lets Update and Upsert read the item, strongly consistent, if they render an index key
// again and do not know all its fields, or if the service computes the new value of such a field.
// The write is conditional on the values that were read. If another writer interferes, the write is
// planned again and tried at most eight times. The read costs one read unit per 4 KB of the item,
// rounded up, and is sent only if needed.
func ReadFirst() CallOption {
	return callOption(func(v *repo.View) { v.ReadFirst = true })
}

// AsRead declares that the examples for Update and Upsert are items as they were read, so their
// zero values count. If the update changes an index key with such a field, the item must have the
// zero or lack the attribute, or the write is [trestle.ErrCondition]. If an item of a versioned
// type was read without a version, the stored item must still have none, or the write is
// [trestle.ErrStale]. An example with a version implies AsRead, except with [ReadFirst].
func AsRead() CallOption {
	return callOption(func(v *repo.View) { v.AsRead = true })
}
