package maintain_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/shard"
)

// user is in the partition of the tenant alone.
type user struct {
	_      entity.Key   `type:"user" pk:"T#<tenant>" sk:"USER#<id>"`
	_      entity.Index `name:"of-tenant" on:"tenants" pk:"T#<tenant>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	Email  string       `dynamodbav:"email" entity:"unique"`
}

// event is in shards, whose partitions follow from the tenant.
type event struct {
	_      entity.Key   `type:"event" pk:"T#<tenant>#EVENTS#<shard>" sk:"<id>" shards:"2,3"`
	_      entity.Index `name:"of-tenant" on:"tenants" pk:"T#<tenant>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	Shard  *int         `dynamodbav:"shard" entity:"shard"`
}

// order has a partition of its own, which only the tenant index or a scan finds.
type order struct {
	_      entity.Key   `type:"order" pk:"T#<tenant>#ORDER#<id>" sk:"ORDER"`
	_      entity.Index `name:"of-tenant" on:"tenants" pk:"T#<tenant>"`
	_      entity.Index `name:"by-day" on:"GSI1" pk:"T#<tenant>#<at:day>" sk:"<id>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	At     time.Time    `dynamodbav:"at"`
}

// visit is in a partition for each day.
type visit struct {
	_      entity.Key   `type:"visit" pk:"T#<tenant>#VISITS#<at:day>" sk:"<at:s>#<id>"`
	_      entity.Index `name:"of-tenant" on:"tenants" pk:"T#<tenant>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	At     time.Time    `dynamodbav:"at"`
}

// tenantIndex is the index of all tenants.
var tenantIndex = entity.IndexConfig{Name: "tenants", NoSort: true, KeysOnly: true}

// store is a table of tenants, as one program sees it.
type tenants struct {
	client *dynamodb.Client
	schema *entity.Schema
	table  *entity.Table
	users  *entity.Repo[user]
	events *entity.Repo[event]
	orders *entity.Repo[order]
	visits *entity.Repo[visit]
	meter  meter
}

// openTenants opens the table.
func openTenants(t *testing.T, client *dynamodb.Client) *tenants {
	t.Helper()
	s := &tenants{client: client}
	schema := entity.NewSchema(entity.Config{
		Clock: func() time.Time { return epoch }, Observer: &s.meter, TenantIndex: "tenants",
		Indexes: []entity.IndexConfig{{Name: "GSI1"}, tenantIndex},
	})
	s.schema = schema
	users, events, orders, visits := entity.Define[user](schema), entity.Define[event](schema), entity.Define[order](schema), entity.Define[visit](schema)
	var err error
	s.table, err = schema.Open(client, "tenants")
	require.NoError(t, err)
	s.users, s.events, s.orders, s.visits = users.In(s.table), events.In(s.table), orders.In(s.table), visits.In(s.table)
	return s
}

// newStore creates the table.
func newTenants(t *testing.T, client *dynamodb.Client) *tenants {
	t.Helper()
	s := openTenants(t, client)
	require.NoError(t, s.table.Create(t.Context()))
	return s
}

// meter sums the cost of operations.
type meter struct {
	mu   sync.Mutex
	used trestle.Capacity
}

func (m *meter) Start(ctx context.Context, _ trestle.OperationInfo) context.Context { return ctx }

// End adds an operation.
func (m *meter) End(_ context.Context, e trestle.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Add(e.Capacity)
}

// take returns the sum and resets it.
func (m *meter) take() trestle.Capacity {
	m.mu.Lock()
	defer m.mu.Unlock()
	used := m.used
	m.used = trestle.Capacity{}
	return used
}

// fill stores n items of each kind for a tenant, those of packages shard and lock included.
func (s *tenants) fill(t *testing.T, tenant string, n int) {
	t.Helper()
	own, ctx := s.table.Tenant(tenant), t.Context()
	votes := shard.NewCounters(own, "votes", shard.Config{Shards: 3, Listed: true})
	seats := shard.NewBounded(own, "seats", shard.BoundedConfig{Shards: 2})
	locks := lock.New(own, "jobs", lock.Config{})
	require.NoError(t, seats.SetLimit(ctx, "hall", 100))
	for i := range n {
		id, at := fmt.Sprint(i), epoch.AddDate(0, 0, i)
		require.NoError(t, s.users.Put(ctx, &user{Tenant: tenant, ID: id, Email: id + "@example.com"}))
		require.NoError(t, s.events.Create(ctx, &event{Tenant: tenant, ID: id}))
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: tenant, ID: id, At: at}))
		require.NoError(t, s.visits.Put(ctx, &visit{Tenant: tenant, ID: id, At: at}))
		require.NoError(t, votes.Add(ctx, "x"+id, 1, shard.Once(id)))
		require.NoError(t, seats.Take(ctx, "hall", 1, shard.Once(id)))
		held, err := locks.TryAcquire(ctx, id)
		require.NoError(t, err)
		require.NoError(t, held.Release(ctx))
	}
}

// dump returns all items by their keys, without the one about the tenant index. It does not use the
// library.
func (s *tenants) dump(t *testing.T) map[string]map[string]types.AttributeValue {
	t.Helper()
	rows := map[string]map[string]types.AttributeValue{}
	pages := dynamodb.NewScanPaginator(s.client, &dynamodb.ScanInput{TableName: aws.String("tenants"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		for _, item := range page.Items {
			if name, ok := item["_type"].(*types.AttributeValueMemberS); ok && name.Value == "$U#tenantindex" {
				continue
			}
			rows[item["PK"].(*types.AttributeValueMemberS).Value+"\x00"+item["SK"].(*types.AttributeValueMemberS).Value] = item
		}
	}
	return rows
}

// without returns the items that are not of a tenant.
func without(rows map[string]map[string]types.AttributeValue, tenant string) map[string]map[string]types.AttributeValue {
	rows = maps.Clone(rows)
	maps.DeleteFunc(rows, func(key string, _ map[string]types.AttributeValue) bool {
		own, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(key, "T#"), "\x00", "#"), "#")
		return own == tenant
	})
	return rows
}

// itemsLeft returns the number of items of a tenant by type, as a dry run reports them.
func itemsLeft(t *testing.T, table *entity.Table, tenant string, run maintain.Run) map[string]int {
	t.Helper()
	run.DryRun = true
	report, err := maintain.RemoveTenant(t.Context(), table, tenant, run)
	if err == nil {
		require.Zero(t, report.Items+report.Left)
		return nil
	}
	var found *maintain.Error
	require.ErrorAs(t, err, &found)
	require.Len(t, found.Problems, report.Left)
	for _, p := range found.Problems {
		require.Equal(t, maintain.TenantItems, p.Kind)
		require.EqualValues(t, report.ByType[p.Entity], p.Items)
	}
	return report.ByType
}

// mark returns the item about the tenant index, and the number of such items.
func (s *tenants) mark(t *testing.T) (item avMap, number int) {
	t.Helper()
	out, err := s.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("tenants"), ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	for _, found := range out.Items {
		if name, ok := found["_type"].(*types.AttributeValueMemberS); ok && name.Value == "$U#tenantindex" {
			item = found
			number++
		}
	}
	return item, number
}
