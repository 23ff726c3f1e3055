package tx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// largest is the maximum size of an item.
const largest = 400 << 10

var (
	stockNote  = attr.Must(func(s *stock) *string { return &s.Note })
	orderTotal = attr.Must(func(o *order) *int { return &o.Total })
)

// puts returns puts of n items.
func (s *shop) puts(n int) []entity.Operation {
	ops := make([]entity.Operation, n)
	for i := range ops {
		ops[i] = s.stock.Op().Put(&stock{SKU: fmt.Sprint("sku", i), Count: i})
	}
	return ops
}

// limitOf returns the exceeded limit of a transaction, which was not sent.
func limitOf(t *testing.T, err error) *tx.LimitError {
	t.Helper()
	var limit *tx.LimitError
	require.ErrorAs(t, err, &limit)
	require.ErrorIs(t, err, trestle.ErrLimit)
	require.NotErrorIs(t, err, trestle.ErrInvalid)
	return limit
}

// requireInvalidRequest requires that DynamoDB rejected a request that the SDK sent.
func requireInvalidRequest(t *testing.T, err error) {
	t.Helper()
	var api smithy.APIError
	require.ErrorAs(t, err, &api)
	require.Equal(t, "ValidationException", api.ErrorCode())
}

// A transaction has at most 100 actions. More are not sent, and DynamoDB would reject them.
func TestActionLimit(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		for _, n := range []int{99, 100} {
			require.NoError(t, tx.Write(t.Context(), s.puts(n)...))
			requireSent(t, 1, transport)
		}
		for name, more := range map[string]entity.Operation{
			"a put":       s.stock.Op().Put(&stock{SKU: "more"}),
			"a check":     s.stock.Op().Check(stock{SKU: "more"}),
			"a read":      s.orders.Op().Overwrite(&order{Customer: "ann", ID: "1", Status: "new"}),
			"two actions": tx.Move(s.stock, stock{SKU: "more"}, &stock{SKU: "moved"}),
		} {
			w := tx.NewWrite(append(s.puts(100), more)...)
			_, err := w.Do(t.Context())
			requireOutcome(t, err, trestle.NotApplied, trestle.ErrLimit)
			limit := limitOf(t, err)
			require.Equal(t, 101, limit.Operations, name)
			require.GreaterOrEqual(t, limit.Actions, 101, name)
			_, err = w.Explain()
			require.Equal(t, limit.Actions, limitOf(t, err).Actions, name)
			requireSent(t, 0, transport, name)
		}
		in, err := tx.NewWrite(s.puts(100)...).Input()
		require.NoError(t, err)
		more, err := tx.NewWrite(s.stock.Op().Put(&stock{SKU: "more"})).Input()
		require.NoError(t, err)
		in.TransactItems = append(in.TransactItems, more.TransactItems...)
		_, err = s.client.TransactWriteItems(t.Context(), in)
		requireInvalidRequest(t, err)
	})
}

// user has two unique values, so a create is three actions.
type user struct {
	_     entity.Key `type:"user" pk:"U#<id>" sk:"U"`
	ID    string     `dynamodbav:"id"`
	Email string     `dynamodbav:"email,omitempty" entity:"unique"`
	Login string     `dynamodbav:"login,omitempty" entity:"unique"`
}

// Guards of unique values are actions. The limit counts them, and the error has their number.
func TestActionLimitCountsGuards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		transport := &testfaults.Transport{}
		schema := entity.NewSchema(entity.Config{})
		users := entity.Define[user](schema)
		table, err := schema.Open(e.Client(t, transport.Install), "users")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		transport.All.Store(0)
		creates := func(n int, last *user) []entity.Operation {
			var ops []entity.Operation
			for i := range n {
				ops = append(ops, users.In(table).Op().Create(&user{ID: fmt.Sprint(i), Email: fmt.Sprint("e", i), Login: fmt.Sprint("l", i)}))
			}
			return append(ops, users.In(table).Op().Create(last))
		}
		_, err = tx.NewWrite(creates(33, &user{ID: "last", Email: "e"})...).Do(t.Context())
		limit := limitOf(t, err)
		require.Equal(t, 34, limit.Operations)
		require.Equal(t, 101, limit.Actions)
		requireSent(t, 0, transport)
		require.NoError(t, tx.Write(t.Context(), creates(33, &user{ID: "last"})...))
		requireSent(t, 1, transport)
	})
}

