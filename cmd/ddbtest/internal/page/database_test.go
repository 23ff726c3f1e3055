package page_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestTables checks the list of tables.
func TestTables(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 3)
	s.put(item{"customer": str("ada"), "order": str("without day")})
	row := s.get(base).rows("Time to live")[0]
	require.Equal(t, []string{"orders", "customer S, order S", "4"}, row[:3])
	require.Equal(t, []string{"byTotal (3), byDay (3)", "NEW_IMAGE", "expires"}, row[4:])
	_, err := s.client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	require.Empty(t, s.get(base).rows("Time to live"))
}

// TestClock checks the form that moves the clock.
func TestClock(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	for by, want := range map[string]time.Duration{"1m": time.Minute, "24h": 24 * time.Hour, "-90m": -90 * time.Minute} {
		before := s.db.Now()
		require.Equal(t, base+"#clock", s.post(base+"clock", url.Values{"by": {by}}))
		require.InDelta(t, want, s.db.Now().Sub(before), float64(time.Minute))
	}
	steps := map[string]bool{}
	for _, n := range s.get(base).all("button") {
		steps[attr(n, "value")] = true
	}
	require.Subset(t, steps, map[string]bool{"1m": true, "1h": true, "24h": true})

	before := s.db.Now()
	d := s.wrong(base+"clock", url.Values{"by": {`a "day"`}})
	require.Equal(t, `a "day"`, attr(d.id("clock-by"), "value"), "what was typed")
	require.Equal(t, "true", attr(d.id("clock-by"), "aria-invalid"))
	require.NotEmpty(t, text(d.id("clock-by-problem")))
	require.InDelta(t, 0, s.db.Now().Sub(before), float64(time.Minute))
}

// TestLag checks the form for the lag.
func TestLag(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	require.Equal(t, base+"#lag", s.post(base+"lag", url.Values{"items": {"2s"}, "indexes": {"untilSettled"}}))
	require.Equal(t, ddbtest.Lag{Items: 2 * time.Second, Indexes: ddbtest.UntilSettled}, s.db.Lag())
	d := s.get(base)
	require.Equal(t, "2s", attr(d.id("lag-items"), "value"))
	require.Equal(t, "untilSettled", attr(d.id("lag-indexes"), "value"))
	d = s.wrong(base+"lag", url.Values{"items": {"3s"}, "indexes": {"-1s"}})
	require.Equal(t, "3s", attr(d.id("lag-items"), "value"))
	require.Empty(t, attr(d.id("lag-items"), "aria-invalid"))
	require.NotEmpty(t, text(d.id("lag-indexes-problem")))
	require.Equal(t, 2*time.Second, s.db.Lag().Items, "an invalid form changes nothing")
	s.post(base+"lag", nil)
	require.Zero(t, s.db.Lag())
}

// TestRequests checks the list of requests and its filter.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 60)
	s.db.Fail(ddbtest.Op("Query"), ddbtest.Throttle())
	query := func(index *string) {
		_, err := s.client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String("orders"), IndexName: index, KeyConditionExpression: aws.String("customer = :c"),
			ExpressionAttributeValues: item{":c": str("ada")},
		})
		require.Error(t, err)
	}
	query(aws.String("byTotal"))
	_, err := s.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders"), Limit: aws.Int32(7)})
	require.NoError(t, err)

	rows := s.get(base).rows("Duration")
	require.Len(t, rows, 50)
	require.Equal(t, []string{"64", "Scan", "orders", "200 ok", ""}, rows[0][:5])
	require.Equal(t, []string{"7", "7"}, rows[0][7:9])
	require.Equal(t, []string{"63", "Query", "orders/byTotal", "400 ThrottlingException", "Throttle()"}, rows[1][:5])
	require.Equal(t, "62", rows[2][0], "the newest first")

	rows = s.get(base + "?operation=Query&table=orders").rows("Duration")
	require.Len(t, rows, 1)
	require.Equal(t, "63", rows[0][0])
	require.Len(t, s.get(base+"?operation=CreateTable").rows("Duration"), 1, "filtered before the last 50 are taken")
	d := s.get(base + "?operation=" + url.QueryEscape(hostile[0]))
	require.Empty(t, d.rows("Duration"))
	require.Contains(t, d.texts("option"), hostile[0])
}

// TestCost checks the cost.
func TestCost(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 3)
	d := s.get(base)
	require.Equal(t, [][]string{{"CreateTable", "1"}, {"PutItem", "3"}, {"UpdateTimeToLive", "1"}}, d.rows("Requests"))
	cost := s.db.Cost()
	figures := map[string]string{}
	for _, n := range d.all("dt") {
		figures[text(n)] = strings.TrimPrefix(text(n.Parent), text(n))
	}
	require.Equal(t, strconv.FormatFloat(cost.WriteUnits, 'f', -1, 64), figures["Write units"])
	require.Equal(t, "5", figures["Requests"])
	require.Len(t, d.rows("Write"), len(cost.Tables))
}
