package stream

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

const invalidValues = "One or more parameter values were invalid: "

// TestPositions reads from each type of position among five records, which are one second apart.
func TestPositions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "positions", "KEYS_ONLY")
		began := c.Now()
		for n := range int64(5) {
			put(c, "positions", id(n))
			c.DB.Clock.Advance(time.Second)
		}
		d := latest(t, c, "positions")
		arn, shard := d.StreamArn, d.Shards[0].ShardId
		all := horizon(t, c, "positions")
		number := func(i int) *string { return &all[i].Dynamodb.SequenceNumber }
		for _, test := range []struct {
			kind   string
			number *string
			first  int
		}{
			{"TRIM_HORIZON", nil, 0},
			{"AT_SEQUENCE_NUMBER", d.Shards[0].SequenceNumberRange.StartingSequenceNumber, 0},
			{"AT_SEQUENCE_NUMBER", number(0), 0},
			{"AFTER_SEQUENCE_NUMBER", number(0), 1},
			{"AT_SEQUENCE_NUMBER", number(4), 4},
			{"AFTER_SEQUENCE_NUMBER", number(4), 5},
			{"LATEST", nil, 5},
		} {
			it, err := at(c, arn, shard, test.kind, test.number)
			require.NoError(t, err)
			require.Equal(t, all[test.first:], records(t, c, it).Records, test.kind)
		}
		for offset, first := range map[time.Duration]int{
			-time.Hour: 0, 0: 0, 2 * time.Second: 2, 2*time.Second + time.Millisecond: 3, 4 * time.Second: 4, 5 * time.Second: 5,
		} {
			out, err := GetShardIterator(c, &api.GetShardIteratorInput{
				StreamArn: arn, ShardId: shard, ShardIteratorType: "AT_TIMESTAMP", Timestamp: api.Seconds(began.Add(offset)),
			})
			require.NoError(t, err)
			require.Equal(t, all[first:], records(t, c, out.ShardIterator).Records, "%v", offset)
		}
	})
}

// TestTimestampPositions checks that AT_TIMESTAMP finds records written after it in the same
// second.
func TestTimestampPositions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "moments", "KEYS_ONLY")
		c.DB.Clock.Advance(300 * time.Millisecond)
		before := c.Now()
		c.DB.Clock.Advance(400 * time.Millisecond)
		put(c, "moments", id(1))
		after := c.Now().Add(time.Millisecond)
		c.DB.Clock.Advance(time.Millisecond)
		d := latest(t, c, "moments")
		for moment, want := range map[time.Time]int{before: 1, after: 0} {
			out, err := GetShardIterator(c, &api.GetShardIteratorInput{
				StreamArn: d.StreamArn, ShardId: d.Shards[0].ShardId, ShardIteratorType: "AT_TIMESTAMP", Timestamp: api.Seconds(moment),
			})
			require.NoError(t, err)
			require.Len(t, records(t, c, out.ShardIterator).Records, want)
		}
	})
}

// TestLatestReadsLaterRecords reads later writes with one iterator.
func TestLatestReadsLaterRecords(t *testing.T) {
	t.Parallel()
	c := open(t, "coming", "KEYS_ONLY")
	put(c, "coming", id(1))
	d := latest(t, c, "coming")
	it, err := at(c, d.StreamArn, d.Shards[0].ShardId, "LATEST", nil)
	require.NoError(t, err)
	for n := int64(2); n < 5; n++ {
		empty := records(t, c, it)
		require.Empty(t, empty.Records)
		require.NotNil(t, empty.Records)
		it = *empty.NextShardIterator
		put(c, "coming", id(n))
		page := records(t, c, it)
		require.Len(t, page.Records, 1)
		require.Equal(t, id(n), page.Records[0].Dynamodb.Keys)
		it = *page.NextShardIterator
	}
}

// TestInvalidPositions checks the error messages.
func TestInvalidPositions(t *testing.T) {
	t.Parallel()
	c := open(t, "refusing", "KEYS_ONLY")
	put(c, "refusing", id(1))
	d := latest(t, c, "refusing")
	arn, shard := d.StreamArn, d.Shards[0].ShardId
	start := d.Shards[0].SequenceNumberRange.StartingSequenceNumber
	for _, test := range []struct {
		name string
		in   api.GetShardIteratorInput
		code string
		want string
	}{
		{"no ARN", api.GetShardIteratorInput{StreamArn: "x", ShardId: shard, ShardIteratorType: "LATEST"}, awserr.CodeValidation, "Invalid StreamArn"},
		{"a table's ARN", api.GetShardIteratorInput{StreamArn: "arn:aws:dynamodb:us-east-1:123456789012:table/refusing", ShardId: shard, ShardIteratorType: "LATEST"},
			awserr.CodeValidation, "Invalid StreamArn"},
		{"no stream", api.GetShardIteratorInput{StreamArn: arn + "x", ShardId: shard, ShardIteratorType: "LATEST"}, awserr.CodeResourceNotFound,
			"Requested resource not found: Stream: " + arn + "x not found"},
		{"no shard", api.GetShardIteratorInput{ShardId: shard + "x", ShardIteratorType: "LATEST"}, awserr.CodeResourceNotFound,
			"Requested resource not found: Shard does not exist"},
		{"no number", api.GetShardIteratorInput{ShardIteratorType: "AT_SEQUENCE_NUMBER"}, awserr.CodeValidation, invalidValues + "Invalid SequenceNumber"},
		{"a number too many", api.GetShardIteratorInput{ShardIteratorType: "LATEST", SequenceNumber: start}, awserr.CodeValidation,
			invalidValues + "SequenceNumber should not be passed for this iterator type"},
		{"not a number", api.GetShardIteratorInput{ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: api.Pointer("x")}, awserr.CodeValidation,
			invalidValues + "Invalid SequenceNumber"},
		{"a number before the shard", api.GetShardIteratorInput{ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: api.Pointer("0")},
			awserr.CodeValidation, invalidValues + "Invalid SequenceNumber"},
		{"a number that never was", api.GetShardIteratorInput{ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: api.Pointer("000000000000000000999")},
			awserr.CodeValidation, invalidValues + "Invalid SequenceNumber"},
		{"a number too large", api.GetShardIteratorInput{ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: api.Pointer("999999999999999999999999999999")},
			awserr.CodeValidation, invalidValues + "Invalid SequenceNumber"},
		{"no time", api.GetShardIteratorInput{ShardIteratorType: "AT_TIMESTAMP"}, awserr.CodeValidation, invalidValues + "Invalid Timestamp"},
		{"a time too many", api.GetShardIteratorInput{ShardIteratorType: "LATEST", Timestamp: api.Pointer(1.0)}, awserr.CodeValidation,
			invalidValues + "Timestamp should not be passed for this iterator type"},
		{"a time to come", api.GetShardIteratorInput{ShardIteratorType: "AT_TIMESTAMP", Timestamp: api.Seconds(c.Now().Add(time.Hour))}, awserr.CodeValidation,
			invalidValues + "Timestamp is in the future"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := test.in
			if in.StreamArn == "" {
				in.StreamArn = arn
			}
			if in.ShardId == "" {
				in.ShardId = shard
			}
			_, err := GetShardIterator(c, &in)
			requireServiceError(t, err, test.code, test.want)
		})
	}
}