// padded returns operations of 12 items of about 4 MB. The last one has a padding of n bytes.
func (s *shop) padded(n int, op func(sku, note string) entity.Operation) []entity.Operation {
	ops := []entity.Operation{op("small", "")}
	for i := range 10 {
		ops = append(ops, op(fmt.Sprint("large", i), strings.Repeat("x", largest-1000)))
	}
	return append(ops, op("last", strings.Repeat("x", n)))
}

// lengthen adds a byte to the padding of the last action.
func lengthen(in *dynamodb.TransactWriteItemsInput) {
	last := in.TransactItems[len(in.TransactItems)-1]
	values := map[string]types.AttributeValue{}
	if last.Put != nil {
		values = last.Put.Item
	}
	if last.Update != nil {
		values = last.Update.ExpressionAttributeValues
	}
	for _, v := range values {
		if s, ok := v.(*types.AttributeValueMemberS); ok && strings.HasPrefix(s.Value, "xx") {
			s.Value += "x"
		}
	}
}

// A transaction has at most 4 MB. A larger one is not sent. DynamoDB accepts and rejects exactly
// the same transactions.
func TestSizeLimit(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		require.NoError(t, s.orders.Create(t.Context(), &order{Customer: "ann", ID: "1", Status: "new"}))
		transport.All.Store(0)
		for name, op := range map[string]func(sku, note string) entity.Operation{
			"puts": func(sku, note string) entity.Operation { return s.stock.Op().Put(&stock{SKU: sku, Note: note}) },
			"puts with conditions": func(sku, note string) entity.Operation {
				return s.stock.Op().Put(&stock{SKU: sku, Note: note}, attr.Or(stockNote.NotExists(), stockNote.Ne("none")))
			},
			"upserts": func(sku, note string) entity.Operation {
				return s.stock.Op().Upsert(stock{SKU: sku}, stockNote.Set(note), attr.Add(count, 1))
			},
			"a delete": func(sku, note string) entity.Operation {
				if sku == "small" {
					return s.stock.Op().Delete(stock{SKU: sku})
				}
				return s.stock.Op().Put(&stock{SKU: sku, Note: note})
			},
			"a check": func(sku, note string) entity.Operation {
				if sku == "small" {
					return s.orders.Op().Check(order{Customer: "ann", ID: "1"}, orderTotal.Lt(100))
				}
				return s.stock.Op().Put(&stock{SKU: sku, Note: note})
			},
		} {
			const much = 400_000
			_, err := tx.NewWrite(s.padded(much, op)...).Do(t.Context())
			fits := much - limitOf(t, err).Size + trestle.MaxTransactionSize
			requireSent(t, 0, transport)

			over := tx.NewWrite(s.padded(fits+1, op)...)
			_, err = over.Do(t.Context())
			requireOutcome(t, err, trestle.NotApplied, trestle.ErrLimit)
			require.Equal(t, tx.LimitError{Operations: 12, Actions: 12, Size: trestle.MaxTransactionSize + 1}, *limitOf(t, err), name)
			_, err = over.Input()
			require.ErrorAs(t, err, new(*tx.LimitError))
			requireSent(t, 0, transport, name)
			for _, n := range []int{fits - 1, fits} {
				require.NoError(t, tx.Write(t.Context(), s.padded(n, op)...), name)
				requireSent(t, 1, transport)
			}
			in, err := tx.NewWrite(s.padded(fits, op)...).Input()
			require.NoError(t, err)
			lengthen(in)
			_, err = s.client.TransactWriteItems(t.Context(), in)
			requireInvalidRequest(t, err)
			transport.All.Store(0)
		}
	})
}

