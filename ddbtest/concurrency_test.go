package ddbtest_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

const (
	workers  = 64
	counters = 8
	funds    = 100 * counters // the constant total of all counters
	bank     = "bank"         // the table of the counters, changed only by transactions
)

// workload is a test with many clients that use every operation concurrently.
type workload struct {
	testing.TB
	db      *ddbtest.DB
	client  *dynamodb.Client
	streams *dynamodbstreams.Client
	prefix  string // of tables' ARNs

	mu        sync.Mutex
	succeeded map[string]int // by operation
}

// TestConcurrentOperations checks that concurrent operations leave no partial, lost or stale data.
func TestConcurrentOperations(t *testing.T) {
	t.Parallel()
	newWorkload(t).run(testsize.Pick(60, 150, 600))
}

// TestConcurrentOperationsInBubble runs with a clock that does not advance by itself.
func TestConcurrentOperationsInBubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { newWorkload(t).run(testsize.Pick(20, 60, 200)) })
}

var workloadOptions = ddbtest.Options{TableDelay: time.Second, TTLDelay: time.Minute}

func newWorkload(t testing.TB) *workload {
	t.Helper()
	return newWorkloadOn(t, ddbtest.Start(t, workloadOptions))
}

// newWorkloadOn creates the tables of a workload.
func newWorkloadOn(t testing.TB, db *ddbtest.DB) *workload {
	t.Helper()
	s := &workload{TB: t, db: db, client: db.Client(), streams: db.StreamsClient(), succeeded: map[string]int{}}
	db.CreateTable(t, named(bank, tableOf("id:N")))
	streaming := manyIndexes()
	streaming.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	db.CreateTable(t, streaming)
	db.Advance(2 * time.Second)
	for i := range counters {
		db.Load(t, bank, row("id", i, "n", funds/counters))
	}
	out, err := s.client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(bank)})
	require.NoError(t, err)
	s.prefix = strings.TrimSuffix(*out.Table.TableArn, bank)
	return s
}

func named(name string, in *dynamodb.CreateTableInput) *dynamodb.CreateTableInput {
	in.TableName = &name
	return in
}

func (s *workload) run(operations int) {
	seed := testrand.Seed(s)
	// A short workload may never complete a rarely allowed operation, such as enabling TTL. In that
	// case it continues.
	for again := 0; again < 20 && len(s.succeeded) < len(workloadOperations); again++ {
		var all sync.WaitGroup
		for i := range workers {
			all.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(again*workers+i)))
				for range operations {
					name := workloadOrder[r.IntN(len(workloadOrder))]
					s.allow(name, workloadOperations[name](s, r))
				}
			})
		}
		all.Wait()
	}
	require.NoError(s, s.db.Err())
	s.settle()
}

// settle checks the invariants after the workload.
func (s *workload) settle() {
	s.Helper()
	s.db.Advance(time.Minute)
	names, err := s.client.ListTables(s.Context(), &dynamodb.ListTablesInput{})
	require.NoError(s, err)
	for _, table := range names.TableNames {
		rows := wantIndexesAgree(s, s.client, table)
		require.Len(s, s.db.Dump(table), len(rows))
	}
	require.Equal(s, funds, sum(s, scanAll(s.Context(), s, s.client, bank, "")))
	s.requireReplay()
	for name := range workloadOperations {
		require.Positive(s, s.succeeded[name], "the workload had too little of %s", name)
	}
}

// requireReplay checks that the stream's records, applied in order, result in the table's content.
func (s *workload) requireReplay() {
	s.Helper()
	held := map[string]string{}
	for _, r := range s.records() {
		key := s.ofStream(r.Dynamodb.Keys)
		old, was := held[key]
		require.Equal(s, was, r.Dynamodb.OldImage != nil)
		if was {
			require.Equal(s, old, s.ofStream(r.Dynamodb.OldImage))
		}
		delete(held, key)
		if r.Dynamodb.NewImage != nil {
			held[key] = s.ofStream(r.Dynamodb.NewImage)
		}
	}
	var want []string
	for _, item := range s.db.Dump("rows") {
		want = append(want, written(item))
	}
	require.ElementsMatch(s, want, slices.Collect(maps.Values(held)))
}