// TestIteratorsExpire advances the clock: an iterator is valid for 15 minutes, a record for 24
// hours.
func TestIteratorsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "ending", "KEYS_ONLY")
		put(c, "ending", id(1))
		d := latest(t, c, "ending")
		arn, shard := d.StreamArn, d.Shards[0].ShardId
		number := horizon(t, c, "ending")[0].Dynamodb.SequenceNumber
		position := func(kind string, number *string) string {
			it, err := at(c, arn, shard, kind, number)
			require.NoError(t, err)
			return it
		}

		it := position("TRIM_HORIZON", nil)
		c.DB.Clock.Advance(15 * time.Minute)
		require.Len(t, records(t, c, it).Records, 1)
		c.DB.Clock.Advance(time.Millisecond)
		requireCode(t, c, it, "ExpiredIteratorException")

		// a minute before the record is trimmed
		c.DB.Clock.Advance(23*time.Hour + 44*time.Minute)
		byNumber, oldest := position("AT_SEQUENCE_NUMBER", &number), position("TRIM_HORIZON", nil)
		c.DB.Clock.Advance(time.Minute)
		requireCode(t, c, byNumber, "TrimmedDataAccessException")
		require.Empty(t, records(t, c, oldest).Records, "the oldest record that there is")
		for _, kind := range []string{"AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"} {
			_, err := at(c, arn, shard, kind, &number)
			requireServiceError(t, err, "TrimmedDataAccessException", "The operation attempted to read past the oldest stream record in a shard")
		}

		// the shard was closed at the first request after four hours, and is trimmed a day later
		c.DB.Clock.Advance(23*time.Hour + 44*time.Minute)
		oldest = position("TRIM_HORIZON", nil)
		require.Nil(t, records(t, c, oldest).NextShardIterator)
		c.DB.Clock.Advance(15 * time.Minute)
		requireCode(t, c, oldest, "TrimmedDataAccessException")
		_, err := at(c, arn, shard, "TRIM_HORIZON", nil)
		requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Shard does not exist")
	})
}

func requireCode(t *testing.T, c *engine.Call, iterator, code string) {
	t.Helper()
	_, err := GetRecords(c, &api.GetRecordsInput{ShardIterator: iterator})
	refusal := new(awserr.Error)
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, code, refusal.Code)
}

// TestInvalidIterators reads from invalid iterators.
func TestInvalidIterators(t *testing.T) {
	t.Parallel()
	c := open(t, "texts", "KEYS_ONLY")
	arn := latest(t, c, "texts").StreamArn
	for _, text := range []string{"", "x", "|1|", arn, arn + "|1|", arn + "|1|%", arn + "|1|eA==", arn + "|2|eHwxfDE="} {
		_, err := GetRecords(c, &api.GetRecordsInput{ShardIterator: text})
		requireServiceError(t, err, awserr.CodeValidation, "Invalid ShardIterator")
	}
	it := iterator{arn: arn, shard: "shard|x", next: 1<<64 - 1, created: c.Now().UnixMilli()}
	requireCode(t, c, it.String(), awserr.CodeValidation)
	it.arn = strings.Replace(arn, "texts", "other", 1)
	it.shard = "none"
	requireCode(t, c, it.String(), awserr.CodeResourceNotFound)
}

func FuzzIterator(f *testing.F) {
	f.Add(iterator{arn: "arn:aws:dynamodb:r:1:table/t/stream/x", shard: "shardId-1", next: 3, created: 4}.String())
	f.Add("x|1|eHwxfDE=")
	f.Fuzz(func(t *testing.T, text string) {
		it, err := parseIterator(text)
		if err != nil {
			return
		}
		again, err := parseIterator(it.String())
		if err != nil || again != it {
			t.Fatalf("%q: %+v became %+v, %v", text, it, again, err)
		}
	})
}
