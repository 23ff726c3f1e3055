package peerbench

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// writer does one write with one library.
type writer struct {
	name  string
	write func(context.Context) error
}

var (
	status = attr.Must(func(o *Order) *string { return &o.Status })
	total  = attr.Must(func(o *Order) *int64 { return &o.Total })
	paid   = attr.Must(func(o *Order) *bool { return &o.Paid })
)

// ordersOf returns the first n orders.
func ordersOf(n int) []*Order {
	list := make([]*Order, n)
	for i := range list {
		o := orderOf(i)
		list[i] = &o
	}
	return list
}

// sdkOrder returns the item of an order with the SDK alone.
func sdkOrder(o *Order) (map[string]types.AttributeValue, error) {
	item, err := attributevalue.MarshalMap(o)
	if err != nil {
		return nil, err
	}
	item["PK"], item["SK"], item["_type"] = avS("CUS#"+o.Customer), avS("ORD#"+o.ID), avS("order")
	item["GSI1PK"], item["GSI1SK"] = avS("CUS#"+o.Customer), avS("DAY#"+o.PlacedAt.Format("2006-01-02")+"#"+o.ID)
	return item, nil
}

// peerRow is an order with the keys that guregu/dynamo does not make.
type peerRow struct {
	PK     string
	SK     string
	Type   string `dynamo:"_type"`
	GSI1PK string
	GSI1SK string
	peerOrder
}

func peerRowOf(o Order) peerRow {
	return peerRow{
		PK: "CUS#" + o.Customer, SK: "ORD#" + o.ID, Type: "order", GSI1PK: "CUS#" + o.Customer, GSI1SK: "DAY#" + o.PlacedAt.Format("2006-01-02") + "#" + o.ID,
		peerOrder: peerOrder{
			Customer: o.Customer, ID: o.ID, PlacedAt: o.PlacedAt, Status: o.Status, Total: o.Total, Weight: o.Weight, Paid: o.Paid, Street: o.Street,
			City: o.City, Note: o.Note, Tags: o.Tags, Line: peerLine{o.Line.SKU, o.Line.Count}, UpdatedAt: o.UpdatedAt,
		},
	}
}

func putWriters(tb testing.TB, client *dynamodb.Client) []writer {
	tb.Helper()
	repo, peer := orders.In(tableOn(tb, client)), dynamo.NewFromIface(client).Table("bench")
	o := orderOf(0)
	return []writer{
		{"trestle", func(ctx context.Context) error { return repo.Put(ctx, &o) }},
		{"sdk", func(ctx context.Context) error {
			item, err := sdkOrder(&o)
			if err != nil {
				return err
			}
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("bench"), Item: item})
			return err
		}},
		{"guregu", func(ctx context.Context) error { return peer.Put(peerRowOf(o)).Run(ctx) }},
	}
}

// updateWriters set two attributes on a condition, and decode the new item.
func updateWriters(tb testing.TB, client *dynamodb.Client) []writer {
	tb.Helper()
	repo, peer := orders.In(tableOn(tb, client)), dynamo.NewFromIface(client).Table("bench")
	o := orderOf(0)
	check := func(got string, err error) error {
		if err == nil && got != "returned" {
			err = fmt.Errorf("the status is %s", got)
		}
		return err
	}
	return []writer{
		{"trestle", func(ctx context.Context) error {
			got, err := repo.Update(ctx, Order{Customer: o.Customer, ID: o.ID}, status.Set("returned"), total.Set(7), attr.If(paid.Eq(true)))
			return check(got.Status, err)
		}},
		{"sdk", func(ctx context.Context) error {
			out, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: aws.String("bench"), Key: map[string]types.AttributeValue{"PK": avS("CUS#" + o.Customer), "SK": avS("ORD#" + o.ID)},
				UpdateExpression: aws.String("SET #s = :s, #t = :t"), ConditionExpression: aws.String("attribute_exists(PK) AND #p = :p"),
				ExpressionAttributeNames: map[string]string{"#s": "status", "#t": "total", "#p": "paid"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":s": avS("returned"), ":t": &types.AttributeValueMemberN{Value: "7"}, ":p": &types.AttributeValueMemberBOOL{Value: true},
				},
				ReturnValues: types.ReturnValueAllNew,
			})
			if err != nil {
				return err
			}
			var got Order
			err = attributevalue.UnmarshalMap(out.Attributes, &got)
			return check(got.Status, err)
		}},
		{"guregu", func(ctx context.Context) error {
			var got peerOrder
			err := peer.Update("PK", "CUS#"+o.Customer).Range("SK", "ORD#"+o.ID).Set("status", "returned").Set("total", 7).
				If("attribute_exists(PK) AND 'paid' = ?", true).Value(ctx, &got)
			return check(got.Status, err)
		}},
	}
}

