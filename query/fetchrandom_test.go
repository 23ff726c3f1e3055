package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/query"
)

// crateQuery makes the same random query of an index of a group, by the projection of the index.
type crateQuery func(projection string) query.Query[crate]

// randomCrateQuery returns a random query, and whether it has a limit.
func randomCrateQuery(r *rand.Rand, repo entity.Source[crate]) (of crateQuery, what string, limit int) {
	group := pick(r, "dock", "dock", "shard", "day")
	desc, size, ahead := r.IntN(2) == 0, r.IntN(3)*(1+r.IntN(30)), r.IntN(4) == 0
	limit = r.IntN(2) * (1 + r.IntN(30))
	lo := r.IntN(20)
	hi := lo + r.IntN(10)
	narrow := group != "day" && r.IntN(2) == 0
	var filters []attr.Cond[crate]
	for range max(0, r.IntN(4)-1) {
		filters = append(filters, pick[attr.Cond[crate]](r, crateMassOf.Ge(r.IntN(5)), attr.BeginsWith(crateText, "red"), crateText.Exists(), attr.Contains(crateTags, "x"),
			attr.Or(crateText.Eq("blue"), crateMassOf.Lt(2)), attr.Not(crateText.Eq("red"))))
	}
	what = fmt.Sprintf("%s desc=%t size=%d limit=%d narrow=%t %d..%d %v", group, desc, size, limit, narrow, lo, hi, filters)
	return func(projection string) query.Query[crate] {
		q := cratesOf(repo, group, projection).Filter(filters...)
		if desc {
			q = q.Desc()
		}
		if size > 0 {
			q = q.PageSize(size)
		}
		if limit > 0 {
			q = q.Limit(limit)
		}
		if narrow {
			q = q.Where(crateRank.Between(lo, hi))
		}
		if ahead {
			q = q.Prefetch()
		}
		return q
	}, what, limit
}

// A query with Fetch on an index that projects less returns what the same query returns on an index
// that projects everything, in the same order, in pages of the same size.
func TestFetchEqualsAnIndexOfAllAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		table, _ := newCrates(t, e.Client(t), r, 120)
		repo := crates.In(table)
		found, several := 0, 0
		for range e.Size(20, 60, 3000) {
			of, what, limit := randomCrateQuery(r, repo)
			want, err := of("").Collect(t.Context())
			require.NoError(t, err, what)
			for _, projection := range []string{"-keys", "-part"} {
				q := of(projection).Fetch()
				got, err := q.Collect(t.Context())
				require.NoError(t, err, what)
				require.Equal(t, want, got, what)
				first, err := q.First(t.Context())
				if len(want) == 0 {
					require.ErrorIs(t, err, trestle.ErrNotFound, what)
				} else {
					require.NoError(t, err, what)
					require.Equal(t, want[0], first, what)
				}
				if projection == pick(r, "-keys", "-part") {
					several += comparePages(t, what, limit, of("").PageSize(100), q)
				}
			}
			found += len(want)
		}
		require.NotZero(t, found)
		require.NotZero(t, several, "some reads have several pages")
	})
}

// comparePages reads both queries by their cursors. It returns 1 if there are several pages.
func comparePages(t *testing.T, what string, limit int, whole, fetching query.Query[crate]) int {
	t.Helper()
	var want, got []crate
	for cursor := ""; ; {
		page, err := whole.Page(t.Context(), cursor)
		require.NoError(t, err, what)
		if want = append(want, page.Items...); page.Next == "" {
			break
		}
		cursor = page.Next
	}
	n := 0
	for cursor := ""; ; n++ {
		page, err := fetching.Page(t.Context(), cursor)
		require.NoError(t, err, what)
		if limit > 0 && page.Next != "" {
			require.Len(t, page.Items, limit, what)
		}
		require.Zero(t, page.Gone, what)
		if got = append(got, page.Items...); page.Next == "" {
			break
		}
		cursor = page.Next
	}
	require.Equal(t, want, got, what)
	return min(n, 1)
}

// betweenReads calls a function before each batch read, so that items change after the index was
// read.
type betweenReads struct {
	*dynamodb.Client
	change func(*dynamodb.BatchGetItemInput)
}

func (b betweenReads) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	b.change(in)
	return b.Client.BatchGetItem(ctx, in, o...)
}

// fetching is a way to read the items of index entries, for a test with concurrent writers.
type fetching func(ctx context.Context, client *dynamodb.Client, table *entity.Table, group string, change func(*dynamodb.BatchGetItemInput)) (items []crate, gone int, err error)

