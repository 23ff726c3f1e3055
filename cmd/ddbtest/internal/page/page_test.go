package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

// TestDatabases checks the list: empty, with one database, and with two.
func TestDatabases(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Empty(t, s.get("/_ddbtest/").all("table"))
	_, err := s.databases.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
	require.NoError(t, err)
	w := s.send(http.MethodGet, "/_ddbtest/", "", nil)
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "/_ddbtest/databases/one/us-east-1/", w.Header().Get("Location"))
	require.NotContains(t, s.get("/_ddbtest/databases/one/us-east-1/").texts("a"), "Databases")
	_, err = s.databases.Open(databases.Key{AccessKey: "one", Region: "eu-west-1"})
	require.NoError(t, err)
	rows := s.get("/_ddbtest/").rows("Region")
	require.Len(t, rows, 2)
	require.Equal(t, []string{"one", "eu-west-1", "0"}, rows[0][:3])
	require.Contains(t, s.get("/_ddbtest/databases/one/us-east-1/").texts("a"), "Databases")
}

// TestNotFound checks the pages that do not exist, and requests that are not valid.
func TestNotFound(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	for _, path := range []string{
		"/_ddbtest/none", "/_ddbtest/databases/mine/eu-west-1/", "/_ddbtest/mine/us-east-1/", "/_ddbtest/databases/", base + "none", base + "tables/none/", base + "tables/none/item",
		base + "tables/none/definition", base + "tables/none/records", orders + "?index=none", base + "static/style.css",
		base + "tables/" + url.PathEscape("arn:aws:dynamodb:us-east-1:000000000000:table/orders") + "/",
		orders + `item?key={"customer":{"S":"none"},"order":{"S":"none"}}`,
	} {
		s.page(http.StatusNotFound, path)
	}
	for _, path := range []string{
		base + "?operation=%ff", base + "tables/%ff/", orders + "?%ff=1", orders + "?a=%zz", orders + "item", orders + "item?key={}",
		orders + `item?key={"customer":{"S":"a"}}`,
	} {
		s.page(http.StatusBadRequest, path)
	}
	w := s.send(http.MethodPost, base+"clock", "by="+strings.Repeat("1", 2<<20), nil)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, http.StatusBadRequest, s.send(http.MethodPost, base+"clock", "by=%ff", nil).Code)
	require.Equal(t, http.StatusNotFound, s.send(http.MethodPost, orders, "by=1", nil).Code)
	require.Equal(t, base+"#rules", s.post(base+"rules/x/remove", nil), "as a rule that was removed meanwhile")
	for _, form := range []string{"clock", "lag", "rules"} {
		require.Equal(t, base, s.send(http.MethodGet, base+form, "", nil).Header().Get("Location"), "the address of a form with errors")
	}
}

// TestAccessKeyLikePath checks that access keys that are parts of other paths have pages.
func TestAccessKeyLikePath(t *testing.T) {
	t.Parallel()
	s := start(t)
	keys := []string{"databases", "none", "static", "v1", "v2"}
	for _, accessKey := range keys {
		_, err := s.databases.Open(databases.Key{AccessKey: accessKey, Region: "us-east-1"})
		require.NoError(t, err)
	}
	var titles []string
	for _, link := range s.get("/_ddbtest/").links() {
		if strings.Contains(link, "us-east-1") {
			titles = append(titles, s.get(link).texts("h1")...)
		}
	}
	require.Len(t, titles, len(keys))
	for i, accessKey := range keys {
		require.Equal(t, "Database "+accessKey+"/us-east-1", titles[i])
	}
}

// TestStyle checks the style sheet.
func TestStyle(t *testing.T) {
	t.Parallel()
	w := start(t).send(http.MethodGet, "/_ddbtest/style.css", "", nil)
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Header().Get("Content-Type"), "text/css")
	require.Contains(t, w.Body.String(), "prefers-color-scheme: dark")
	require.NotContains(t, w.Body.String(), "url(", "it loads nothing")
}

// TestReadsAreFree checks that what the pages read is not counted, and that no rule and no limit
// acts on it. A client's request is the negative control.
func TestReadsAreFree(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.putMany("ada", 60)
	for _, id := range []string{"1", "2", "3", "4"} {
		s.put(item{"customer": str("big"), "order": str(id), "text": str(strings.Repeat("x", 390_000))})
	}
	rule := s.db.Fail(ddbtest.InternalError)
	budget, err := s.db.StartBudget(ddbtest.Requests.AtMost(0))
	require.NoError(t, err)
	s.db.LimitPartitions(ddbtest.Units{Read: 1, Write: 1}) // a read of several pages exceeds it
	before, requests, hash := s.db.Cost(), len(s.db.Requests()), s.db.Hash()
	for _, path := range []string{
		base, orders, orders + "?index=byDay", orders + "?index=byTotal&key0=ada", orders + "?key0=big&attribute=x&operator=exists", orders + "definition",
		orders + "records", orders + "item?key=" + url.QueryEscape(`{"customer":{"S":"ada"},"order":{"S":"o001"}}`),
	} {
		s.get(path)
	}
	require.Equal(t, before, s.db.Cost())
	require.Len(t, s.db.Requests(), requests)
	require.Zero(t, rule.Hits())
	require.False(t, budget.Uses()[0].Exceeded)
	require.Equal(t, hash, s.db.Hash())

	_, err = s.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.Error(t, err)
	require.NotEqual(t, before, s.db.Cost())
	require.Equal(t, 1, rule.Hits())
	require.True(t, budget.Uses()[0].Exceeded)
}

// TestLaggingReads checks that the pages show all writes, also in global indexes, although a client
// does not see them yet.
func TestLaggingReads(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.db.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled, Indexes: ddbtest.UntilSettled})
	s.putMany("ada", 2)
	for _, path := range []string{orders, orders + "?index=byDay", orders + "?index=byTotal"} {
		require.Len(t, s.get(path).rows("Item"), 2, path)
	}
	seen, err := s.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	require.Empty(t, seen.Items)
	require.Equal(t, base+"#lag", s.post(base+"settle", nil))
	seen, err = s.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	require.Len(t, seen.Items, 2)
}

// TestClosedDatabase checks the pages of a database that is closed while they are made.
func TestClosedDatabase(t *testing.T) {
	t.Parallel()
	s := startOrders(t)
	s.db.Close()
	for _, path := range []string{base, orders, orders + "definition", orders + "records", orders + "item"} {
		require.NotEmpty(t, s.page(http.StatusConflict, path).texts("h1"))
	}
}
