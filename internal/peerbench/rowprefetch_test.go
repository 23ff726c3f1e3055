package peerbench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"

	"github.com/trestledb/trestle/query"
)

// loopPages is the number of pages of the loop.
const loopPages = 10

// prefetchRow reads pages that arrive after a time, and waits at the end of each page, as for a
// call of another service.
var prefetchRow = row{
	number: 14, task: "page loop with prefetch, 5 ms latency + 5 ms of work",
	subjects: func(testing.TB) []subject {
		return []subject{
			pageLoop(ours, func(ctx context.Context, tb testing.TB, client *dynamodb.Client, work func()) (n int, err error) {
				tb.Helper()
				for _, err := range query.Of(orders.In(tableOn(tb, client)), Order{Customer: "c001"}).Prefetch().All(ctx) {
					if err != nil {
						return n, err
					}
					if n++; n%1000 == 0 {
						work()
					}
				}
				return n, nil
			}),
			pageLoop(theSDK, func(ctx context.Context, _ testing.TB, client *dynamodb.Client, work func()) (n int, err error) {
				for p := dynamodb.NewQueryPaginator(client, sdkInput("CUS#c001", "ORD#")); p.HasMorePages(); {
					page, err := p.NextPage(ctx)
					if err != nil {
						return n, err
					}
					var all []Order
					if err := attributevalue.UnmarshalListOfMaps(page.Items, &all); err != nil {
						return n, err
					}
					n += len(all)
					work()
				}
				return n, nil
			}),
			pageLoop(guregu, func(ctx context.Context, _ testing.TB, client *dynamodb.Client, work func()) (n int, err error) {
				items := dynamo.NewFromIface(client).Table("bench").Get("PK", "CUS#c001").Range("SK", dynamo.BeginsWith, "ORD#").Iter()
				for o := (peerOrder{}); items.Next(ctx, &o); o = (peerOrder{}) {
					if n++; n%1000 == 0 {
						work()
					}
				}
				return n, items.Err()
			}),
		}
	},
	lines: []line{
		asks("time per page", wallTime, less, theSDK, 2.5).perItem(loopPages),
		shown("CPU per page", processTime).perItem(loopPages),
		shown("allocations per page", allocations).perItem(loopPages),
	},
}

// pageLoop returns a subject that reads pages and works at the end of each.
func pageLoop(name string, loop func(ctx context.Context, tb testing.TB, client *dynamodb.Client, work func()) (int, error)) subject {
	return subject{name: name, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		wait, worked := latency, 0
		if d == 0 {
			wait = 0
		}
		client := newPages(tb, loopPages, wait)
		return calls(tb, d, func() error {
			worked = 0
			n, err := loop(tb.Context(), tb, client, func() {
				worked++
				<-time.After(wait)
			})
			if err == nil && (n != loopPages*1000 || worked != loopPages) {
				err = fmt.Errorf("%d items, %d pages", n, worked)
			}
			return err
		})
	}}
}
