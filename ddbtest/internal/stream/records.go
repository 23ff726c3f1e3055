package stream

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Limits of one reply.
const (
	maxRecords = 1000
	maxBytes   = 1 << 20
)

// GetRecords implements GetRecords. A closed shard has no next iterator once all its records were
// read.
func GetRecords(c *engine.Call, in *api.GetRecordsInput) (*api.GetRecordsOutput, error) {
	it, err := parseIterator(in.ShardIterator)
	if err != nil {
		return nil, err
	}
	out := &api.GetRecordsOutput{}
	err = viewSwept(c, func(s *store.State) error {
		st, err := findStream(s, it.arn)
		if err != nil {
			return err
		}
		now := c.Now()
		if it.expired(now) {
			return awserr.New("ExpiredIteratorException", "Iterator expired. The iterator was created at time %s while right now it is %s which is "+
				"further in the future than the tolerated delay of %d milliseconds.",
				time.UnixMilli(it.created).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339), iteratorLife.Milliseconds())
		}
		sh, ok := findShard(st, it.shard)
		if !ok || it.next != 0 && it.next <= st.Trimmed {
			return errTrimmed()
		}
		p := readRecords(st, sh, it.next, pageLimit(in.Limit, maxRecords), c.Config.Region)
		out.Records = p.records
		if p.more || sh.End == 0 {
			out.NextShardIterator = api.Pointer(iterator{arn: it.arn, shard: it.shard, next: p.next, created: now.UnixMilli()}.String())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// recordPage is the records of one reply.
type recordPage struct {
	records []api.Record
	next    uint64 // sequence number to continue from
	more    bool   // more records follow
}

// readRecords reads the records of the shard, starting with a sequence number.
func readRecords(st *store.Stream, sh store.Shard, from uint64, most int, region string) recordPage {
	p := recordPage{records: []api.Record{}, next: from}
	bytes := int64(0)
	for _, change := range st.Records.From(store.SequenceKey(max(from, sh.Start))) {
		if !inShard(sh, change.Sequence) {
			break
		}
		r := newRecord(st, change, region)
		if len(p.records) == most || len(p.records) > 0 && bytes+r.Dynamodb.SizeBytes > maxBytes {
			p.more = true
			break
		}
		bytes += r.Dynamodb.SizeBytes
		p.records = append(p.records, r)
		p.next = change.Sequence + 1
	}
	return p
}
