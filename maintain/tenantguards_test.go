package maintain_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// load stores an item as another program does.
func (s *tenants) load(t *testing.T, item avMap) {
	t.Helper()
	_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("tenants"), Item: item})
	require.NoError(t, err)
}

// unload deletes an item as another program does.
func (s *tenants) unload(t *testing.T, key avMap) {
	t.Helper()
	_, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("tenants"), Key: key})
	require.NoError(t, err)
}

// countTypes returns the number of items by type attribute.
func (s *tenants) countTypes(t *testing.T) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, item := range s.dump(t) {
		name, _ := item["_type"].(*types.AttributeValueMemberS)
		n[name.Value]++
	}
	return n
}

var email = attr.Must(func(u *user) *string { return &u.Email })

// deleteHook calls a function once, before the first request that deletes.
type deleteHook struct {
	called atomic.Bool
	f      func()
}

func (h *deleteHook) option(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("deleteHook", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			if h.f != nil && deletes(in.Parameters) && h.called.CompareAndSwap(false, true) {
				h.f()
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
}

// deletes reports whether a request deletes an item.
func deletes(in any) bool {
	switch in := in.(type) {
	case *dynamodb.DeleteItemInput:
		return true
	case *dynamodb.BatchWriteItemInput:
		return in.RequestItems["tenants"][0].DeleteRequest != nil
	case *dynamodb.TransactWriteItemsInput:
		return in.TransactItems[0].Delete != nil
	default:
		return false
	}
}

// A unique value that is renamed after the item was read leaves no guard, and the removal does not
// delete the guard of another item that has the earlier value now.
func TestRemove_rename(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, run := range map[string]maintain.Run{
			"by the index": {}, "by a scan": {Scan: true, Concurrency: 1},
		} {
			h, ctx := &deleteHook{}, t.Context()
			s := newTenants(t, e.Client(t, h.option))
			require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "a", Email: "x"}))
			h.f = func() {
				_, err := s.users.Update(ctx, user{Tenant: "1", ID: "a"}, email.Set("y"))
				require.NoError(t, err, name)
				require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "b", Email: "x"}), name)
			}
			_, err := maintain.RemoveTenant(ctx, s.table, "1", run)
			require.NoError(t, err, name)
			require.NoError(t, testchecks.Guards(ctx, s.table), name)
			_, err = maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
			require.NoError(t, err, name)
			require.Empty(t, s.dump(t), name)
		}
	})
}

// An item whose guards cannot be found stays, and the rest is deleted. A scan and a tenant index
// find the guards themselves, so the item is deleted.
func TestRemove_undecodable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, run := range map[string]maintain.Run{"by types": {}, "by the index": {}, "by a scan": {Scan: true}} {
			ctx := t.Context()
			s := newTenants(t, e.Client(t))
			table := s.table
			if name == "by types" {
				schema := entity.NewSchema(entity.Config{TenantIndex: entity.None, Indexes: []entity.IndexConfig{tenantIndex}})
				entity.Define[user](schema)
				var err error
				table, err = schema.Open(s.client, "tenants")
				require.NoError(t, err)
			} else {
				s.fill(t, "1", 2)
			}
			require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "00", Email: "x"}))
			require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "01", Email: "y"})) // so it is read again
			broken := avMap{
				"PK": avS("T#1"), "SK": avS("USER#00"), "_type": avS("user"), "tenant": avS("1"), "id": avS("00"),
				"email": &types.AttributeValueMemberBOOL{Value: true},
			}
			s.load(t, broken)
			for range 2 { // it can be repeated
				report, err := maintain.RemoveTenant(ctx, table, "1", run)
				if name != "by types" {
					require.NoError(t, err)
					continue
				}
				var failed *maintain.Error
				require.ErrorAs(t, err, &failed)
				require.Len(t, failed.Problems, 1)
				require.Equal(t, maintain.Undecodable, failed.Problems[0].Kind)
				require.Equal(t, avMap{"PK": broken["PK"], "SK": broken["SK"]}, failed.Problems[0].Item)
				require.NotContains(t, report.ByType, "$U#unique")
				require.Equal(t, map[string]int{"user": 1, "$U#unique": 1}, s.countTypes(t))
			}
			if name == "by types" {
				require.Equal(t, map[string]int{"user": 1}, itemsLeft(t, table, "1", maintain.Run{}))
			} else {
				require.Equal(t, map[string]int{}, s.countTypes(t))
			}
		}
	})
}

