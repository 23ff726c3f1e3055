package query_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// poison replaces employee c1 e2 by an item that cannot be decoded.
func poison(t *testing.T, client *dynamodb.Client, table *entity.Table) {
	t.Helper()
	item, err := employees.Encode(&employee{CompanyID: "c1", ID: "e2"})
	require.NoError(t, err)
	item["hired_at"] = &types.AttributeValueMemberS{Value: "yesterday"}
	name := table.Name()
	_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item})
	require.NoError(t, err)
}

// eachPage reads pages to the end or to an error, and calls see for each item.
func eachPage[R any](page func(cursor string) (query.Page[R], error), see func(R)) error {
	cursor := ""
	for range 50 {
		p, err := page(cursor)
		if err != nil {
			return err
		}
		for _, item := range p.Items {
			see(item)
		}
		if cursor = p.Next; cursor == "" {
			return nil
		}
	}
	return errors.New("the pages have no end")
}

// unreadableWays returns reads of all of company c1. Each calls see for the items before the
// unreadable item, in the order of the read.
func unreadableWays(table *entity.Table) map[string]func(ctx context.Context, see func(any)) error {
	r := employees.In(table)
	q := query.Of(r, employee{CompanyID: "c1"})
	typed := func(see func(any)) func(employee) { return func(e employee) { see(e) } }
	paged := func(q query.Query[employee]) func(ctx context.Context, see func(any)) error {
		return func(ctx context.Context, see func(any)) error {
			return eachPage(func(c string) (query.Page[employee], error) { return q.Page(ctx, c) }, typed(see))
		}
	}
	twice := func(ctx context.Context, s query.TableScan[employee], see func(any)) error {
		each := func(page []employee) error {
			for _, e := range page {
				see(e)
			}
			return nil
		}
		next, first := s.Each(ctx, "", each)
		if next == "" {
			return errors.New("the scan cannot go on")
		}
		again, second := s.Each(ctx, next, each)
		if first == nil || again == "" {
			return errors.New("the item was passed over")
		}
		return second
	}
	return map[string]func(ctx context.Context, see func(any)) error{
		"pages":            paged(q),
		"pages of 4":       paged(q.Limit(4)),
		"pages of 2":       paged(q.Limit(2)),
		"requests of 1":    paged(q.PageSize(1)),
		"4, requests of 2": paged(q.Limit(4).PageSize(2)),
		"the collection": func(ctx context.Context, see func(any)) error {
			return eachPage(func(c string) (query.Page[any], error) { return q.Collection().Page(ctx, c) }, see)
		},
		"all": func(ctx context.Context, see func(any)) (last error) {
			for e, err := range q.Prefetch().All(ctx) {
				if last = err; err == nil {
					see(e)
				}
			}
			return last
		},
		"a scan": func(ctx context.Context, see func(any)) (last error) {
			for e, err := range query.Scan(r).All(ctx) {
				if last = err; err == nil {
					see(e)
				}
			}
			return last
		},
		"a scan of all types": func(ctx context.Context, see func(any)) (last error) {
			for item, err := range query.ScanTable(table).All(ctx) {
				if last = err; err == nil {
					see(item)
				}
			}
			return last
		},
		"a scan's pages": func(ctx context.Context, see func(any)) error { return twice(ctx, query.Scan(r), see) },
		"in segments": func(ctx context.Context, see func(any)) error {
			return twice(ctx, query.Scan(r).Segments(3).PageSize(4), see)
		},
	}
}

// The items before an unreadable item are returned once. Then every attempt returns the error with
// the key of that item.
func TestUndecodableItemsHideNoOthers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		table, err := schema.Open(client, "people", entity.PlainCursors())
		require.NoError(t, err)
		poison(t, client, table)
		for name, read := range unreadableWays(table) {
			var ids []string
			err := read(t.Context(), func(item any) {
				if e, ok := item.(employee); ok && e.CompanyID == "c1" {
					ids = append(ids, e.ID)
				}
			})
			require.Equal(t, []string{"e0", "e1"}, ids, name)
			var failed *trestle.OpError
			require.ErrorAs(t, err, &failed, name)
			require.Equal(t, &types.AttributeValueMemberS{Value: "EMP#e2"}, failed.Key["SK"], name)
		}
	})
}
