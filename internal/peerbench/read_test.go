package peerbench

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/query"
)

// contender does one read with one library. It returns the number of entities and an identifying
// value of the last one.
type contender struct {
	name string
	read func(context.Context) (int, string, error)
}

// lastOf returns the last entity, or the zero value if there is none.
func lastOf[T any](all []T) (last T) {
	if n := len(all); n > 0 {
		last = all[n-1]
	}
	return last
}

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func ordersPage(n int) func(testing.TB) []contender {
	return func(tb testing.TB) []contender {
		tb.Helper()
		items, _ := stored(tb)
		return pageReaders(tb, clientOf(queryReply(items[:n])))
	}
}

// pageReaders read a page of orders.
func pageReaders(tb testing.TB, client *dynamodb.Client) []contender {
	tb.Helper()
	q := query.Of(orders.In(tableOn(tb, client)), Order{Customer: "c001"})
	peer := dynamo.NewFromIface(client).Table("bench")
	return []contender{
		{"trestle", func(ctx context.Context) (int, string, error) {
			all, err := q.Collect(ctx)
			return len(all), lastOf(all).ID, err
		}},
		{"sdk", func(ctx context.Context) (int, string, error) {
			var all []Order
			err := sdkQuery(ctx, client, "CUS#c001", "ORD#", &all)
			return len(all), lastOf(all).ID, err
		}},
		{"guregu", func(ctx context.Context) (int, string, error) {
			var all []peerOrder
			err := peer.Get("PK", "CUS#c001").Range("SK", dynamo.BeginsWith, "ORD#").All(ctx, &all)
			return len(all), lastOf(all).ID, err
		}},
	}
}

// mixedPage reads orders and parcels from one page.
func mixedPage(tb testing.TB) []contender {
	tb.Helper()
	items, _ := stored(tb)
	client := clientOf(mixedReply(items))
	q := query.Of(orders.In(tableOn(tb, client)), Order{Customer: "c001"}).Collection()
	peer := dynamo.NewFromIface(client).Table("bench")
	return []contender{
		{"trestle", func(ctx context.Context) (n int, last string, err error) {
			for item, err := range query.Items(ctx, q) {
				if err != nil {
					return n, last, err
				}
				n++
				switch item := item.(type) {
				case Order:
					last = item.ID
				case Parcel:
					last = item.ID
				}
			}
			return n, last, nil
		}},
		{"sdk", func(ctx context.Context) (n int, last string, err error) {
			out, err := client.Query(ctx, sdkInput("CUS#c001", ""))
			if err != nil {
				return 0, "", err
			}
			for _, item := range out.Items {
				n++
				if name, _ := item["_type"].(*types.AttributeValueMemberS); name != nil && name.Value == "order" {
					var o Order
					err, last = attributevalue.UnmarshalMap(item, &o), o.ID
				} else {
					var p Parcel
					err, last = attributevalue.UnmarshalMap(item, &p), p.ID
				}
				if err != nil {
					return n, last, err
				}
			}
			return n, last, nil
		}},
		{"guregu", func(ctx context.Context) (int, string, error) {
			var all []peerOfAnyType
			if err := peer.Get("PK", "CUS#c001").All(ctx, &all); err != nil {
				return len(all), "", err
			}
			return len(all), all[len(all)-1].id(), nil
		}},
	}
}

func oneItem(tb testing.TB) []contender {
	tb.Helper()
	items, _ := stored(tb)
	return itemReaders(tb, clientOf(getReply(items[7])))
}

// itemReaders read one order.
func itemReaders(tb testing.TB, client *dynamodb.Client) []contender {
	tb.Helper()
	repo := orders.In(tableOn(tb, client))
	peer := dynamo.NewFromIface(client).Table("bench")
	key := map[string]types.AttributeValue{"PK": avS("CUS#c001"), "SK": avS("ORD#000007")}
	return []contender{
		{"trestle", func(ctx context.Context) (int, string, error) {
			o, err := repo.Get(ctx, Order{Customer: "c001", ID: "000007"})
			return 1, o.ID, err
		}},
		{"sdk", func(ctx context.Context) (int, string, error) {
			out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("bench"), Key: key, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
			if err != nil {
				return 0, "", err
			}
			var o Order
			err = attributevalue.UnmarshalMap(out.Item, &o)
			return 1, o.ID, err
		}},
		{"guregu", func(ctx context.Context) (int, string, error) {
			var o peerOrder
			err := peer.Get("PK", "CUS#c001").Range("SK", dynamo.Equal, "ORD#000007").One(ctx, &o)
			return 1, o.ID, err
		}},
	}
}

