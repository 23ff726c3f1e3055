package stream

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// iteratorLife is how long a shard iterator is valid.
const iteratorLife = 15 * time.Minute

// iterator is a position in a shard.
type iterator struct {
	arn     string
	shard   string
	next    uint64 // sequence number to read from; 0 is the oldest record
	created int64  // milliseconds since 1970
}

// iteratorVersion follows the ARN of the stream in the text of an iterator.
const iteratorVersion = "|1|"

// String returns the text of the iterator. It is opaque, but begins with the ARN of the stream, as
// the service's does.
func (it iterator) String() string {
	return it.arn + iteratorVersion + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s|%d|%d", it.shard, it.next, it.created))
}

// parseIterator parses the text of an iterator.
func parseIterator(text string) (iterator, error) {
	invalid := awserr.Validation("Invalid ShardIterator")
	arn, rest, ok := strings.Cut(text, iteratorVersion)
	if !ok {
		return iterator{}, invalid
	}
	inner, err := base64.StdEncoding.DecodeString(rest)
	if err != nil {
		return iterator{}, invalid
	}
	it := iterator{arn: arn}
	shard, numbers, _ := strings.Cut(string(inner), "|")
	if _, err := fmt.Sscanf(numbers, "%d|%d", &it.next, &it.created); err != nil {
		return iterator{}, invalid
	}
	it.shard = shard
	return it, nil
}

// expired reports whether the iterator is too old.
func (it iterator) expired(now time.Time) bool {
	return now.Sub(time.UnixMilli(it.created)) > iteratorLife
}
