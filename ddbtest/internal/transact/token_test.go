package transact_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// adding returns a transaction that adds to a counter each time it is applied.
func adding(key, token string, n int) *api.TransactWriteItemsInput {
	return &api.TransactWriteItemsInput{ClientRequestToken: &token, TransactItems: []api.TransactWriteItem{{Update: &api.TransactUpdate{
		TableName: texts, Key: of(key), UpdateExpression: ptr("ADD n :n"),
		Expressions: api.Expressions{ExpressionAttributeValues: map[string]value.Value{":n": num(n)}},
	}}}}
}

func write(db *store.DB, in *api.TransactWriteItemsInput) error {
	_, err := transact.Write(call(db, engine.Steer{}), in)
	return err
}

func requireServiceError(t *testing.T, code string, err error) {
	t.Helper()
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, code, serviceErr.Code)
}

const tokenMismatch = "IdempotentParameterMismatchException"

// A token identifies one transaction, for ten minutes after its completion.
func TestTokensExpireAfterTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, new(clock.Clock))
		require.NoError(t, write(db, adding("a", "token", 1)))
		require.NoError(t, write(db, adding("a", "token", 1)))
		requireServiceError(t, tokenMismatch, write(db, adding("a", "token", 2)))
		requireServiceError(t, tokenMismatch, write(db, adding("b", "token", 1)))
		require.Equal(t, counters{"a": 1}, read(t, db))

		db.Clock.Advance(10*time.Minute - time.Nanosecond)
		require.NoError(t, write(db, adding("a", "token", 1)))
		requireServiceError(t, tokenMismatch, write(db, adding("a", "token", 2)))
		require.Equal(t, counters{"a": 1}, read(t, db), "a replay does not make it younger either")

		db.Clock.Advance(time.Nanosecond)
		require.NoError(t, write(db, adding("a", "token", 2)))
		require.NoError(t, write(db, adding("a", "token", 2)))
		require.Equal(t, counters{"a": 3}, read(t, db), "it stands for another transaction now")
	})
}

// Without a token, or with another one, it is another transaction.
func TestEachTransactionHasItsToken(t *testing.T) {
	t.Parallel()
	db := newDB(t, new(clock.Clock))
	for i := range 3 {
		require.NoError(t, write(db, adding("a", fmt.Sprint("token", i), 1)))
		in := adding("a", "", 1)
		in.ClientRequestToken = nil
		require.NoError(t, write(db, in))
	}
	require.Equal(t, counters{"a": 6}, read(t, db))
}

// A failed transaction may be sent again with its token, changed or not.
func TestTokensOfFailedTransactionsAreNotStored(t *testing.T) {
	t.Parallel()
	db := newDB(t, new(clock.Clock))
	in := adding("a", "token", 1)
	in.TransactItems[0].Update.ConditionExpression = ptr("attribute_exists(pk)")
	requireServiceError(t, awserr.CodeCanceled, write(db, in))
	in.TransactItems[0].Update.TableName = "nowhere"
	requireServiceError(t, awserr.CodeResourceNotFound, write(db, in))
	require.NoError(t, write(db, adding("a", "token", 5)))
	in.TransactItems[0].Update.TableName = texts
	requireServiceError(t, tokenMismatch, write(db, in))
	require.Equal(t, counters{"a": 5}, read(t, db))
}

// Expired tokens are deleted, so that their number is bounded.
func TestExpiredTokensAreDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, new(clock.Clock))
		size := func() (n int) {
			require.NoError(t, db.View(func(s *store.State) error { n = s.Tokens.Len(); return nil }))
			return n
		}
		require.NoError(t, write(db, adding("a", "one", 1)))
		perToken := size()
		for i := range 100 {
			db.Clock.Advance(time.Minute)
			require.NoError(t, write(db, adding("a", fmt.Sprint("token", i), 1)))
			require.LessOrEqual(t, size(), 10*perToken)
		}
		require.Equal(t, 10*perToken, size())
	})
}

// A replay is charged for reading the current items.
func TestRepeatedTransactionsCostReads(t *testing.T) {
	t.Parallel()
	db := newDB(t, new(clock.Clock))
	large := func(key string) value.Map { return of(key).With("x", value.String(strings.Repeat("x", 9000))) }
	put := func(i value.Map) api.TransactWriteItem {
		return api.TransactWriteItem{Put: &api.TransactPut{TableName: texts, Item: i}}
	}
	remove := func(key string) api.TransactWriteItem {
		return api.TransactWriteItem{Delete: &api.TransactDelete{TableName: texts, Key: of(key)}}
	}
	run := func(in *api.TransactWriteItemsInput) *api.ConsumedCapacity {
		out, err := transact.Write(call(db, engine.Steer{}), in)
		require.NoError(t, err)
		require.Len(t, out.ConsumedCapacity, 1)
		return out.ConsumedCapacity[0]
	}
	steps := func(actions ...api.TransactWriteItem) {
		for _, action := range actions {
			require.NoError(t, write(db, &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{action}}))
		}
	}
	for i, c := range []struct {
		before        []api.TransactWriteItem
		action        api.TransactWriteItem
		after         []api.TransactWriteItem
		written, read float64
	}{
		{nil, put(large("a")), nil, 18, 6},
		{nil, put(of("b")), []api.TransactWriteItem{put(large("b"))}, 2, 6},
		{nil, put(large("c")), []api.TransactWriteItem{remove("c")}, 18, 2},
		{[]api.TransactWriteItem{put(large("d"))}, put(of("d")), nil, 18, 2},
		{[]api.TransactWriteItem{put(large("e"))}, remove("e"), nil, 18, 2},
		{[]api.TransactWriteItem{put(large("f"))}, api.TransactWriteItem{ConditionCheck: &api.ConditionCheck{
			TableName: texts, Key: of("f"), ConditionExpression: ptr("attribute_exists(x)"),
		}}, nil, 18, 6},
	} {
		steps(c.before...)
		in := &api.TransactWriteItemsInput{
			TransactItems: []api.TransactWriteItem{c.action}, ClientRequestToken: ptr(fmt.Sprint("token", i)), ReturnConsumedCapacity: "INDEXES",
		}
		require.Equal(t, &api.ConsumedCapacity{
			TableName: texts, CapacityUnits: &c.written, WriteCapacityUnits: &c.written,
			Table: &api.Capacity{CapacityUnits: &c.written, WriteCapacityUnits: &c.written},
		}, run(in))
		steps(c.after...)
		require.Equal(t, &api.ConsumedCapacity{
			TableName: texts, CapacityUnits: &c.read, ReadCapacityUnits: &c.read, Table: &api.Capacity{CapacityUnits: &c.read, ReadCapacityUnits: &c.read},
		}, run(in))
		in.ReturnConsumedCapacity = "TOTAL"
		require.Equal(t, &api.ConsumedCapacity{TableName: texts, CapacityUnits: &c.read, ReadCapacityUnits: &c.read}, run(in), "what is asked for may change")
	}
}

// A replay reads its items, so their tables must still exist and have such keys.
func TestRepeatedTransactionsNeedTheirTables(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		replay := func() error {
			_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
				TransactItems: []action{put(item("pk", "a"))}, ClientRequestToken: ptr("token"),
			})
			return err
		}
		require.NoError(t, replay())
		_, err := c.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: ptr(texts)})
		require.NoError(t, err)
		requireCode(t, awserr.CodeResourceNotFound, replay())
		_, err = c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: ptr(texts), BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: definitions("id:S"), KeySchema: schema("id"),
		})
		require.NoError(t, err)
		requireCode(t, "ValidationException", replay())
	})
}