// A field without a unique value that cannot be decoded keeps no item.
func TestRemove_undecodableField(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "a", Email: "x"}))
		s.load(t, avMap{
			"PK": avS("T#1"), "SK": avS("USER#a"), "_type": avS("user"), "tenant": avS("1"), "id": &types.AttributeValueMemberBOOL{}, "email": avS("x"),
		})
		report, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, 1, report.Deleted)
		require.Empty(t, s.dump(t))
	})
}

// A scan also deletes guards to which no item leads: of a type that the program does not know, of
// an item that is gone, has another value, or is of another tenant. It counts each guard once.
func TestRemoveByScan_guards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		for _, id := range []string{"a", "b", "c", "d", "e"} {
			require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: id, Email: id}))
		}
		require.NoError(t, s.users.Create(ctx, &user{Tenant: "2", ID: "a", Email: "a"}))
		others := without(s.dump(t), "1")
		for key, owner := range map[string]avMap{
			"user#email#gone":  {"PK": avS("T#1"), "SK": avS("USER#z")},
			"user#email#other": {"PK": avS("T#1"), "SK": avS("USER#a")},
			"user#email#far":   {"PK": avS("T#2"), "SK": avS("USER#a")},
			"user#phone#1":     {"PK": avS("T#1"), "SK": avS("USER#a")},
			"pet#name#x":       {"PK": avS("T#1"), "SK": avS("PET#x")},
			"pet#name#y":       nil,
		} {
			guard := avMap{"PK": avS("T#1#$U#unique#" + key), "SK": avS("$U#1"), "_type": avS("$U#unique")}
			if owner != nil {
				guard["_owner"] = &types.AttributeValueMemberM{Value: owner}
			}
			s.load(t, guard)
		}
		report, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{Scan: true})
		require.NoError(t, err)
		require.Equal(t, 11, report.Deleted)
		require.Equal(t, map[string]int{"user": 5}, report.ByType)
		require.Equal(t, others, s.dump(t))
	})
}

// An item with unique values is deleted in a transaction, for two write units per KB of the item
// and of each guard, and without another read.
func TestRemoveCosts(t *testing.T) {
	t.Parallel()
	s, ctx := newTenants(t, ddbtest.Client(t)), t.Context()
	none, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
	require.NoError(t, err)
	require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "a", Email: "x"}))
	require.NoError(t, s.users.Create(ctx, &user{Tenant: "1", ID: "b"}))
	report, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
	require.NoError(t, err)
	require.Equal(t, 1, report.Deleted)
	// The partition is read once more. The user without an address has no guard. Each of the three
	// items has an entry in the tenant index.
	require.Equal(t, trestle.Capacity{Read: none.Capacity.Read + 1, Write: 2 + 2 + 1 + 3}, report.Capacity)
}

// Seating is embedded by a pointer. It exists, with seat 0, if the unit is stored.
type Seating struct {
	Seat int    `dynamodbav:"seat" entity:"unique"`
	Unit string `dynamodbav:"unit"`
}

// sailor has a unique value behind an embedded pointer.
type sailor struct {
	_      entity.Key `type:"sailor" pk:"T#<tenant>" sk:"SAILOR#<id>"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	ID     string     `dynamodbav:"id"`
	*Seating
}

// The guard of a zero that is not stored, behind an embedded pointer that exists, is deleted with
// the item.
func TestRemove_embeddedPointer(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, ctx := e.Client(t), t.Context()
		schema := entity.NewSchema(entity.Config{TenantIndex: entity.None})
		sailors := entity.Define[sailor](schema)
		table, err := schema.Open(client, "tenants")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		s := &tenants{client: client, table: table}
		item, err := sailors.Encode(&sailor{Tenant: "1", ID: "a", Seating: &Seating{Unit: "x"}})
		require.NoError(t, err)
		delete(item, "seat")
		s.load(t, item)
		repaired, err := maintain.RepairGuards(ctx, table, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, 1, repaired.Created)
		_, err = maintain.RemoveTenant(ctx, table, "1", maintain.Run{})
		require.NoError(t, err)
		require.Empty(t, s.countTypes(t)["$U#unique"])
		require.NoError(t, testchecks.Guards(ctx, table))
	})
}