// records returns all records of the stream.
func (s *workload) records() (all []streamtypes.Record) {
	s.Helper()
	table, err := s.client.DescribeTable(s.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("rows")})
	require.NoError(s, err)
	arn := table.Table.LatestStreamArn
	described, err := s.streams.DescribeStream(s.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	require.NoError(s, err)
	for _, shard := range described.StreamDescription.Shards {
		it, err := s.streams.GetShardIterator(s.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		require.NoError(s, err)
		for at := it.ShardIterator; at != nil; {
			out, err := s.streams.GetRecords(s.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at})
			require.NoError(s, err)
			if all = append(all, out.Records...); len(out.Records) == 0 {
				break
			}
			at = out.NextShardIterator
		}
	}
	return all
}

// allow checks that an operation succeeded, or failed with an error that concurrent changes can
// cause.
func (s *workload) allow(name string, err error) {
	s.Helper()
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.succeeded[name]++
		return
	}
	for _, code := range []string{
		"ConditionalCheckFailedException", "TransactionCanceledException", "ResourceNotFoundException", "ResourceInUseException", invalid,
		"TrimmedDataAccessException", "LimitExceededException", "TableNotFoundException", "ContinuousBackupsUnavailableException",
		"ProvisionedThroughputExceededException", "ThrottlingException",
	} {
		if resultOf(err) == code {
			return
		}
	}
	s.Errorf("%s: %v", name, err)
}

// sum adds up counters.
func sum(t testing.TB, items []attributes) (total int) {
	t.Helper()
	for _, item := range items {
		n, err := strconv.Atoi(textOf(item["n"]))
		if err != nil {
			t.Error(err)
		}
		total += n
	}
	return total
}

// transfer moves an amount between counters, if the balance allows it, and sends its transaction
// twice.
func (s *workload) transfer(r *rand.Rand) error {
	from, to, amount := r.IntN(counters), r.IntN(counters), r.IntN(30)
	in := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{move(from, -amount), move(to, amount)}}
	if _, err := s.client.TransactWriteItems(s.Context(), in); err != nil {
		return err
	}
	_, err := s.client.TransactWriteItems(s.Context(), in) // the SDK has set its token
	return err
}

// move is one half of a transfer.
func move(id, n int) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: aws.String(bank), Key: row("id", id), UpdateExpression: aws.String("ADD n :n"), ConditionExpression: aws.String("n >= :least"),
		ExpressionAttributeValues: row(":n", n, ":least", -n),
	}}
}

func TestConcurrentOperationsAreComplete(t *testing.T) {
	t.Parallel()
	require.Equal(t, fault.Operations(), slices.DeleteFunc(slices.Clone(workloadOrder), func(name string) bool { return name[0] == '.' }))
}

// TestConcurrentOperationsControl checks that the workload's check detects half a transfer, and so
// a transfer that is applied twice.
func TestConcurrentOperationsControl(t *testing.T) {
	t.Parallel()
	s := newWorkload(t)
	total, err := s.total()
	require.NoError(t, err)
	require.Equal(t, funds, total)
	_, err = s.client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{move(1, -10)}})
	require.NoError(t, err)
	total, err = s.total()
	require.NoError(t, err)
	require.NotEqual(t, funds, total)
}

// audit checks the total of all counters.
func (s *workload) audit(*rand.Rand) error {
	total, err := s.total()
	if err == nil && total != funds {
		s.Errorf("a transaction read %d of %d", total, funds)
	}
	return err
}

// total reads all counters in one transaction.
func (s *workload) total() (int, error) {
	in := &dynamodb.TransactGetItemsInput{}
	for i := range counters {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: aws.String(bank), Key: row("id", i)}})
	}
	out, err := s.client.TransactGetItems(s.Context(), in)
	if err != nil {
		return 0, err
	}
	items := make([]attributes, 0, counters)
	for _, r := range out.Responses {
		items = append(items, r.Item)
	}
	return sum(s, items), nil
}

// fork checks a fork.
func (s *workload) fork(*rand.Rand) error {
	fork := s.db.Fork()
	defer fork.Close()
	if total := sum(s, fork.Dump(bank)); total != funds {
		s.Errorf("a fork held %d of %d", total, funds)
	}
	_, err := fork.Client().PutItem(context.WithoutCancel(s.Context()), &dynamodb.PutItemInput{TableName: aws.String(bank), Item: row("id", 0, "n", 0)})
	return err
}
