package tx_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// order is versioned, has timestamps and an index.
type order struct {
	_         entity.Key   `type:"order" pk:"CUST#<customer>" sk:"ORDER#<id>"`
	_         entity.Index `name:"by-status" on:"GSI1" pk:"STATUS#<status>" sk:"ORDER#<id>"`
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
	client *dynamodb.Client
	table  *entity.Table
	log    *entity.Table
	orders *entity.Repo[order]
	stock  *entity.Repo[stock]
	events *entity.Repo[event]

	Orders *entity.Type[order]
	Stock  *entity.Type[stock]
	Events *entity.Type[event]
}

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// newShop opens the tables. It does not create them.
func newShop(t testing.TB, client *dynamodb.Client) *shop {
	t.Helper()
	main := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return noon }})
	other := entity.NewSchema(entity.Config{})
	s := &shop{client: client, Orders: entity.Define[order](main), Stock: entity.Define[stock](main), Events: entity.Define[event](other)}
	var err error
	s.table, err = main.Open(client, "shop")
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
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newShop(t, e.Client(t))
		s.create(t)
		f(t, s)
	})
}