// An item has at most 400 KB, also in a transaction.
func TestItemLimit(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		large := stock{SKU: "large", Note: "x"}
		item, err := s.Stock.Encode(&large)
		require.NoError(t, err)
		large.Note = strings.Repeat("x", 1+largest-codec.ItemSize(item))
		require.NoError(t, tx.Write(t.Context(), s.stock.Op().Put(&large), s.stock.Op().Put(&stock{SKU: "small"})))
		requireSent(t, 1, transport)
		large.Note += "x"
		err = tx.Write(t.Context(), s.stock.Op().Put(&large), s.stock.Op().Put(&stock{SKU: "small"}))
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrLimit)
		require.NotErrorAs(t, err, new(*tx.LimitError))
		requireSent(t, 0, transport)

		// An update may exceed the limit together with the stored item. Then DynamoDB rejects it.
		err = tx.Write(t.Context(), s.stock.Op().Put(&stock{SKU: "small"}), s.stock.Op().Update(stock{SKU: "large"}, count.Set(100_000)))
		requireOutcome(t, err, trestle.NotApplied)
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 1)
		require.Equal(t, 1, canceled.Failures[0].Operation)
		require.NotEmpty(t, canceled.Failures[0].Err.Hint)
	})
}

// A token has 1 to 36 bytes.
func TestTokenLimit(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		add := s.stock.Op().Upsert(stock{SKU: "a"}, attr.Add(count, 1))
		for _, n := range []int{0, 37} {
			token := strings.Repeat("t", n)
			requireOutcome(t, tx.WriteOnce(t.Context(), token, add), trestle.NotApplied, trestle.ErrInvalid)
			_, err := tx.NewWrite(add).Once(token).Input()
			require.ErrorIs(t, err, trestle.ErrInvalid)
			_, err = tx.NewWrite(add).Once(token).Explain()
			require.ErrorIs(t, err, trestle.ErrInvalid)
			requireSent(t, 0, transport)
		}
		for i, n := range []int{1, 36} {
			for range 3 {
				require.NoError(t, tx.WriteOnce(t.Context(), strings.Repeat("t", n), add))
			}
			require.Equal(t, i+1, s.storedStock(t, "a").Count)
		}
	})
}

// A transaction reads at most 100 distinct items, of 4 MB in all. DynamoDB checks the size, because
// nobody else knows it.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		items := make([]*stock, 102)
		reads := func(n int) []tx.Item {
			var list []tx.Item
			for i := range n {
				list = append(list, tx.Get(s.stock, stock{SKU: fmt.Sprint("sku", i)}, &items[i]))
			}
			return list
		}
		for _, n := range []int{99, 100} {
			require.NoError(t, tx.Read(t.Context(), reads(n)...))
			requireSent(t, 1, transport)
		}
		_, err := tx.NewRead(reads(101)...).Do(t.Context())
		require.Equal(t, tx.LimitError{Operations: 101, Actions: 101}, *limitOf(t, err))
		requireOutcome(t, err, trestle.NoWrite, trestle.ErrLimit)
		_, err = tx.NewRead(reads(101)...).Explain()
		require.ErrorAs(t, err, new(*tx.LimitError))
		requireSent(t, 0, transport)
		require.NoError(t, tx.Read(t.Context(), append(reads(100), reads(100)...)...), "each item is read once")
		requireSent(t, 1, transport)

		var events [11]*event
		for _, over := range []int{0, 1} {
			total, sent := 4<<20+over, 0
			if s.engine == engines.DynamoDBLocal {
				total -= 4 * len(events) // it adds 4 bytes to each item
			}
			var list []tx.Item
			for n := range events {
				one := event{ID: fmt.Sprint(n), Text: "x"}
				item, err := s.Events.Encode(&one)
				require.NoError(t, err)
				size := min(largest, total-sent)
				one.Text = strings.Repeat("x", 1+size-codec.ItemSize(item))
				sent += size
				require.NoError(t, s.events.Put(t.Context(), &one))
				list = append(list, tx.Get(s.events, event{ID: one.ID}, &events[n]))
			}
			require.Equal(t, total, sent)
			transport.All.Store(0)
			err := tx.Read(t.Context(), list...)
			requireSent(t, 1, transport)
			if over == 0 {
				require.NoError(t, err)
				require.NotNil(t, events[10])
				clear(events[:])
				continue
			}
			requireInvalidRequest(t, err)
			requireOutcome(t, err, trestle.NoWrite)
			require.Contains(t, hintOf(t, err), "4 MB")
			require.Nil(t, events[0])
		}
	})
}

func hintOf(t *testing.T, err error) string {
	t.Helper()
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	return e.Hint
}
