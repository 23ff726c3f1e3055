package stream

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// iteratorLife is how long an iterator can be used.
const iteratorLife = 15 * time.Minute

// iterator is a position in a shard.
type iterator struct {
	arn   string
	shard string
	next  uint64 // the number from which on to read; 0 is the oldest record there is
	made  int64  // milliseconds since 1970
}

// iteratorVersion stands in the text of an iterator, behind the stream's ARN.
const iteratorVersion = "|1|"

// String is the iterator as its text: opaque, but it begins with the stream's ARN, as the service's does.
func (it iterator) String() string {
	return it.arn + iteratorVersion + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s|%d|%d", it.shard, it.next, it.made))
}

// parseIterator understands an iterator's text.
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
	if _, err := fmt.Sscanf(numbers, "%d|%d", &it.next, &it.made); err != nil {
		return iterator{}, invalid
	}
	it.shard = shard
	return it, nil
}

// expired tells whether the iterator was made too long ago.
func (it iterator) expired(now time.Time) bool {
	return now.Sub(time.UnixMilli(it.made)) > iteratorLife
}
