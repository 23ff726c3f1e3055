package document_test

import (
	"maps"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type (
	// basket is the root of an order, which expires.
	basket struct {
		_       entity.Key `type:"basket" pk:"ORDER#<id>" sk:"BASKET" lifetime:"1h"`
		ID      string     `dynamodbav:"id"`
		Name    string     `dynamodbav:"name"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		document.Root
	}
	article struct {
		_       entity.Key             `type:"article" pk:"ORDER#<id>" sk:"ARTICLE#<n:04>"`
		ID      string                 `dynamodbav:"id"`
		N       int                    `dynamodbav:"n"`
		Text    string                 `dynamodbav:"text"`
		Image   document.Large[[]byte] `dynamodbav:"image"`
		Expires int64                  `dynamodbav:"expires" entity:"ttl"`
		document.Part
	}
	voucher struct {
		_       entity.Key `type:"voucher" pk:"ORDER#<id>" sk:"VOUCHER#<n>"`
		ID      string     `dynamodbav:"id"`
		N       string     `dynamodbav:"n"`
		Code    string     `dynamodbav:"code" entity:"unique"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		document.Part
	}
	order struct {
		document.State
		Basket   basket
		Articles []article
		Vouchers []voucher
	}
)

// future is later than the clock of every engine, so that only the tests delete expired items.
var future = time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)

// shop is a table with orders, as one process sees it.
type shop struct {
	schema   *entity.Schema
	document *document.Type[order]
	basket   *entity.Type[basket]
	article  *entity.Type[article]
	client   *dynamodb.Client
	clock    *clock
	meter    *meter
	table    *entity.Table
	orders   *document.Repo[order]
	baskets  *entity.Repo[basket]
	articles *entity.Repo[article]
}

func newShop(t testing.TB, client *dynamodb.Client) *shop {
	t.Helper()
	s := &shop{clock: new(clock), meter: new(meter)}
	s.clock.advance(future.Sub(start))
	s.schema = entity.NewSchema(entity.Config{Clock: s.clock.now, Observer: s.meter})
	s.document = document.Define[order](s.schema)
	s.basket, s.article = entity.Define[basket](s.schema), entity.Define[article](s.schema)
	entity.Define[voucher](s.schema)
	s = s.process(t, client)
	require.NoError(t, s.table.Create(t.Context()))
	return s
}

// process returns the table as another process sees it, by a client of its own.
func (s *shop) process(t testing.TB, client *dynamodb.Client) *shop {
	t.Helper()
	own := *s
	table, err := s.schema.Open(client, "shop")
	require.NoError(t, err)
	own.client, own.table = client, table
	own.orders = s.document.In(table, document.Config{WriteTime: writeTime, Concurrency: 1})
	own.baskets, own.articles = s.basket.In(table), s.article.In(table)
	return &own
}

// eachShop runs a test with a shop on each engine.
func eachShop(t *testing.T, f func(t *testing.T, s *shop)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) { f(t, newShop(t, e.Client(t))) })
}

func orderKey(id string) order { return order{Basket: basket{ID: id}} }

// newOrder returns an order with some articles, a large value and a voucher.
func newOrder(name string, articles ...int) order {
	o := order{Basket: basket{ID: "a", Name: name}, Vouchers: []voucher{{N: "1", Code: "code"}}}
	for _, n := range articles {
		o.Articles = append(o.Articles, article{N: n, Text: name})
	}
	if len(o.Articles) > 0 {
		o.Articles[0].Image.Value = []byte(name)
	}
	return o
}

// goods are the contents of an order.
type goods struct {
	Name     string
	Expires  int64
	Articles map[int]string
	Vouchers map[string]string
}

func goodsOf(o *order) goods {
	g := goods{Name: o.Basket.Name, Articles: map[int]string{}, Vouchers: map[string]string{}}
	if !o.Basket.Expires.IsZero() {
		g.Expires = o.Basket.Expires.Unix()
	}
	for _, a := range o.Articles {
		g.Articles[a.N] = a.Text + string(a.Image.Value)
	}
	for _, v := range o.Vouchers {
		g.Vouchers[v.N] = v.Code
	}
	return g
}

// stored returns all items.
func (s *shop) stored(t testing.TB) (list []map[string]types.AttributeValue) {
	t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String("shop"), ConsistentRead: aws.Bool(true)}
	for {
		out, err := s.client.Scan(t.Context(), in)
		require.NoError(t, err)
		list = append(list, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(out.LastEvaluatedKey) == 0 {
			return list
		}
	}
}

// expiries counts the items by their time to live: 0 for none.
func (s *shop) expiries(t testing.TB) map[int64]int {
	t.Helper()
	found := map[int64]int{}
	for _, item := range s.stored(t) {
		found[expiryOf(item)]++
	}
	return found
}

func expiryOf(item map[string]types.AttributeValue) int64 {
	n, ok := item["expires"].(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	seconds, _ := strconv.ParseInt(n.Value, 10, 64)
	return seconds
}

// expire deletes expired items, as DynamoDB does: each with the given probability, in any order.
func (s *shop) expire(t testing.TB, r *rand.Rand, probability float64) {
	t.Helper()
	list := s.stored(t)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, item := range list {
		if seconds := expiryOf(item); seconds == 0 || seconds > s.clock.now().Unix() || r.Float64() >= probability {
			continue
		}
		maps.DeleteFunc(item, func(name string, _ types.AttributeValue) bool { return name != "PK" && name != "SK" })
		_, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("shop"), Key: item})
		require.NoError(t, err)
	}
}
