package query_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

type attributes = map[string]types.AttributeValue

// emptyPages is a client that returns an empty page instead of some pages of queries and scans. Its
// LastEvaluatedKey stands for the start key of the page. It is before all keys of the partition,
// and so it may be before the range of the request, or it is of another partition.
type emptyPages struct {
	*dynamodb.Client
	// naive leaves out the key where a request has a narrowed sort key and the key is before it, as
	// if such a key marked the end.
	naive bool

	mu    sync.Mutex
	r     *rand.Rand
	first int     // pages that are empty, before the others
	rate  float64 // of the empty pages after the first ones
	sent  int     // empty pages
	stand map[string]attributes
}

func newEmptyPages(client *dynamodb.Client, r *rand.Rand) *emptyPages {
	return &emptyPages{Client: client, r: r, stand: map[string]attributes{}}
}

// always returns n empty pages, and then some of rate.
func (c *emptyPages) always(n int, rate float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first, c.rate = n, rate
}

// start returns the start key that a key stands for.
func (c *emptyPages) start(key attributes) attributes {
	if stood, ok := c.stand[fmt.Sprint(textsOf(key))]; ok {
		return stood
	}
	return key
}

// empties reports whether the next page is empty.
func (c *emptyPages) empties() bool {
	if c.first > 0 {
		c.first--
		c.sent++
		return true
	}
	empty := c.r.Float64() < c.rate
	if empty {
		c.sent++
	}
	return empty
}

// keyFor returns a new key with a partition key, which stands for a start key.
func (c *emptyPages) keyFor(partition attributes, sort []string, desc bool, start attributes) attributes {
	key, first := maps.Clone(partition), "\x00"
	if desc {
		first = "\U0010ffff"
	}
	for _, name := range sort {
		key[name] = &types.AttributeValueMemberS{Value: fmt.Sprintf("%s%d", first, c.sent)}
	}
	if c.r.IntN(4) == 0 {
		for name := range partition {
			key[name] = &types.AttributeValueMemberS{Value: "another"}
		}
	}
	c.stand[fmt.Sprint(textsOf(key))] = start
	return key
}

func textsOf(key attributes) map[string]string {
	texts := map[string]string{}
	for name, v := range key {
		texts[name] = v.(*types.AttributeValueMemberS).Value
	}
	return texts
}

func (c *emptyPages) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.mu.Lock()
	own := *in
	own.ExclusiveStartKey = c.start(in.ExclusiveStartKey)
	if !c.empties() {
		c.mu.Unlock()
		return c.Client.Query(ctx, &own, o...)
	}
	defer c.mu.Unlock()
	first := strings.Fields(*in.KeyConditionExpression)
	partition, sort := attributes{in.ExpressionAttributeNames[first[0]]: in.ExpressionAttributeValues[first[2]]}, []string{"SK"}
	if in.IndexName != nil {
		sort = []string{*in.IndexName + "SK", "PK", "SK"}
	}
	out := &dynamodb.QueryOutput{LastEvaluatedKey: c.keyFor(partition, sort, in.ScanIndexForward != nil, own.ExclusiveStartKey)}
	if _, narrowed := in.ExpressionAttributeValues[":from"]; narrowed && c.naive {
		out.LastEvaluatedKey = nil
	}
	return out, nil
}

func (c *emptyPages) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	c.mu.Lock()
	own := *in
	own.ExclusiveStartKey = c.start(in.ExclusiveStartKey)
	if !c.empties() {
		c.mu.Unlock()
		return c.Client.Scan(ctx, &own, o...)
	}
	defer c.mu.Unlock()
	return &dynamodb.ScanOutput{LastEvaluatedKey: c.keyFor(attributes{}, []string{"PK", "SK"}, false, own.ExclusiveStartKey)}, nil
}

// openEmptied opens the events of a form on a client whose pages may be empty, and stores 30 of
// them.
func openEmptied(t *testing.T, client *dynamodb.Client, r *rand.Rand, form int) (*emptyPages, *entity.Repo[event], []event) {
	t.Helper()
	c := newEmptyPages(client, r)
	repo := eventsOn(t, c, form, "<at:s>#<id>", entity.PlainCursors())
	list := randomEvents(r, 30)
	require.NoError(t, repo.PutMany(t.Context(), pointersTo(list)))
	return c, repo, list
}

