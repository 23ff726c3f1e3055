package tx_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// order is versioned, has timestamps and an index.
type order struct {
	_         entity.Key   `type:"order" pk:"CUST#<customer>" sk:"ORDER#<id>"`
	_         entity.Index `name:"by-status" on:"GSI1" pk:"STATUS#<status>" sk:"<total:010>#<id>"`
	Customer  string       `dynamodbav:"customer"`
	ID        string       `dynamodbav:"id"`
	Status    string       `dynamodbav:"status"`
	Total     int          `dynamodbav:"total"`
	Version   int64        `dynamodbav:"version" entity:"version"`
	CreatedAt time.Time    `dynamodbav:"created_at" entity:"created"`
	UpdatedAt time.Time    `dynamodbav:"updated_at" entity:"updated"`
}

// stock has no roles.
type stock struct {
	_     entity.Key `type:"stock" pk:"SKU#<sku>" sk:"STOCK"`
	SKU   string     `dynamodbav:"sku"`
	Count int        `dynamodbav:"count"`
	Note  string     `dynamodbav:"note,omitempty"`
}

// event is an item of another table.
type event struct {
	_    entity.Key `type:"event" pk:"E#<id>" sk:"E"`
	ID   string     `dynamodbav:"id"`
	Text string     `dynamodbav:"text"`
}

var count = attr.Must(func(s *stock) *int { return &s.Count })

// shop is two tables on one client.
type shop struct {
	engine string
	client *dynamodb.Client
	table  *entity.Table
	log    *entity.Table
	orders *entity.Repo[order]
	stock  *entity.Repo[stock]
	events *entity.Repo[event]

	Orders *entity.Type[order]
	Stock  *entity.Type[stock]
	Events *entity.Type[event]
	Levels entity.Projection[stock, level]
}

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// newShop opens the tables. It does not create them.
func newShop(t testing.TB, client *dynamodb.Client, change ...func(*entity.Config)) *shop {
	t.Helper()
	return newShopOf(t, client, "shop", change...)
}

// newShopOf is newShop with another name of the main table.
func newShopOf(t testing.TB, client *dynamodb.Client, name string, change ...func(*entity.Config)) *shop {
	t.Helper()
	c := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return noon }}
	for _, f := range change {
		f(&c)
	}
	main := entity.NewSchema(c)
	other := entity.NewSchema(entity.Config{})
	s := &shop{client: client, Orders: entity.Define[order](main), Stock: entity.Define[stock](main), Events: entity.Define[event](other)}
	s.Levels = entity.Project[level](s.Stock)
	var err error
	s.table, err = main.Open(client, name)
	require.NoError(t, err)
	s.log, err = other.Open(client, "log")
	require.NoError(t, err)
	s.orders, s.stock, s.events = s.Orders.In(s.table), s.Stock.In(s.table), s.Events.In(s.log)
	return s
}

// create creates the tables.
func (s *shop) create(t testing.TB) {
	t.Helper()
	require.NoError(t, s.table.Create(t.Context()))
	require.NoError(t, s.log.Create(t.Context()))
}

// eachShop runs a test on new tables on every engine.
func eachShop(t *testing.T, f func(t *testing.T, s *shop)) {
	t.Helper()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) { f(t, s) })
}

// eachFaultyShop runs a test on new tables on every engine, with a transport that counts requests
// and lets writes fail.
func eachFaultyShop(t *testing.T, f func(t *testing.T, s *shop, transport *testfaults.Transport)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		transport := &testfaults.Transport{}
		s := newShop(t, e.Client(t, transport.Install))
		s.engine = e.Name
		s.create(t)
		transport.Sent.Store(0)
		transport.All.Store(0)
		f(t, s, transport)
	})
}

// requireSent requires that a number of attempts was sent since the last call.
func requireSent(t testing.TB, n int, transport *testfaults.Transport, msg ...any) {
	t.Helper()
	transport.Sent.Store(0)
	require.EqualValues(t, n, transport.All.Swap(0), msg...)
}

// storedStock returns the stored stock, or nil.
func (s *shop) storedStock(t testing.TB, sku string) *stock {
	t.Helper()
	return found(t, s.stock, stock{SKU: sku})
}

// storedOrder returns the stored order of ann, or nil.
func (s *shop) storedOrder(t testing.TB, id string) *order {
	t.Helper()
	return found(t, s.orders, order{Customer: "ann", ID: id})
}

// found returns the stored item, or nil.
func found[T any](t testing.TB, r *entity.Repo[T], example T) *T {
	t.Helper()
	item, err := r.Strong().Get(context.WithoutCancel(t.Context()), example)
	if errors.Is(err, trestle.ErrNotFound) {
		return nil
	}
	require.NoError(t, err)
	return &item
}

// requireOutcome requires that err wraps the sentinel errors of kinds and no others, and has the
// given outcome.
func requireOutcome(t testing.TB, err error, outcome trestle.Outcome, kinds ...error) {
	t.Helper()
	for _, k := range []error{
		trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale, trestle.ErrTaken, trestle.ErrCondition, trestle.ErrUnknown, trestle.ErrLimit, trestle.ErrInvalid,
	} {
		require.Equal(t, slices.Contains(kinds, k), errors.Is(err, k), "%v is %v", err, k)
	}
	require.Equal(t, outcome, trestle.OutcomeOf(err), "%v", err)
	if outcome != trestle.Applied {
		require.ErrorAs(t, err, new(*trestle.OpError))
	}
}
