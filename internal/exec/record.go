package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// record stores an entry of each partition that the request needs one of. It returns the responses.
func (c *Config) record(ctx context.Context, in any) (sent []Response, err error) {
	for _, r := range c.Registries {
		now := c.Now()
		for _, partition := range r.Missing(in, now) {
			put := r.Put(partition, now)
			reply := c.action(ctx, &put)
			sent = append(sent, reply)
			if reply.err != nil && !isNewer(reply.err) {
				return sent, &recordError{reply.err}
			}
			r.Know(partition, now)
		}
	}
	return sent, nil
}

// isNewer reports whether an entry was not stored, because there is one that has no earlier time.
func isNewer(err error) bool {
	var failed *types.ConditionalCheckFailedException
	return errors.As(err, &failed)
}

// recordError is the error of a request that was not sent, because a partition of its tenant could
// not be recorded.
type recordError struct{ err error }

func (e *recordError) Error() string {
	return "not sent, because the partition of the tenant could not be recorded: " + e.err.Error()
}

func (e *recordError) Unwrap() error { return e.err }

const notRecorded = "the request was not sent, because the entry of its partition (RecordPartitions) could not be stored: repeat the call"

// accountForEntry adds the request that stored an entry to the statistics. A failed condition is a
// write that consumed one unit; DynamoDB does not report it.
func (c *Call) accountForEntry(r *Response) {
	c.Attempts += r.attempts.n
	c.Throttled = merge(c.Throttled, r.attempts.throttled...)
	c.Requests++
	if isNewer(r.err) {
		c.Capacity.Write++
	}
	c.consume(r.consumed, true)
}