func transactionWriters(tb testing.TB, client *dynamodb.Client) []writer {
	tb.Helper()
	repo, db := orders.In(tableOn(tb, client)), dynamo.NewFromIface(client)
	list := ordersOf(10)
	return []writer{
		{"trestle", func(ctx context.Context) error {
			ops := make([]entity.Operation, len(list))
			for i, o := range list {
				ops[i] = repo.Op().Put(o)
			}
			return tx.Write(ctx, ops...)
		}},
		{"sdk", func(ctx context.Context) error {
			in := &dynamodb.TransactWriteItemsInput{}
			for _, o := range list {
				item, err := sdkOrder(o)
				if err != nil {
					return err
				}
				in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: aws.String("bench"), Item: item}})
			}
			_, err := client.TransactWriteItems(ctx, in)
			return err
		}},
		{"guregu", func(ctx context.Context) error {
			t := db.WriteTx().Idempotent(true)
			for _, o := range list {
				t.Put(db.Table("bench").Put(peerRowOf(*o)))
			}
			return t.Run(ctx)
		}},
	}
}

func batchWriters(tb testing.TB, client *dynamodb.Client) []writer {
	tb.Helper()
	return batchWritersOf(tb, client, 1000)
}

func chunkWriters(tb testing.TB, client *dynamodb.Client) []writer {
	tb.Helper()
	return batchWritersOf(tb, client, 25)
}

// batchWritersOf put n orders. The SDK and guregu/dynamo send one request after the other.
func batchWritersOf(tb testing.TB, client *dynamodb.Client, n int) []writer {
	tb.Helper()
	repo, peer := orders.In(tableOn(tb, client)), dynamo.NewFromIface(client).Table("bench")
	list := ordersOf(n)
	return []writer{
		{"trestle", func(ctx context.Context) error { return repo.PutMany(ctx, slices.Values(list)) }},
		{"trestle-one-by-one", func(ctx context.Context) error {
			return repo.PutMany(ctx, slices.Values(list), entity.Concurrency(1))
		}},
		{"sdk", func(ctx context.Context) error {
			for chunk := range slices.Chunk(list, 25) {
				requests := make([]types.WriteRequest, len(chunk))
				for i, o := range chunk {
					item, err := sdkOrder(o)
					if err != nil {
						return err
					}
					requests[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
				}
				for open := map[string][]types.WriteRequest{"bench": requests}; len(open) > 0; {
					out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: open})
					if err != nil {
						return err
					}
					open = out.UnprocessedItems
				}
			}
			return nil
		}},
		{"guregu", func(ctx context.Context) error {
			items := make([]any, len(list))
			for i, o := range list {
				items[i] = peerRowOf(*o)
			}
			n, err := peer.Batch("PK", "SK").Write().Put(items...).Run(ctx)
			if err == nil && n != len(list) {
				err = fmt.Errorf("%d items were written", n)
			}
			return err
		}},
	}
}

var writes = []struct {
	name    string
	writers func(testing.TB, *dynamodb.Client) []writer
	items   int // that the table has afterwards
	reply   func(testing.TB) []byte
}{
	{"put", putWriters, 1, noReply},
	{"update", updateWriters, 1, updateReply},
	{"transaction of 10", transactionWriters, 10, noReply},
	{"batch of 25", chunkWriters, 25, noReply},
	{"batch of 1000", batchWriters, 1000, noReply},
}

func noReply(testing.TB) []byte { return []byte(`{}`) }

// updateReply is the reply to an update, with the new item.
func updateReply(tb testing.TB) []byte {
	tb.Helper()
	db, _ := filled(tb, updateWriters)
	var body bytes.Buffer
	client := db.Client(func(o *dynamodb.Options) { o.HTTPClient = tap{o.HTTPClient, &body} })
	require.NoError(tb, updateWriters(tb, client)[0].write(tb.Context()))
	return body.Bytes()
}

// filled returns a database with one order, and the writers on it.
func filled(tb testing.TB, writers func(testing.TB, *dynamodb.Client) []writer) (*ddbtest.DB, []writer) {
	tb.Helper()
	db := ddbtest.New(ddbtest.Options{})
	tb.Cleanup(db.Close)
	table := tableOn(tb, db.Client())
	require.NoError(tb, table.Create(tb.Context()))
	o := orderOf(0)
	require.NoError(tb, orders.In(table).Put(tb.Context(), &o))
	return db, writers(tb, db.Client())
}

// All libraries store the same items.
func TestWrites(t *testing.T) {
	t.Parallel()
	for _, w := range writes {
		var want []map[string]types.AttributeValue
		_, all := filled(t, w.writers)
		for i := range all {
			db, all := filled(t, w.writers)
			require.NoError(t, all[i].write(t.Context()), "%s, %s", w.name, all[i].name)
			got := db.Dump("bench")
			require.Len(t, got, w.items, "%s, %s", w.name, all[i].name)
			if want == nil {
				want = got
			}
			require.Equal(t, want, got, "%s, %s", w.name, all[i].name)
		}
	}
}

// BenchmarkWrite measures whole calls, including the database in the process.
func BenchmarkWrite(b *testing.B) {
	for _, w := range writes {
		_, all := filled(b, w.writers)
		for i, c := range all {
			b.Run(w.name+"/"+c.name, func(b *testing.B) {
				_, all := filled(b, w.writers)
				measure(b, all[i].write)
			})
		}
	}
}

// BenchmarkWriteClient measures the clients only, with canned responses.
func BenchmarkWriteClient(b *testing.B) {
	for _, w := range writes {
		for _, c := range w.writers(b, clientOf(w.reply(b))) {
			b.Run(w.name+"/"+c.name, func(b *testing.B) { measure(b, c.write) })
		}
	}
}

func measure(b *testing.B, write func(context.Context) error) {
	b.Helper()
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		if err := write(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
}
