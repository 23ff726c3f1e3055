package shard_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

type item = map[string]types.AttributeValue

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// each runs a test on every engine. On ddbtest, waiting takes no time.
func each(t *testing.T, f func(t *testing.T, e engines.Engine)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		if e.Name != engines.InProcess {
			f(t, e)
			return
		}
		synctest.Test(t, func(t *testing.T) { f(t, e) })
	})
}

const tableName = "votes"

// box is a table of counters, as one process has it. Its client can fail.
type box struct {
	client *dynamodb.Client
	db     *ddbtest.DB // nil: another engine
	faulty *testfaults.Transport
	schema *entity.Schema
	table  *entity.Table
}

// newBox creates a table.
func newBox(t testing.TB, client *dynamodb.Client, c entity.Config, options ...entity.TableOption) *box {
	t.Helper()
	b := openBox(t, client, c, options...)
	require.NoError(t, b.table.Create(t.Context()))
	return b
}

// openBox opens a table that exists, as another process.
func openBox(t testing.TB, client *dynamodb.Client, c entity.Config, options ...entity.TableOption) *box {
	t.Helper()
	b := &box{client: client, db: ddbtest.Of(client), faulty: new(testfaults.Transport), schema: entity.NewSchema(c)}
	var err error
	b.table, err = b.schema.Open(newClient(b), tableName, options...)
	require.NoError(t, err)
	return b
}

// newClient returns a client that can fail.
func newClient(b *box) *dynamodb.Client { return dynamodb.New(b.client.Options(), b.faulty.Install) }

// counters returns the counters of the family "votes".
func (b *box) counters(c shard.Config) *shard.Counters { return shard.NewCounters(b.table, "votes", c) }

// fail lets the next write fail.
func (b *box) fail(f testfaults.Fault) { b.faulty.Fault.Store(&f) }

// items returns all stored items by partition key.
func (b *box) items(t testing.TB) map[string]item {
	t.Helper()
	found := map[string]item{}
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: aws.String(tableName), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		for _, i := range out.Items {
			key := stringOf(i["PK"])
			if strings.HasPrefix(key, "$U#event") || strings.HasPrefix(key, "$U#names") {
				key += "/" + stringOf(i["SK"])
			}
			found[key] = i
		}
	}
	return found
}

// item returns the stored item of the library with a partition key.
func (b *box) item(t testing.TB, partition string) item {
	t.Helper()
	out, err := b.client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(tableName), ConsistentRead: aws.Bool(true),
		Key: item{"PK": text(partition), "SK": text(spreadOf(partition))},
	})
	require.NoError(t, err)
	return out.Item
}

// put stores an item.
func (b *box) put(t testing.TB, i item) {
	t.Helper()
	_, err := b.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: i})
	require.NoError(t, err)
}

// change changes one attribute of a stored item; nil removes it.
func (b *box) change(t testing.TB, key, attribute string, av types.AttributeValue) {
	t.Helper()
	stored := b.items(t)[key]
	require.NotNil(t, stored, key)
	if av == nil {
		delete(stored, attribute)
	} else {
		stored[attribute] = av
	}
	b.put(t, stored)
}

func stringOf(av types.AttributeValue) string {
	s, _ := av.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

func numberOf(t testing.TB, av types.AttributeValue) int {
	t.Helper()
	if av == nil {
		return 0
	}
	n, err := strconv.Atoi(av.(*types.AttributeValueMemberN).Value)
	require.NoError(t, err)
	return n
}

// requireTotal requires the total of a counter.
func requireTotal(t testing.TB, c *shard.Counters, name string, want int64) {
	t.Helper()
	n, err := c.Total(context.WithoutCancel(t.Context()), name)
	require.NoError(t, err)
	require.Equal(t, want, n)
}

// requireKind requires an error of a kind, with an outcome.
func requireKind(t testing.TB, err, kind error, outcome trestle.Outcome, message ...any) {
	t.Helper()
	require.ErrorIs(t, err, kind, message...)
	var e *trestle.OpError
	require.ErrorAs(t, err, &e, message...)
	require.Equal(t, outcome, e.Outcome, message...)
	require.Equal(t, "votes", e.Entity, message...)
	for _, other := range []error{trestle.ErrUnknown, trestle.ErrCondition, trestle.ErrStale, trestle.ErrInvalid, trestle.ErrLimit, trestle.ErrNotFound, trestle.ErrExists} {
		require.Equal(t, errors.Is(other, kind), errors.Is(err, other), message...)
	}
}

// exactModes are the modes in which a key counts once.
var exactModes = []shard.Mode{shard.ExactForever, shard.ExactWindow}

// spreadOf returns the sort key of an item of the library, as docs/keyformat.md specifies it.
func spreadOf(partition string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(partition))
	return fmt.Sprintf("$U#%08x", h.Sum32())
}

// requireFirst requires that a range can end early, without an error.
func requireFirst[T any](t testing.TB, seq iter.Seq2[T, error]) {
	t.Helper()
	n := 0
	for _, err := range seq {
		require.NoError(t, err)
		if n++; n == 1 {
			break
		}
	}
	require.Equal(t, 1, n)
}
