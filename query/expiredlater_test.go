package query_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// during returns a client that calls f before each request of a type.
func during[In any](client *dynamodb.Client, f func(*In)) *dynamodb.Client {
	o := client.Options()
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("during", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			if in, ok := in.Parameters.(*In); ok {
				f(in)
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
	return dynamodb.New(o)
}

// Fetched items are checked when they arrive: the entries of an index arrive before.
func TestFetchedItemsAreCheckedWhenTheyArrive(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		var x *expiring
		x = newExpiring(t, during(e.Client(t), func(*dynamodb.BatchGetItemInput) { x.at(x.moment) }))
		byTag := query.On(x.notes, "without-time", memo{Tag: "t"}).Fetch()
		for name, read := range map[string]func() ([]string, error){
			"Collect":  func() ([]string, error) { return memoIDs(byTag.Collect(t.Context())) },
			"PageSize": func() ([]string, error) { return memoIDs(byTag.PageSize(1).Collect(t.Context())) },
			"Prefetch": func() ([]string, error) { return memoIDs(byTag.PageSize(1).Prefetch().Collect(t.Context())) },
			"All": func() ([]string, error) {
				return streamed(byTag.All(t.Context()), func(n memo) string { return n.ID })
			},
			"Page": func() ([]string, error) {
				page, err := byTag.Limit(2).Page(t.Context(), "")
				return memoIDs(page.Items, err)
			},
			"Filter": func() ([]string, error) {
				return memoIDs(byTag.Filter(memoIDField.Ne("z")).Collect(t.Context()))
			},
			"First": func() ([]string, error) {
				first, err := byTag.First(t.Context())
				return []string{first.ID, "c"}, err
			},
		} {
			x.at(x.moment.Add(-1))
			ids, err := read()
			require.NoError(t, err, name)
			require.Equal(t, []string{"b", "c"}, ids, name)
		}
		x.open(t, entity.ShowExpired())
		ids, err := memoIDs(query.On(x.notes, "without-time", memo{Tag: "t"}).Fetch().Collect(t.Context()))
		require.NoError(t, err)
		require.Equal(t, []string{"a", "b", "c", "d"}, ids)
	})
}

// A page that was read ahead is checked when the caller asks for it.
func TestPagesAheadAreCheckedWhenTheyAreReturned(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		x := newExpiring(t, e.Client(t))
		for name, q := range map[string]query.Query[memo]{
			"query": x.book().PageSize(1).Prefetch(),
			"fetch": query.On(x.notes, "without-time", memo{Tag: "t"}).Fetch().PageSize(1).Prefetch(),
		} {
			x.at(x.moment.Add(-1))
			var ids []string
			for n, err := range q.All(t.Context()) {
				require.NoError(t, err, name)
				if ids = append(ids, n.ID); n.ID == "c" {
					x.at(x.moment)
				}
			}
			require.Equal(t, []string{"a", "b", "c"}, ids, name)
		}
	})
}

// The streams of a merged query are checked when their items are passed, not when the page of their
// stream arrived.
func TestMergedItemsAreCheckedWhenTheyAreReturned(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		x := newExpiring(t, e.Client(t))
		var ids []string
		for n, err := range query.Of(x.visits, loan{Book: "b"}).PageSize(1).Prefetch().All(t.Context()) {
			require.NoError(t, err)
			if ids = append(ids, n.ID); n.ID == "b" {
				x.at(x.moment)
			}
		}
		require.Equal(t, []string{"a", "b", "c"}, ids)
	})
}

// GetMany checks an item when its reply arrives, whatever it reads afterwards. Of the first four
// requests, the reply with an item arrives first. The fifth one is sent then, and the sixth one
// after the item was checked.
func TestItemsOfLaterRepliesAreChecked(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		var x *expiring
		var requests atomic.Int64
		fifth := make(chan struct{})
		x = newExpiring(t, during(e.Client(t), func(in *dynamodb.BatchGetItemInput) {
			switch n := requests.Add(1); {
			case n == 5:
				close(fifth)
			case n == 6:
				x.at(x.moment)
			case allAbsent(in):
				<-fifth
			}
		}))
		keys := x.keys()[:1:1]
		for i := range 499 {
			keys = append(keys, memo{Book: "b", ID: fmt.Sprint("absent", i)})
		}
		keys = append(keys, x.keys()[1:]...)
		found, err := x.notes.GetMany(t.Context(), keys)
		require.NoError(t, err)
		require.Equal(t, []string{"a", "b", "c"}, listed(found, func(n *memo) string { return n.ID }))
		require.Equal(t, int64(6), requests.Load())
	})
}

// allAbsent reports whether a request reads only items whose keys contain "absent".
func allAbsent(in *dynamodb.BatchGetItemInput) bool {
	for _, of := range in.RequestItems {
		for _, key := range of.Keys {
			if sort, ok := key["SK"].(*types.AttributeValueMemberS); !ok || !strings.Contains(sort.Value, "absent") {
				return false
			}
		}
	}
	return true
}
