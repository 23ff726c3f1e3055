package peerbench

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/trestledb/trestle/query"
)

const (
	workers      = 8
	segmentPages = 4 // of each segment
	itemRate     = "items/s"
)

// scanRow scans a table in parallel, whose pages arrive after a time, and counts the orders.
var scanRow = row{
	number: 12, task: "parallel Scan, 8 workers, 5 ms latency",
	subjects: func(testing.TB) []subject {
		return []subject{
			scanner(ours, func(ctx context.Context, tb testing.TB, client *dynamodb.Client) (n int, err error) {
				tb.Helper()
				for _, err := range query.Scan(orders.In(tableOn(tb, client))).Segments(workers).All(ctx) {
					if err != nil {
						return n, err
					}
					n++
				}
				return n, nil
			}),
			scanner(theSDK, sdkScan),
			scanner(guregu, func(ctx context.Context, _ testing.TB, client *dynamodb.Client) (n int, err error) {
				items := dynamo.NewFromIface(client).Table("bench").Scan().IterParallel(ctx, workers)
				for o := (peerOrder{}); items.Next(ctx, &o); o = (peerOrder{}) {
					n++
				}
				return n, items.Err()
			}),
		}
	},
	lines: []line{
		asks("items per second", itemRate, more, theSDK, 4),
		shown("CPU", processTime),
		shown("allocations", allocations),
		shown("memory", memory),
	},
}

// scanner returns a subject that scans a table.
func scanner(name string, scan func(context.Context, testing.TB, *dynamodb.Client) (int, error)) subject {
	return subject{name: name, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		wait, n := latency, segmentPages
		if d == 0 {
			wait, n = 0, 2
		}
		client, want := newPages(tb, n, wait), workers*n*1000
		s := calls(tb, d, func() error {
			got, err := scan(tb.Context(), tb, client)
			if err == nil && got != want {
				err = fmt.Errorf("%d items of %d", got, want)
			}
			return err
		})
		s.values[itemRate] = float64(want) / (s.values[wallTime] / float64(time.Second))
		return s
	}}
}

// sdkScan scans with a goroutine for each segment, which decodes its pages.
func sdkScan(ctx context.Context, _ testing.TB, client *dynamodb.Client) (int, error) {
	var n atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for segment := range workers {
		group.Go(func() error {
			p := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
				TableName: aws.String("bench"), Segment: aws.Int32(int32(segment)), TotalSegments: aws.Int32(workers),
			})
			for p.HasMorePages() {
				page, err := p.NextPage(ctx)
				if err != nil {
					return err
				}
				var all []Order
				if err := attributevalue.UnmarshalListOfMaps(page.Items, &all); err != nil {
					return err
				}
				n.Add(int64(len(all)))
			}
			return nil
		})
	}
	err := group.Wait()
	return int(n.Load()), err
}
