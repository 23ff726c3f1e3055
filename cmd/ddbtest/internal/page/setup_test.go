package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
	"github.com/trestledb/trestle/ddbtest"
)

// site is a server with one database, mine, which has the table orders.
type site struct {
	t         *testing.T
	databases *databases.Databases
	handler   http.Handler
	db        *ddbtest.DB
	client    *dynamodb.Client
}

const (
	base   = "/_ddbtest/databases/mine/us-east-1/"
	orders = base + "tables/orders/"
)

// start starts a server without databases.
func start(t *testing.T) *site {
	t.Helper()
	dbs, err := databases.New(databases.Config{})
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := dbs.Close()
		require.NoError(t, err)
	})
	s := &site{t: t, databases: dbs}
	s.allow("*")
	return s
}

// allow starts the server anew, with origins that CORS allows. It has the name of the requests of
// httptest.
func (s *site) allow(origins ...string) {
	s.handler = (&server.Server{Databases: s.databases, Origins: origins, Hosts: server.Hosts{"example.com"}}).Handler()
}

// startOrders starts a server with one database.
func startOrders(t *testing.T) *site {
	t.Helper()
	s := start(t)
	db, err := s.databases.Open(databases.Key{AccessKey: "mine", Region: "us-east-1"})
	require.NoError(t, err)
	s.db = db.DB
	s.client = s.db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	createOrders(t, s.client)
	return s
}

// createOrders creates the table orders: with a sort key, a local and a global index, a stream and
// a time to live.
func createOrders(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	keys := func(partition, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &partition, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
		}
	}
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest, KeySchema: keys("customer", "order"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("order"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("day"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("total"), AttributeType: types.ScalarAttributeTypeN},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String("byTotal"), KeySchema: keys("customer", "total"), Projection: all},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("byDay"), KeySchema: keys("day", "order"), Projection: all},
		},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	})
	require.NoError(t, err)
	_, err = client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("orders"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	})
	require.NoError(t, err)
}

func str(text string) types.AttributeValue    { return &types.AttributeValueMemberS{Value: text} }
func number(text string) types.AttributeValue { return &types.AttributeValueMemberN{Value: text} }

// item is an item in the form of the SDK.
type item = map[string]types.AttributeValue

// order returns an order with more attributes.
func order(customer, id, day, total string, more item) item {
	o := item{"customer": str(customer), "order": str(id), "day": str(day), "total": number(total)}
	for name, v := range more {
		o[name] = v
	}
	return o
}

func put(ctx context.Context, client *dynamodb.Client, i item) error {
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: i})
	return err
}

// put puts orders.
func (s *site) put(items ...item) {
	s.t.Helper()
	for _, i := range items {
		require.NoError(s.t, put(s.t.Context(), s.client, i))
	}
}

// putMany puts orders of one customer with the numbers from 0.
func (s *site) putMany(customer string, n int) {
	s.t.Helper()
	for i := range n {
		s.put(order(customer, fmt.Sprintf("o%03d", i), "monday", fmt.Sprint(i), nil))
	}
}

// send sends a request with headers, and checks those of the reply.
func (s *site) send(method, target, form string, headers map[string]string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(form))
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if strings.HasPrefix(target, "/_ddbtest/") && !strings.HasPrefix(target, "/_ddbtest/v1/") {
		checkHeaders(s.t, w.Header())
	}
	return w
}

func checkHeaders(t *testing.T, h http.Header) {
	t.Helper()
	require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe")
	require.NotContains(t, h.Get("Content-Security-Policy"), "script")
	require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
	require.Equal(t, "no-store", h.Get("Cache-Control"))
	require.Empty(t, h.Get("Access-Control-Allow-Origin"))
}

// get returns a page with status 200.
func (s *site) get(target string) *document { s.t.Helper(); return s.page(http.StatusOK, target) }

// page returns a page with a status.
func (s *site) page(status int, target string) *document {
	s.t.Helper()
	w := s.send(http.MethodGet, target, "", nil)
	require.Equal(s.t, status, w.Code, "%s: %s", target, w.Body)
	return parse(s.t, w.Body.String())
}

// post sends a form that succeeds, and returns where the reply leads.
func (s *site) post(target string, values url.Values) string {
	s.t.Helper()
	w := s.send(http.MethodPost, target, values.Encode(), map[string]string{"Origin": "http://example.com"})
	require.Equal(s.t, http.StatusSeeOther, w.Code, "%s", w.Body)
	return w.Header().Get("Location")
}

// wrong sends a form with errors, and returns the page.
func (s *site) wrong(target string, values url.Values) *document {
	s.t.Helper()
	w := s.send(http.MethodPost, target, values.Encode(), nil)
	require.Equal(s.t, http.StatusUnprocessableEntity, w.Code, "%s", w.Body)
	return parse(s.t, w.Body.String())
}

// credentials are those of the database mine.
type credentials struct{}

func (credentials) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "mine", SecretAccessKey: "any"}, nil
}

// longText is longer than what a cell shows.
var longText = strings.Repeat("long text ", 100)

func jsonNumber(n int64) string { return strconv.FormatInt(n, 10) }
