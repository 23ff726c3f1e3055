package stream

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// viewSwept runs f on a state in which nothing is overdue.
func viewSwept(c *engine.Call, f func(*store.State) error) error {
	c.DB.Sweep(c.Config.TTLDelay)
	return c.DB.View(f)
}

// findStream returns the stream with the ARN.
func findStream(s *store.State, arn string) (*store.Stream, error) {
	if !isARN(arn) {
		return nil, awserr.Validation("Invalid StreamArn")
	}
	st := s.Streams[arn]
	if st == nil {
		return nil, awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: Stream: %s not found", arn)
	}
	return st, nil
}

// isARN reports whether a string looks like the ARN of a stream.
func isARN(text string) bool {
	_, resource, ok := strings.Cut(text, ":table/")
	return ok && strings.HasPrefix(text, "arn:aws:dynamodb:") && strings.Contains(resource, "/stream/")
}

// findShard returns the shard with the ID.
func findShard(st *store.Stream, id string) (store.Shard, bool) {
	for _, sh := range st.Shards {
		if sh.ID == id {
			return sh, true
		}
	}
	return store.Shard{}, false
}

// formatSequence formats a sequence number as the service does.
func formatSequence(n uint64) string { return fmt.Sprintf("%021d", n) }
