package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// row is the type that the tests page through, by the table's key and by an index in which most
// keys are equal.
type row struct {
	_     entity.Key   `type:"row" pk:"B#<book>" sk:"R#<n:06>"`
	_     entity.Index `name:"by-shelf" on:"GSI1" pk:"S#<book>" sk:"<shelf>"`
	Book  string       `dynamodbav:"book"`
	N     int          `dynamodbav:"n"`
	Shelf string       `dynamodbav:"shelf"`
	Keep  bool         `dynamodbav:"keep"`
}

// card has partitions of its own.
type card struct {
	_  entity.Key `type:"card" pk:"CARD#<id>" sk:"CARD"`
	ID string     `dynamodbav:"id"`
}

var (
	library = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	rows    = entity.Define[row](library)
	cards   = entity.Define[card](library)
	rowKeep = attr.Must(func(r *row) *bool { return &r.Keep })
)

// paging is one test case. Permanent items have even numbers. Items with odd numbers are added and
// deleted between pages.
type paging struct {
	n, size, limit int
	keep           int // percentage of the items that pass the filter; 100: no filter
	desc, index    bool
	changes        int // between two pages
}

func (c paging) String() string {
	return fmt.Sprintf("%d items, pages of %d, limit %d, %d%% kept, desc %t, index %t, %d changes", c.n, c.size, c.limit, c.keep, c.desc, c.index, c.changes)
}

// shelves is the number of different keys in the index.
const shelves = 3

// pager reads one page.
type pager func(ctx context.Context, q query.Query[row], c paging, cursor string) (query.Page[row], error)

func library0(t *testing.T, client trestle.Client) *entity.Repo[row] {
	t.Helper()
	table, err := library.Open(client, "library", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return rows.In(table)
}

// lost runs a case with a pager. It reports a permanent item that was not returned once, and an
// item that was returned twice or out of order.
func lost(t *testing.T, client *dynamodb.Client, repo *entity.Repo[row], r *rand.Rand, c paging, next pager) (wrong string) {
	t.Helper()
	book := strconv.FormatUint(r.Uint64(), 36)
	made := func(n int) *row {
		return &row{Book: book, N: n, Shelf: "s" + strconv.Itoa(n/2%shelves), Keep: r.IntN(100) < c.keep}
	}
	var want []int
	var first []*row
	for i := range c.n {
		one := made(2 * i)
		if first = append(first, one); one.Keep {
			want = append(want, one.N)
		}
	}
	putAll(t, client, first)
	q := query.Of(repo, row{Book: book})
	if c.index {
		q = query.On(repo, "by-shelf", row{Book: book})
	}
	if c.keep < 100 {
		q = q.Filter(rowKeep.Eq(true))
	}
	if c.desc {
		q = q.Desc()
	}
	if c.limit > 0 {
		q = q.Limit(c.limit)
	}
	if c.size > 0 {
		q = q.PageSize(c.size)
	}
	var got []row
	cursor := ""
	for pages := 0; ; pages++ {
		page, err := next(t.Context(), q, c, cursor)
		require.NoError(t, err)
		if c.limit > 0 && len(page.Items) > c.limit {
			return "more than the limit"
		}
		got = append(got, page.Items...)
		if cursor = page.Next; cursor == "" {
			break
		}
		require.Less(t, pages, 4*c.n+10*c.changes+100, "the pages come to no end")
		for range c.changes {
			n := 2*r.IntN(c.n+1) + 1
			if r.IntN(2) == 0 {
				require.NoError(t, repo.Put(t.Context(), made(n)))
			} else {
				require.NoError(t, repo.Delete(t.Context(), row{Book: book, N: n}))
			}
		}
	}
	return judge(c, got, want)
}

// putAll puts rows, 25 per request.
func putAll(t *testing.T, client *dynamodb.Client, all []*row) {
	t.Helper()
	for part := range slices.Chunk(all, 25) {
		var puts []types.WriteRequest
		for _, one := range part {
			item, err := rows.Encode(one)
			require.NoError(t, err)
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		out, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"library": puts}})
		require.NoError(t, err)
		require.Empty(t, out.UnprocessedItems)
	}
}

