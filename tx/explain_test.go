package tx_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// explained are transactions whose explanations and inputs the golden files contain. Each value has
// a canary.
func explained(t *testing.T) map[string]*tx.WriteTransaction {
	t.Helper()
	s, _ := silentShop(t)
	schema := entity.NewSchema(entity.Config{})
	users := entity.Define[user](schema)
	table, err := schema.Open(s.client, "users")
	require.NoError(t, err)
	const c = canaries.Text
	key := order{Customer: c, ID: c}
	versioned := order{Customer: c, ID: c, Status: c, Total: canaries.Number, Version: canaries.Number}
	return map[string]*tx.WriteTransaction{
		"nothing": tx.NewWrite(),
		"one":     tx.NewWrite(s.stock.Op().Put(&stock{SKU: c, Note: c})),
		"a purchase": tx.NewWrite(
			s.orders.Op().Create(&versioned),
			s.stock.Op().Update(stock{SKU: c}, attr.Add(count, -canaries.Number), attr.If(count.Ge(canaries.Number)))),
		"every verb": tx.NewWrite(
			s.orders.Op().Put(&versioned, orderTotal.Lt(canaries.Number)),
			s.orders.Op().Overwrite(&order{Customer: c, ID: c + "1", Status: c}),
			s.orders.With(entity.ReadFirst()).Op().Update(order{Customer: c, ID: c + "2"}, orderStatus.Set(c), attr.Add(orderTotal, canaries.Number)),
			s.stock.Op().Upsert(stock{SKU: c + "1"}, stockNote.Set(c)),
			s.stock.Op().Delete(stock{SKU: c + "2"}, stockNote.Eq(c)),
			s.stock.Op().Check(stock{SKU: c + "3"}, stockNote.Ne(c)),
			s.events.Op().Put(&event{ID: c, Text: c})),
		"a move":        tx.NewWrite(tx.Move(s.orders, key, &order{Customer: c, ID: c + "1", Status: c}, orderTotal.Gt(canaries.Number))),
		"unique values": tx.NewWrite(users.In(table).Op().Create(&user{ID: c, Email: c, Login: c}), users.In(table).Op().Delete(user{ID: c + "1"})),
		"with a token":  tx.NewWrite(s.stock.Op().Put(&stock{SKU: c, Note: c})).Once(c),
	}
}

// explainedReads are transactions that read.
func explainedReads(t *testing.T) map[string]*tx.ReadTransaction {
	t.Helper()
	s, _ := silentShop(t)
	const c = canaries.Text
	var a *stock
	var part *level
	var o *order
	var e *event
	return map[string]*tx.ReadTransaction{
		"reads nothing": tx.NewRead(),
		"reads one":     tx.NewRead(tx.Get(s.stock, stock{SKU: c}, &a)),
		"reads several": tx.NewRead(
			tx.Get(s.stock, stock{SKU: c}, &a), tx.Get(s.orders, order{Customer: c, ID: c}, &o),
			tx.GetAs(s.Levels, s.stock, stock{SKU: c + "1"}, &part), tx.Get(s.stock, stock{SKU: c}, &a), tx.Get(s.events, event{ID: c}, &e)),
	}
}

// golden compares a text with a golden file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	require.False(t, canaries.In(text), "it shows a value: %s", text)
	file := filepath.Join("..", "testdata", "requests", name)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// The golden file testdata/requests/transactions_explained.txt contains explanations.
func TestExplanations(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	writes, reads := explained(t), explainedReads(t)
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		x, err := writes[name].Explain(trestle.Assumption{ItemSize: 1500}, trestle.Assumption{})
		require.NoError(t, err, name)
		fmt.Fprintf(&text, "== %s\n%s\n", name, x)
	}
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		x, err := reads[name].Explain(trestle.Assumption{ItemSize: 5000}, trestle.Assumption{})
		require.NoError(t, err, name)
		fmt.Fprintf(&text, "== %s\n%s\n", name, x)
	}
	golden(t, "transactions_explained.txt", text.String())
}

