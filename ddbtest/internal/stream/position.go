package stream

import (
	"strconv"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// GetShardIterator implements GetShardIterator.
func GetShardIterator(c *engine.Call, in *api.GetShardIteratorInput) (*api.GetShardIteratorOutput, error) {
	if err := checkPosition(in); err != nil {
		return nil, err
	}
	out := &api.GetShardIteratorOutput{}
	err := viewSwept(c, func(s *store.State) error {
		st, err := findStream(s, in.StreamArn)
		if err != nil {
			return err
		}
		sh, ok := findShard(st, in.ShardId)
		if !ok {
			return awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: Shard does not exist")
		}
		now := c.Now()
		next, err := shardPosition{s, st, sh, now}.sequenceNumber(in)
		if err != nil {
			return err
		}
		out.ShardIterator = iterator{arn: st.ARN, shard: sh.ID, next: next, created: now.UnixMilli()}.String()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// checkPosition rejects a request whose type does not match its other members.
func checkPosition(in *api.GetShardIteratorInput) error {
	bySequence := in.ShardIteratorType == "AT_SEQUENCE_NUMBER" || in.ShardIteratorType == "AFTER_SEQUENCE_NUMBER"
	byTime := in.ShardIteratorType == "AT_TIMESTAMP"
	switch {
	case bySequence && in.SequenceNumber == nil:
		return awserr.Validation("One or more parameter values were invalid: Invalid SequenceNumber")
	case !bySequence && in.SequenceNumber != nil:
		return awserr.Validation("One or more parameter values were invalid: SequenceNumber should not be passed for this iterator type")
	case byTime && in.Timestamp == nil:
		return awserr.Validation("One or more parameter values were invalid: Invalid Timestamp")
	case !byTime && in.Timestamp != nil:
		return awserr.Validation("One or more parameter values were invalid: Timestamp should not be passed for this iterator type")
	default:
		return nil
	}
}

// shardPosition finds positions in a shard.
type shardPosition struct {
	state  *store.State
	stream *store.Stream
	shard  store.Shard
	now    time.Time
}

// sequenceNumber returns the sequence number to read from; 0 is the oldest record.
func (p shardPosition) sequenceNumber(in *api.GetShardIteratorInput) (uint64, error) {
	switch in.ShardIteratorType {
	case "TRIM_HORIZON":
		return 0, nil
	case "LATEST":
		return p.next(), nil
	case "AT_TIMESTAMP":
		return p.atTime(*in.Timestamp)
	}
	n, err := p.parseNumber(*in.SequenceNumber)
	if err == nil && in.ShardIteratorType == "AFTER_SEQUENCE_NUMBER" {
		n++
	}
	return n, err
}

// next returns the number after all existing records.
func (p shardPosition) next() uint64 { return p.state.Sequence + 1 }

// parseNumber parses a sequence number of the shard. The record may have been trimmed.
func (p shardPosition) parseNumber(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case err != nil, n < p.shard.Start, n > p.state.Sequence, p.shard.End != 0 && n > p.shard.End:
		return 0, awserr.Validation("One or more parameter values were invalid: Invalid SequenceNumber")
	case n <= p.stream.Trimmed:
		return 0, errTrimmed()
	default:
		return n, nil
	}
}

// atTime returns the sequence number of the first record of that time or later. It compares
// milliseconds, although records report whole seconds: no record written after the time may be
// missed.
func (p shardPosition) atTime(at float64) (uint64, error) {
	if at > float64(p.now.UnixMilli())/1000 {
		return 0, awserr.Validation("One or more parameter values were invalid: Timestamp is in the future")
	}
	for _, r := range p.stream.Records.From(store.SequenceKey(p.shard.Start)) {
		if inShard(p.shard, r.Sequence) && float64(r.At.UnixMilli())/1000 >= at {
			return r.Sequence, nil
		}
	}
	return p.next(), nil
}

// inShard reports whether the record with that number, which is not before the shard, is in the
// shard.
func inShard(sh store.Shard, n uint64) bool { return sh.End == 0 || n <= sh.End }

func errTrimmed() error {
	return awserr.New("TrimmedDataAccessException", "The operation attempted to read past the oldest stream record in a shard")
}