// A page may be empty and still have a LastEvaluatedKey, which may be before the range that the
// request was narrowed to. The read goes on after it.
func TestReadsGoOnAfterEmptyPages(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r, client := testrand.New(t), e.Client(t)
		for form := range eventPartitions {
			c, repo, list := openEmptied(t, client, r, form)
			q := query.Of(repo, event{Owner: "o"}).Where(eventAt.Between(eventStart, eventStart.AddDate(0, 0, 4))).Periods(100, 2)
			for _, q := range []query.Query[event]{q, q.Desc(), q.Filter(eventScore.Ge(0))} {
				c.always(7, 0)
				all, err := q.Collect(t.Context())
				require.NoError(t, err)
				require.Len(t, all, len(list))
				c.always(7, 0)
				n, err := q.Count(t.Context())
				require.NoError(t, err)
				require.Len(t, list, n)
				c.always(7, 0)
				_, err = q.First(t.Context())
				require.NoError(t, err)
				// Each page begins with empty pages of all its partitions.
				got := map[string]bool{}
				for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
					c.always(7, 0)
					page, err := q.Limit(4).Page(t.Context(), cursor)
					require.NoError(t, err)
					for _, one := range page.Items {
						require.False(t, got[one.ID], "twice")
						got[one.ID] = true
					}
					cursor = page.Next
				}
				require.Len(t, got, len(list))
			}
			c.always(9, 0)
			n := 0
			for _, err := range query.Scan(repo).Segments(3).All(t.Context()) {
				require.NoError(t, err)
				n++
			}
			require.Equal(t, len(list), n)
		}
	})
}

// Queries over shards and periods, and of one partition, return what the same queries return
// without empty pages, in the same order, in pages of every size, with any budget. The control ends
// a stream at a key before the range that it was narrowed to.
func TestRandomEmptyPages(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed, client := testrand.Seed(t), e.Client(t)
		cases, caught, empty := testsize.Sequential(10, 30, 300, 20_000), 0, 0
		if e.Name != engines.InProcess {
			cases = testsize.Sequential(2, 4, 10, 100)
		}
		for form := range eventPartitions {
			r := rand.New(rand.NewPCG(seed, uint64(form)))
			c, repo, list := openEmptied(t, client, r, form)
			for range cases {
				q := randomEventQuery(r, list, eventPartitions[form].period)
				q.budget(r)
				plain := q
				plain.requests, plain.units, plain.page = 0, 0, 0
				c.always(0, 0)
				want, err := plain.on(repo).Collect(t.Context())
				require.NoError(t, err)
				rate := 0.5
				if q.requests > 0 || q.units > 0 { // a budget that empty pages use up ends the page
					rate = 0.1
				}
				c.always(r.IntN(4), rate)
				require.Empty(t, q.wrongPages(t, want, repo, ourEvents), "%+v", q)
				require.Empty(t, q.wrongWhole(t, want, repo), "%+v", q)
				c.naive = true
				if q.wrongPages(t, want, repo, ourEvents) != "" {
					caught++
				}
				c.naive = false
			}
			empty += c.sent
		}
		t.Logf("%d empty pages, the control was wrong %d times", empty, caught)
		require.Positive(t, empty)
		require.True(t, caught > 0 || e.Name != engines.InProcess)
	})
}

// Reads return the same with the empty pages of ddbtest, whose keys DynamoDB accepts.
func TestEmptyPagesOfTheEngine(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for form := range eventPartitions {
		t.Run(eventPartitions[form].name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, uint64(form)))
			one, many, db, list := eventTables(t, r, form)
			rules := 0
			for range testsize.Sequential(10, 40, 300, 10_000) {
				q := randomEventQuery(r, list, eventPartitions[form].period)
				q.budget(r)
				want, err := q.onOne(one).Collect(t.Context())
				require.NoError(t, err)
				db.ClearFaults()
				rule := db.Fail(ddbtest.EmptyPage, ddbtest.Rate(0.3))
				if r.IntN(3) == 0 {
					db.Fail(ddbtest.CutPage(1+r.IntN(4)), ddbtest.Rate(0.5))
				}
				require.Empty(t, q.wrongPages(t, want, many, ourEvents), "%+v", q)
				require.Empty(t, q.wrongWhole(t, want, many), "%+v", q)
				rules += rule.Hits()
				cursor, n := "", 0
				scan := query.Scan(many).Segments(1 + r.IntN(4)).PageSize(1 + r.IntN(9)).MaxRequests(1 + r.IntN(6))
				for {
					cursor, err = scan.Each(t.Context(), cursor, func(page []event) error {
						n += len(page)
						return nil
					})
					require.NoError(t, err)
					if cursor == "" {
						break
					}
				}
				require.Equal(t, len(list), n)
			}
			require.Positive(t, rules)
		})
	}
}

// A query with Fetch reads the items of entries ahead. It returns the same with empty pages of the
// index.
func TestFetchGoesOnAfterEmptyPages(t *testing.T) {
	t.Parallel()
	r, db := testrand.New(t), ddbtest.Start(t)
	table, _ := newCrates(t, db.Client(), r, 60)
	repo, pages := crates.In(table), 0
	rule := db.Fail(ddbtest.EmptyPage, ddbtest.Op("Query"), ddbtest.Rate(0.4))
	for range testsize.Pick(20, 60, 2000) {
		of, what, limit := randomCrateQuery(r, repo)
		want, err := of("").Collect(t.Context())
		require.NoError(t, err, what)
		q := of(pick(r, "-keys", "-part")).Fetch()
		got, err := q.Collect(t.Context())
		require.NoError(t, err, what)
		require.Equal(t, want, got, what)
		pages += comparePages(t, what, limit, of("").PageSize(100), q)
	}
	require.Positive(t, rule.Hits())
	require.Positive(t, pages)
}