// The golden file testdata/requests/transactions.txt contains inputs, with a "?" for each value. An
// operation that depends on a read has no input.
func TestInputs(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	writes, reads := explained(t), explainedReads(t)
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		in, err := writes[name].Input()
		if name == "every verb" || name == "unique values" {
			requireOutcome(t, err, trestle.NotApplied, trestle.ErrInvalid)
			continue
		}
		require.NoError(t, err, name)
		if in.ClientRequestToken != nil {
			name += ", token ?"
		}
		fmt.Fprintf(&text, "== %s\n", name)
		for _, action := range in.TransactItems {
			describe(&text, action)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		in, err := reads[name].Input()
		require.NoError(t, err, name)
		fmt.Fprintf(&text, "== %s\n", name)
		for _, action := range in.TransactItems {
			fmt.Fprintf(&text, "get %s\n", *action.Get.TableName)
			describeParts(&text, action.Get.Key, nil, nil, action.Get.ProjectionExpression, action.Get.ExpressionAttributeNames, nil)
		}
	}
	golden(t, "transactions.txt", text.String())
}

func describe(b *strings.Builder, action types.TransactWriteItem) {
	switch {
	case action.Put != nil:
		a := action.Put
		fmt.Fprintf(b, "put %s, on failure %s\n", *a.TableName, a.ReturnValuesOnConditionCheckFailure)
		describeParts(b, a.Item, nil, a.ConditionExpression, nil, a.ExpressionAttributeNames, a.ExpressionAttributeValues)
	case action.Update != nil:
		a := action.Update
		fmt.Fprintf(b, "update %s, on failure %s\n", *a.TableName, a.ReturnValuesOnConditionCheckFailure)
		describeParts(b, a.Key, a.UpdateExpression, a.ConditionExpression, nil, a.ExpressionAttributeNames, a.ExpressionAttributeValues)
	case action.Delete != nil:
		a := action.Delete
		fmt.Fprintf(b, "delete %s, on failure %s\n", *a.TableName, a.ReturnValuesOnConditionCheckFailure)
		describeParts(b, a.Key, nil, a.ConditionExpression, nil, a.ExpressionAttributeNames, a.ExpressionAttributeValues)
	default:
		a := action.ConditionCheck
		fmt.Fprintf(b, "check %s, on failure %s\n", *a.TableName, a.ReturnValuesOnConditionCheckFailure)
		describeParts(b, a.Key, nil, a.ConditionExpression, nil, a.ExpressionAttributeNames, a.ExpressionAttributeValues)
	}
}

// describeParts writes the parts of an action, with a "?" for each value.
func describeParts(
	b *strings.Builder, item map[string]types.AttributeValue, update, condition, projection *string, names map[string]string, values map[string]types.AttributeValue,
) {
	for _, name := range slices.Sorted(maps.Keys(item)) {
		fmt.Fprintf(b, "  %s = %s ?\n", name, strings.TrimPrefix(fmt.Sprintf("%T", item[name]), "*types.AttributeValueMember"))
	}
	part := func(name string, expression *string) {
		if expression == nil {
			return
		}
		text := *expression
		for mark, name := range names {
			text = strings.ReplaceAll(text, mark, name)
		}
		for mark := range values {
			text = strings.ReplaceAll(text, mark, "?")
		}
		fmt.Fprintf(b, "  %s: %s\n", name, text)
	}
	part("update", update)
	part("condition", condition)
	part("attributes", projection)
}

