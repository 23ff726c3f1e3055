package query_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/replayed"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// match is an entity with the same sort key in one partition, in 16 shards, and in a partition of
// each day.
type match struct {
	_      entity.Key   `type:"match" pk:"MATCH#<id>" sk:"MATCH"`
	_      entity.Index `name:"one" on:"GSI1" pk:"ONE#<game>#000" sk:"<points:08,desc>#<id>"`
	_      entity.Index `name:"sharded" on:"GSI2" pk:"S#<shard>#<game>" sk:"<points:08,desc>#<id>" shards:"16"`
	_      entity.Index `name:"daily" on:"GSI3" pk:"DAY#<game>#<at:day>" sk:"<at:s>#<id>"`
	ID     string       `dynamodbav:"id"`
	Game   string       `dynamodbav:"game"`
	Points int          `dynamodbav:"points"`
	At     time.Time    `dynamodbav:"at"`
}

var (
	matchSchema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}}})
	matches     = entity.Define[match](matchSchema)
	matchAt     = attr.Must(func(m *match) *time.Time { return &m.At })
)

const (
	matchCount  = 320
	matchShards = 16
	matchPage   = 20
)

// matchOf returns a match. The first twenty are on four days, five on each, and the others are
// later.
func matchOf(i int) match {
	return match{ID: strconv.Itoa(1000 + i), Game: "chess", Points: i * 77 % 1009, At: day(1 + min(i/5, 5)).Add(time.Duration(i%100) * time.Minute)}
}

// pageCall reads a page, with the library or with the SDK alone.
type pageCall struct {
	name string
	// partition is the beginning of the partition keys, before the part that distinguishes them.
	partition string
	daily     bool
	read      func(context.Context, *dynamodb.Client, *entity.Repo[match]) ([]match, error)
}

var pageCalls = []pageCall{
	{"one partition/trestle", "", false, readPage(func(r *entity.Repo[match]) query.Query[match] { return query.On(r, "one", match{Game: "chess"}) })},
	{"one partition/sdk", "", false, func(ctx context.Context, c *dynamodb.Client, _ *entity.Repo[match]) ([]match, error) {
		return sdkPage(ctx, c, "GSI1", "ONE#chess#000", matchPage)
	}},
	{"16 shards/trestle", "S#", false, readPage(func(r *entity.Repo[match]) query.Query[match] {
		return query.On(r, "sharded", match{Game: "chess"})
	})},
	{"16 shards/sdk", "S#", false, sdkMerged},
	{"4 days/trestle", "DAY#chess#2026-08", true, readPage(func(r *entity.Repo[match]) query.Query[match] { return ofDays(r).Periods(100, 1) })},
	{"4 days at once/trestle", "DAY#chess#2026-08", true, readPage(func(r *entity.Repo[match]) query.Query[match] { return ofDays(r).Periods(100, 4) })},
	{"4 days/sdk", "DAY#chess#2026-08", true, sdkDays},
}

func ofDays(r *entity.Repo[match]) query.Query[match] {
	return query.On(r, "daily", match{Game: "chess"}).Where(attr.During(matchAt, attr.Period{Start: day(1), End: day(5)}))
}

func readPage(q func(*entity.Repo[match]) query.Query[match]) func(context.Context, *dynamodb.Client, *entity.Repo[match]) ([]match, error) {
	return func(ctx context.Context, _ *dynamodb.Client, r *entity.Repo[match]) ([]match, error) {
		page, err := q(r).Limit(matchPage).Page(ctx, "")
		return page.Items, err
	}
}

// sdkPage reads the first items of a partition.
func sdkPage(ctx context.Context, c *dynamodb.Client, index, partition string, limit int32) (page []match, err error) {
	out, err := c.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("matches"), IndexName: &index, Limit: &limit, KeyConditionExpression: aws.String("#p = :p"),
		ExpressionAttributeNames:  map[string]string{"#p": index + "PK"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: partition}},
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return nil, err
	}
	err = attributevalue.UnmarshalListOfMaps(out.Items, &page)
	return page, err
}

// sdkMerged reads the first items of each shard at the same time, and sorts them.
func sdkMerged(ctx context.Context, c *dynamodb.Client, _ *entity.Repo[match]) ([]match, error) {
	var pages [matchShards][]match
	var failures [matchShards]error
	var shards sync.WaitGroup
	for i := range matchShards {
		shards.Go(func() { pages[i], failures[i] = sdkPage(ctx, c, "GSI2", fmt.Sprintf("S#%03d#chess", i), matchPage) })
	}
	shards.Wait()
	all := slices.Concat(pages[:]...)
	slices.SortFunc(all, byPoints)
	return all[:matchPage], cmp.Or(failures[:]...)
}

// sdkDays reads four days, one after the other.
func sdkDays(ctx context.Context, c *dynamodb.Client, _ *entity.Repo[match]) (all []match, err error) {
	for i := 1; i <= 4 && len(all) < matchPage; i++ {
		page, err := sdkPage(ctx, c, "GSI3", "DAY#chess#"+day(i).Format(time.DateOnly), int32(matchPage-len(all)))
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
	}
	return all, nil
}

func byPoints(a, b match) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.ID, b.ID))
}

// prepare returns a function that reads the page and compares it. The replies are those of an
// in-process database, replayed.
func (p pageCall) prepare(t testing.TB) func(context.Context) {
	t.Helper()
	db := ddbtest.Start(t)
	table, err := matchSchema.Open(db.Client(), "matches")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	all := make([]match, matchCount)
	for i := range all {
		all[i] = matchOf(i)
		require.NoError(t, matches.In(table).Put(t.Context(), &all[i]))
	}
	want := all[:matchPage]
	if !p.daily {
		slices.SortFunc(all, byPoints)
	}
	client := db.Client((&replayed.Transport{Partition: p.partition}).Install)
	table, err = matchSchema.Open(client, "matches", entity.PlainCursors())
	require.NoError(t, err)
	r := matches.In(table)
	return func(ctx context.Context) {
		found, err := p.read(ctx, client, r)
		if err != nil || !slices.Equal(found, want) {
			t.Fatal(p.name, err, found)
		}
	}
}

// BenchmarkPage measures a page of twenty items without the time of DynamoDB: out of 320 items of
// one partition and of 16 shards, and of four days.
func BenchmarkPage(b *testing.B) {
	for _, p := range pageCalls {
		b.Run(p.name, func(b *testing.B) {
			read := p.prepare(b)
			b.ReportAllocs()
			for b.Loop() {
				read(b.Context())
			}
		})
	}
}

// The benchmarked pages have the right items.
func TestBenchmarkedPages(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, p := range pageCalls {
		read := p.prepare(t)
		for range 3 {
			read(t.Context())
		}
	}
}
