package shard_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/replayed"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// benchmarked is a call of the library, or the same call with the SDK alone.
type benchmarked struct {
	name    string
	prepare func(testing.TB, *box) func(context.Context, int) error
}

// benchShards is the number of shards of increments.
const benchShards = 16

// adds are increments in each mode, and the SDK's plain ADD to a random shard.
var adds = []benchmarked{
	{"exact forever", addIn(shard.ExactForever)},
	{"exact window", addIn(shard.ExactWindow)},
	{"approximate", addIn(shard.Approximate)},
	{"events", addIn(shard.Events)},
	{"writer owned", addInMemory},
	{"sdk", addPlain},
}

func addIn(m shard.Mode) func(testing.TB, *box) func(context.Context, int) error {
	return func(_ testing.TB, b *box) func(context.Context, int) error {
		votes := b.counters(shard.Config{Mode: m, Shards: benchShards})
		return func(ctx context.Context, i int) error {
			if m == shard.Approximate {
				return votes.Add(ctx, "a", 1)
			}
			return votes.Add(ctx, "a", 1, shard.Once(strconv.Itoa(1_000_000+i)))
		}
	}
}

// addInMemory adds, and flushes each thousandth time.
func addInMemory(_ testing.TB, b *box) func(context.Context, int) error {
	w := b.counters(shard.Config{Mode: shard.WriterOwned}).Writer()
	return func(ctx context.Context, i int) error {
		err := w.Add("a", 1)
		if err == nil && i%1000 == 999 {
			return w.Flush(ctx)
		}
		return err
	}
}

func addPlain(_ testing.TB, b *box) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		_, err := b.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String(tableName), Key: keyOf(fmt.Sprintf("%03d", i%benchShards)), UpdateExpression: aws.String("ADD #n :n"),
			ExpressionAttributeNames: map[string]string{"#n": "n"}, ExpressionAttributeValues: item{":n": number("1")},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		return err
	}
}

// newBenchBox returns a table in memory. If replay is set, only the first request of a kind reaches
// it.
func newBenchBox(t testing.TB, replay bool) *box {
	t.Helper()
	var options []func(*dynamodb.Options)
	if replay {
		options = append(options, new(replayed.Transport).Install)
	}
	db := ddbtest.Start(t)
	b := newBox(t, db.Client(options...), entity.Config{})
	b.db = db
	return b
}

// BenchmarkAdd measures one increment without the time of DynamoDB.
func BenchmarkAdd(b *testing.B) {
	for _, c := range adds {
		b.Run(c.name, func(b *testing.B) {
			call := c.prepare(b, newBenchBox(b, true))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := call(b.Context(), i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The benchmarked increments count.
func TestBenchmarkedAdds(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	modes := map[string]shard.Mode{"events": shard.Events, "writer owned": shard.WriterOwned}
	for _, c := range adds {
		b := newBenchBox(t, false)
		call := c.prepare(t, b)
		for i := range 1000 {
			require.NoError(t, call(t.Context(), i), c.name)
		}
		requireTotal(t, b.counters(shard.Config{Mode: modes[c.name], Shards: benchShards}), "a", 1000)
	}
}

// totals are totals of a number of shards, and the SDK's batch reads of the same items.
var totals = []struct {
	name  string
	total func(*box, int) func(context.Context) (int64, error)
}{
	{"trestle", func(b *box, shards int) func(context.Context) (int64, error) {
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: shards})
		return func(ctx context.Context) (int64, error) { return votes.Total(ctx, "a") }
	}},
	{"sdk", func(b *box, shards int) func(context.Context) (int64, error) {
		return func(ctx context.Context) (int64, error) { return sdkTotal(ctx, b, shards) }
	}},
}

// sdkTotal adds up the shards and the total item, in batches of 100.
func sdkTotal(ctx context.Context, b *box, shards int) (total int64, err error) {
	keys := []item{keyOf("total")}
	for i := range shards {
		keys = append(keys, keyOf(fmt.Sprintf("%03d", i)))
	}
	for len(keys) > 0 {
		n := min(len(keys), 100)
		out, err := b.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{tableName: {Keys: keys[:n], ConsistentRead: aws.Bool(true)}},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return 0, err
		}
		for _, i := range out.Responses[tableName] {
			total += int64Of(i["n"])
		}
		keys = keys[n:]
	}
	return total, nil
}

// newTotals returns a table with a counter: the shard i has i + 1.
func newTotals(t testing.TB, replay bool, shards int) *box {
	t.Helper()
	b := newBenchBox(t, replay)
	require.NoError(t, b.counters(shard.Config{Mode: shard.Approximate, Shards: shards}).Resize(t.Context(), "a", shards))
	for i := range shards {
		shardItem := keyOf(fmt.Sprintf("%03d", i))
		shardItem["n"], shardItem["_type"] = number(strconv.Itoa(i+1)), text("$U#count")
		b.db.Load(t, tableName, shardItem)
	}
	return b
}

func sumTo(n int) int64 { return int64(n * (n + 1) / 2) }

// BenchmarkTotal measures one total without the time of DynamoDB.
func BenchmarkTotal(b *testing.B) {
	for _, shards := range []int{16, 100} {
		for _, c := range totals {
			b.Run(fmt.Sprintf("%d shards/%s", shards, c.name), func(b *testing.B) {
				total := c.total(newTotals(b, true, shards), shards)
				b.ReportAllocs()
				for b.Loop() {
					if n, err := total(b.Context()); err != nil || n != sumTo(shards) {
						b.Fatal(n, err)
					}
				}
			})
		}
	}
}

// The benchmarked totals are right, also if the replies are replayed.
func TestBenchmarkedTotals(t *testing.T) {
	t.Parallel()
	for _, replay := range []bool{false, true} {
		for _, shards := range []int{16, 100} {
			for _, c := range totals {
				total := c.total(newTotals(t, replay, shards), shards)
				for range 3 {
					n, err := total(t.Context())
					require.NoError(t, err, c.name)
					require.Equal(t, sumTo(shards), n, c.name)
				}
			}
		}
	}
}
