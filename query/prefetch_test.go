package query_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/query"
)

// telling is a client that notifies the test of each page from the service.
type telling struct {
	*dynamodb.Client
	came chan struct{}
}

func (c telling) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := c.Client.Query(ctx, in, o...)
	c.came <- struct{}{}
	return out, err
}

func (c telling) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := c.Client.Scan(ctx, in, o...)
	c.came <- struct{}{}
	return out, err
}

// The event of a read includes the cost of a prefetched page that was not used. Breaking the loop
// is not a failure.
func TestPagesReadAheadAreObserved(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	errMine := errors.New("mine")
	client := telling{db.Client(), make(chan struct{}, 100)}
	w := newWatch(t, client)
	query1, scan := query.Of(w.employees, employee{CompanyID: "c1"}).PageSize(2).Prefetch(), query.Scan(w.employees).PageSize(3)
	brokenOff := func(items func(func(employee, error) bool)) func() error {
		return func() error {
			for _, err := range items {
				<-client.came
				<-client.came // the prefetched page
				return err
			}
			return nil
		}
	}
	for name, read := range map[string]func() error{
		"query": brokenOff(query1.All(t.Context())),
		"scan":  brokenOff(scan.All(t.Context())),
		"each": func() error {
			_, err := scan.Each(t.Context(), "", func([]employee) error {
				<-client.came
				<-client.came
				return errMine
			})
			require.ErrorIs(t, err, errMine)
			return nil
		},
	} {
		var events []trestle.Event
		cost := db.Measure(func() {
			var err error
			events, err = w.of(t, read)
			require.NoError(t, err, name)
		})
		require.Len(t, events, 1, name)
		e := events[0]
		require.NoError(t, e.Err, name)
		require.Equal(t, trestle.NoWrite, e.Outcome, name)
		require.Equal(t, 2, e.Requests, name)
		require.Equal(t, cost.Total(), e.Requests, name)
		require.Equal(t, cost.Evaluated, e.Scanned, name)
		require.InDelta(t, cost.ReadUnits, e.Capacity.Read, 0, name)
		require.LessOrEqual(t, e.Items, 3, name)
		require.Equal(t, time.Duration(0), e.Duration)
	}
}