func readingsPage(tb testing.TB) []contender {
	tb.Helper()
	_, items := stored(tb)
	client := clientOf(queryReply(items))
	q := query.Of(readings.In(tableOn(tb, client)), Reading{Device: "d-77"})
	peer := dynamo.NewFromIface(client).Table("bench")
	return []contender{
		{"trestle", func(ctx context.Context) (int, string, error) {
			all, err := q.Collect(ctx)
			return len(all), lastOf(all).Device, err
		}},
		{"sdk", func(ctx context.Context) (int, string, error) {
			var all []Reading
			err := sdkQuery(ctx, client, "DEV#d-77", "AT#", &all)
			return len(all), lastOf(all).Device, err
		}},
		{"guregu", func(ctx context.Context) (int, string, error) {
			var all []peerReading
			err := peer.Get("PK", "DEV#d-77").Range("SK", dynamo.BeginsWith, "AT#").All(ctx, &all)
			return len(all), lastOf(all).Device, err
		}},
	}
}

func sdkQuery(ctx context.Context, client *dynamodb.Client, partition, prefix string, into any) error {
	out, err := client.Query(ctx, sdkInput(partition, prefix))
	if err != nil {
		return err
	}
	return attributevalue.UnmarshalListOfMaps(out.Items, into)
}

func sdkInput(partition, prefix string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName:                aws.String("bench"),
		KeyConditionExpression:   aws.String("#p = :p AND begins_with(#s, :s)"),
		ExpressionAttributeNames: map[string]string{"#p": "PK", "#s": "SK"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":p": avS(partition), ":s": avS(prefix),
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
}

func batchOf100(tb testing.TB) []contender {
	tb.Helper()
	items, _ := stored(tb)
	client := clientOf(batchReply(items[:100]))
	repo := orders.In(tableOn(tb, client))
	wanted := make([]Order, 100)
	for i := range wanted {
		wanted[i] = Order{Customer: "c001", ID: orderOf(i).ID}
	}
	peer := dynamo.NewFromIface(client).Table("bench")
	return []contender{
		{"trestle", func(ctx context.Context) (int, string, error) {
			found, err := repo.GetMany(ctx, wanted)
			if err != nil {
				return 0, "", err
			}
			return len(found), lastOf(found).ID, nil
		}},
		{"sdk", func(ctx context.Context) (int, string, error) {
			keys := make([]map[string]types.AttributeValue, len(wanted))
			for i := range wanted {
				keys[i] = map[string]types.AttributeValue{"PK": avS("CUS#" + wanted[i].Customer), "SK": avS("ORD#" + wanted[i].ID)}
			}
			out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"bench": {Keys: keys}}})
			if err != nil {
				return 0, "", err
			}
			var all []Order
			err = attributevalue.UnmarshalListOfMaps(out.Responses["bench"], &all)
			return len(all), lastOf(all).ID, err
		}},
		{"guregu", func(ctx context.Context) (int, string, error) {
			keys := make([]dynamo.Keyed, len(wanted))
			for i := range wanted {
				keys[i] = dynamo.Keys{"CUS#" + wanted[i].Customer, "ORD#" + wanted[i].ID}
			}
			var all []peerOrder
			err := peer.Batch("PK", "SK").Get(keys...).All(ctx, &all)
			return len(all), lastOf(all).ID, err
		}},
	}
}

// read is a read that several libraries do, and its result.
type read struct {
	name       string
	contenders func(testing.TB) []contender
	count      int
	last       string
}

// check returns an error if a contender has another result.
func (r *read) check(n int, last string, err error) error {
	if err == nil && (n != r.count || last != r.last) {
		err = fmt.Errorf("%s: %d entities, the last is %s", r.name, n, last)
	}
	return err
}

var reads = []read{
	{"page of 1000", ordersPage(1000), 1000, "000999"},
	{"page of 4000", readingsPage, 4000, "d-77"},
	{"page of 20", ordersPage(20), 20, "000019"},
	{"mixed page of 1000", mixedPage, 1000, "000999"},
	{"batch of 100", batchOf100, 100, "000099"},
	{"item", oneItem, 1, "000007"},
}

func TestReads(t *testing.T) {
	t.Parallel()
	for _, r := range reads {
		for _, c := range r.contenders(t) {
			require.NoError(t, r.check(c.read(t.Context())), "%s, %s", r.name, c.name)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, r := range reads {
		for _, c := range r.contenders(b) {
			b.Run(r.name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				cpu := cpuTime(b)
				for b.Loop() {
					if err := r.check(c.read(b.Context())); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(cpuTime(b)-cpu)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