func byFetch(ctx context.Context, client *dynamodb.Client, _ *entity.Table, group string, change func(*dynamodb.BatchGetItemInput)) (items []crate, gone int, err error) {
	table, err := crateSchema.Open(betweenReads{client, change}, "crates")
	if err != nil {
		return nil, 0, err
	}
	q := cratesOf(crates.In(table), group, "-keys").Fetch().PageSize(10).Filter(crateMassOf.Ge(0)).Progress(func(p query.Progress) { gone = p.Gone })
	items, err = q.Collect(ctx)
	return items, gone, err
}

// naively reads the keys from the index, and then the items with GetMany. It does not compare the
// item with the entry.
func naively(ctx context.Context, client *dynamodb.Client, table *entity.Table, group string, change func(*dynamodb.BatchGetItemInput)) (items []crate, gone int, err error) {
	entries, err := cratesOf(crates.In(table), group, "").Collect(ctx)
	if err != nil {
		return nil, 0, err
	}
	changing, err := crateSchema.Open(betweenReads{client, change}, "crates")
	if err != nil {
		return nil, 0, err
	}
	for list := range slices.Chunk(entries, 10) {
		found, err := crates.In(changing).GetMany(ctx, list)
		if err != nil {
			return nil, 0, err
		}
		for _, c := range found {
			if c == nil {
				gone++
			} else {
				items = append(items, *c)
			}
		}
	}
	return items, gone, nil
}

// Items that are deleted or moved between the read of the index and that of the items are left out
// and counted. The others are returned as they are, in the order of the index.
func TestFetchBesideWriters(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for range e.Size(1, 2, 50) {
			for _, group := range []string{"dock", "shard", "day"} {
				require.Empty(t, besideWriters(t, e, group, byFetch))
			}
		}
	})
}

func TestNegativeControlFetchedItemsAreCompared(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		require.NotEmpty(t, besideWriters(t, e, "dock", naively))
	})
}

// besideWriters reads while items are deleted, moved and changed. It returns what is wrong.
func besideWriters(t *testing.T, e engines.Engine, group string, read fetching) (issues []string) {
	t.Helper()
	r := testrand.New(t)
	client := e.Client(t)
	table, all := newCrates(t, client, r, 60)
	repo := crates.In(table)
	fates, moved := map[string]string{}, 0
	items, gone, err := read(t.Context(), client, table, group, func(in *dynamodb.BatchGetItemInput) {
		for _, key := range in.RequestItems["crates"].Keys {
			c := *all[slices.IndexFunc(all, func(c *crate) bool { return "C#"+c.ID == key["PK"].(*avS).Value })]
			if fates[c.ID] != "" {
				continue // it is read again at its new place
			}
			fates[c.ID] = append([]string{"moved", "deleted", "changed"}, pick(r, "kept", "kept", "deleted", "moved", "changed"))[min(len(fates), 3)]
			switch fates[c.ID] {
			case "deleted":
				require.NoError(t, repo.Delete(t.Context(), c))
			case "moved":
				c.Rank, c.At = c.Rank+100, c.At.Add(time.Hour)
				require.NoError(t, repo.Put(t.Context(), &c))
				moved++
			case "changed":
				c.Note = "changed"
				require.NoError(t, repo.Put(t.Context(), &c))
			}
		}
	})
	require.NoError(t, err)
	require.NotZero(t, moved)
	issue := func(format string, args ...any) { issues = append(issues, fmt.Sprintf(format, args...)) }
	sorted := slices.IsSortedFunc(items, func(a, b crate) int {
		if group == "day" {
			return a.At.Compare(b.At)
		}
		return a.Rank - b.Rank
	})
	if !sorted {
		issue("the items are not in the order of the index")
	}
	seen := map[string]int{}
	for _, c := range items {
		seen[c.ID]++
		if fates[c.ID] == "changed" && c.Note != "changed" {
			issue("%s is old", c.ID)
		}
	}
	left := 0
	for _, c := range all {
		switch n := seen[c.ID]; fates[c.ID] {
		case "deleted":
			left++
			if n != 0 {
				issue("%s was deleted and returned", c.ID)
			}
		case "moved": // the entry at its new place may be read later
			left++
			if n > 1 {
				issue("%s is returned %d times", c.ID, n)
			}
		default:
			if n != 1 {
				issue("%s is returned %d times", c.ID, n)
			}
		}
	}
	if gone < left {
		issue("%d are gone, %d reported", left, gone)
	}
	return issues
}

type avS = types.AttributeValueMemberS