func judge(c paging, got []row, want []int) string {
	seen := map[int]int{}
	for i, g := range got {
		seen[g.N]++
		if !c.index && i > 0 && (g.N < got[i-1].N) != c.desc {
			return "out of order"
		}
		if c.index && i > 0 && g.Shelf != got[i-1].Shelf && (g.Shelf < got[i-1].Shelf) != c.desc {
			return "out of order"
		}
	}
	for n, times := range seen {
		if times > 1 {
			return fmt.Sprintf("%d came %d times", n, times)
		}
	}
	for _, n := range want {
		if seen[n] == 0 {
			return fmt.Sprintf("%d did not come", n)
		}
		delete(seen, n)
	}
	for n := range seen {
		if n%2 == 0 {
			return fmt.Sprintf("%d should have been dropped", n)
		}
	}
	return ""
}

func ours(ctx context.Context, q query.Query[row], _ paging, cursor string) (query.Page[row], error) {
	return q.Page(ctx, cursor)
}

// grid returns every combination of sizes, rates and directions. In the small test size, it
// combines a large number of items with every page size, but only with one random rate and
// direction.
func grid(r *rand.Rand) []paging {
	var all []paging
	for _, n := range []int{0, 1, 2, 10, 99, 100, 101, testsize.Pick(200, 1000)} {
		for _, size := range []int{1, 2, n - 1, n, n + 1} {
			if size < 1 {
				continue
			}
			var cases []paging
			for _, keep := range []int{0, 50, 99, 100} {
				for _, desc := range []bool{false, true} {
					cases = append(cases, paging{n: n, size: size, limit: size, keep: keep, desc: desc, index: size%2 == 0, changes: n % 3})
				}
			}
			if n > 10 {
				r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
				cases = cases[:testsize.Pick(1, 2, len(cases))]
			}
			all = append(all, cases...)
		}
	}
	return all
}

func random(r *rand.Rand) paging {
	return paging{
		n: r.IntN(40), size: r.IntN(12), limit: 1 + r.IntN(12), keep: []int{0, 10, 50, 90, 99, 100}[r.IntN(6)],
		desc: r.IntN(2) == 0, index: r.IntN(2) == 0, changes: r.IntN(4),
	}
}

// Paging returns every permanent item once and in order, for all page sizes, filters and
// directions, and while other items are added and deleted. The negative control continues after the
// last item that the service read instead of the last item that was returned.
func TestPagesHaveEveryItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		repo := library0(t, client)
		cases, more := grid(r), testsize.Sequential(50, 500, 1000, 5000)
		if e.Name != engines.InProcess {
			r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			cases, more = cases[:e.Size(10, 20, 60)], e.Size(30, 100, 300)
		}
		for range more {
			cases = append(cases, random(r))
		}
		for _, c := range cases {
			require.Empty(t, lost(t, client, repo, r, c, ours), "%s", c)
		}
		naive, tries := paging{n: 30, size: 7, limit: 5, keep: 50, changes: 1}, 1
		for tries < 100 && lost(t, client, repo, r, naive, behindTheService(client)) == "" {
			tries++
		}
		require.Less(t, tries, 100, "the control")
	})
}

// behindTheService is the naive pager. It trims a page to the limit and continues after
// LastEvaluatedKey.
func behindTheService(client *dynamodb.Client) pager {
	starts := map[string]map[string]types.AttributeValue{}
	return func(ctx context.Context, q query.Query[row], c paging, cursor string) (query.Page[row], error) {
		in, err := q.Input()
		if err != nil {
			return query.Page[row]{}, err
		}
		in.Limit = aws.Int32(int32(c.size))
		in.ExclusiveStartKey = starts[cursor]
		var page query.Page[row]
		for len(page.Items) < c.limit {
			out, err := client.Query(ctx, in)
			if err != nil {
				return page, err
			}
			for _, item := range out.Items {
				r, err := rows.Decode(item)
				if err != nil {
					return page, err
				}
				page.Items = append(page.Items, r)
			}
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
		page.Items = slices.Clip(page.Items[:min(c.limit, len(page.Items))])
		if in.ExclusiveStartKey != nil {
			page.Next = strconv.Itoa(len(starts) + 1)
			starts[page.Next] = in.ExclusiveStartKey
		}
		return page, nil
	}
}