// A transaction consumes the units that Explain estimates. DynamoDB Local reports only one of
// several actions on a table, doubles the units of indexes, and charges a check as a read.
func TestExplainedCosts(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		note := strings.Repeat("x", 2000)
		one := order{Customer: "ann", ID: "1"}
		large := trestle.Assumption{ItemSize: 2048}
		for name, c := range map[string]struct {
			ops    []entity.Operation
			assume []trestle.Assumption
			local  bool // DynamoDB Local charges the same
		}{
			"put":              {[]entity.Operation{s.stock.Op().Put(&stock{SKU: "a", Note: note})}, nil, true},
			"update":           {[]entity.Operation{s.stock.Op().Update(stock{SKU: "large"}, count.Set(1))}, []trestle.Assumption{large}, true},
			"delete":           {[]entity.Operation{s.stock.Op().Delete(stock{SKU: "large"})}, []trestle.Assumption{large}, true},
			"two tables":       {[]entity.Operation{s.stock.Op().Upsert(stock{SKU: "a"}, count.Set(1)), s.events.Op().Put(&event{ID: "1", Text: note})}, nil, true},
			"check":            {[]entity.Operation{s.stock.Op().Check(stock{SKU: "large"})}, []trestle.Assumption{large}, false},
			"create":           {[]entity.Operation{s.orders.Op().Create(&order{Customer: "ann", ID: "2", Status: "new"})}, nil, false},
			"create and check": {[]entity.Operation{s.orders.Op().Create(&order{Customer: "ann", ID: "2", Status: "new"}), s.stock.Op().Check(stock{SKU: "large"})}, []trestle.Assumption{{}, large}, false},
			"index key":        {[]entity.Operation{s.orders.Op().Update(one, orderStatus.Set("paid"), orderTotal.Set(7)), s.stock.Op().Put(&stock{SKU: "b"})}, nil, false},
			"overwrite":        {[]entity.Operation{s.orders.Op().Overwrite(&order{Customer: "ann", ID: "1", Status: "new"}), s.events.Op().Put(&event{ID: "1"})}, nil, false},
			"reading first": {
				[]entity.Operation{s.orders.With(entity.ReadFirst()).Op().Update(one, orderStatus.Set("paid"), attr.Add(orderTotal, 1)), increment(s)}, nil, false,
			},
			"three": {[]entity.Operation{s.stock.Op().Delete(stock{SKU: "large"}), increment(s), s.stock.Op().Put(&stock{SKU: "b", Note: note})}, []trestle.Assumption{large, {}}, false},
		} {
			s.reset(t)
			require.NoError(t, s.stock.Put(t.Context(), &stock{SKU: "large", Note: note}))
			require.NoError(t, s.stock.Delete(t.Context(), stock{SKU: "b"}))
			require.NoError(t, s.events.Delete(t.Context(), event{ID: "1"}))
			w := tx.NewWrite(c.ops...)
			x, err := w.Explain(c.assume...)
			require.NoError(t, err, name)
			require.Equal(t, len(c.ops), x.Actions)
			var sum trestle.Capacity
			for _, o := range x.Operations {
				sum.Add(o.Units)
				require.True(t, o.Transaction)
			}
			require.Equal(t, sum, x.Units)
			r, err := w.Do(t.Context())
			require.NoError(t, err, name)
			if c.local || s.engine != engines.DynamoDBLocal {
				require.Equal(t, x.Units, r.Capacity, name)
			}
		}

		// A token that was used before costs the read of the items.
		s.reset(t)
		require.NoError(t, s.events.Delete(t.Context(), event{ID: "1"}))
		w := tx.NewWrite(increment(s), s.events.Op().Put(&event{ID: "1", Text: note})).Once("token")
		for i, want := range []trestle.Capacity{{Write: 2 + 4}, {Read: 2 + 2}, {Read: 2 + 2}} {
			r, err := w.Do(t.Context())
			require.NoError(t, err)
			if s.engine != engines.DynamoDBLocal {
				require.Equal(t, want, r.Capacity, i)
			}
		}
	})
}

// The input can be sent with the SDK.
func TestInputsCanBeSent(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		s.reset(t)
		one := *s.storedOrder(t, "1")
		one.Status = "paid"
		in, err := tx.NewWrite(s.orders.Op().Put(&one), increment(s), s.stock.Op().Check(stock{SKU: "a"}), s.events.Op().Put(&event{ID: "1"})).Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, "two on one item")
		require.Nil(t, in)
		in, err = tx.NewWrite(s.orders.Op().Put(&one), increment(s), s.events.Op().Put(&event{ID: "1"})).Input()
		require.NoError(t, err)
		_, err = s.client.TransactWriteItems(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, "paid", s.storedOrder(t, "1").Status)
		require.EqualValues(t, 2, s.storedOrder(t, "1").Version)
		require.EqualValues(t, 1, one.Version, "Input stamps nothing")

		var got *order
		read, err := tx.NewRead(tx.Get(s.orders, one, &got), tx.Get(s.stock, stock{SKU: "a"}, new(*stock))).Input()
		require.NoError(t, err)
		out, err := s.client.TransactGetItems(t.Context(), read)
		require.NoError(t, err)
		decoded, err := s.Orders.Decode(out.Responses[0].Item)
		require.NoError(t, err)
		require.Equal(t, "paid", decoded.Status)
		require.Nil(t, got)
		// The caller may change an input.
		clear(read.TransactItems[0].Get.Key)
		read.TransactItems[1].Get.TableName = aws.String("other")
		require.NoError(t, tx.Read(t.Context(), tx.Get(s.orders, one, &got)))
	})
}
