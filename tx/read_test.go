package tx_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// level is a projection of stock.
type level struct {
	Count int `dynamodbav:"count"`
}

// cat and dog share their key.
type cat struct {
	_    entity.Key `type:"cat" pk:"PET#<id>" sk:"PET" shared:"yes"`
	ID   string     `dynamodbav:"id"`
	Purr int        `dynamodbav:"purr"`
}

type dog struct {
	_    entity.Key `type:"dog" pk:"PET#<id>" sk:"PET" shared:"yes"`
	ID   string     `dynamodbav:"id"`
	Bark int        `dynamodbav:"bark"`
}

// pets is a table of cats and dogs.
type pets struct {
	cats *entity.Repo[cat]
	dogs *entity.Repo[dog]
}

func newPets(t *testing.T, client *dynamodb.Client) pets {
	t.Helper()
	schema := entity.NewSchema(entity.Config{})
	cats, dogs := entity.Define[cat](schema), entity.Define[dog](schema)
	table, err := schema.Open(client, "pets")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return pets{cats.In(table), dogs.In(table)}
}

// Items of several types and tables are read together, whole or projected. A missing item, and one
// of another type, is nil, whatever the destination held before.
func TestReadsOfSeveralTypes(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		levels := s.Levels
		s.reset(t)
		p := newPets(t, s.client)
		ctx := t.Context()
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "b", Count: 7, Note: "x"}))
		require.NoError(t, s.events.Put(ctx, &event{ID: "1", Text: "x"}))
		require.NoError(t, p.dogs.Put(ctx, &dog{ID: "rex", Bark: 3}))
		var (
			one, gone = &order{ID: "before"}, &order{ID: "before"}
			b, empty  = (*level)(nil), &level{Count: 9}
			e         *event
			rex       *dog
			tom       = &cat{ID: "before"}
		)
		transport.All.Store(0)
		r, err := tx.NewRead(
			tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one),
			tx.Get(s.orders.Strong(), order{Customer: "ann", ID: "2"}, &gone),
			tx.GetAs(levels, s.stock, stock{SKU: "b"}, &b),
			tx.GetAs(levels, s.stock.Reader(), stock{SKU: "none"}, &empty),
			tx.Get(s.events, event{ID: "1"}, &e),
			tx.Get(p.dogs, dog{ID: "rex"}, &rex),
			tx.Get(p.cats, cat{ID: "tom"}, &tom),
		).Do(ctx)
		require.NoError(t, err)
		requireSent(t, 1, transport)
		require.Equal(t, 1, r.Attempts)
		require.Equal(t, trestle.Capacity{Read: 14}, r.Capacity)
		require.Equal(t, s.storedOrder(t, "1"), one)
		require.Nil(t, gone)
		require.Equal(t, &level{Count: 7}, b)
		require.Nil(t, empty)
		require.Equal(t, &event{ID: "1", Text: "x"}, e)
		require.Equal(t, &dog{ID: "rex", Bark: 3}, rex)
		require.Nil(t, tom)

		tom = &cat{ID: "before"}
		require.NoError(t, tx.Read(ctx, tx.Get(p.cats, cat{ID: "rex"}, &tom), tx.Get(s.events, event{ID: "1"}, &e)))
		require.Nil(t, tom, "rex is a dog")
		tom = &cat{ID: "before"}
		require.NoError(t, tx.Read(ctx, tx.Get(p.cats, cat{ID: "rex"}, &tom)))
		require.Nil(t, tom)
	})
}

// An item that is read twice is one action. Each destination gets a value of its own. In two forms
// it is an error.
func TestReadsOfOneItemTwice(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, transport *testfaults.Transport) {
		s.reset(t)
		transport.All.Store(0)
		a := stock{SKU: "a"}
		var first, second *stock
		var one *order
		require.NoError(t, tx.Read(t.Context(),
			tx.Get(s.stock, a, &first), tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one), tx.Get(s.stock.Strong(), a, &second)))
		requireSent(t, 1, transport)
		require.Equal(t, first, second)
		require.NotSame(t, first, second)
		require.NotNil(t, one)
		twice := tx.NewRead(tx.Get(s.stock, a, &first), tx.Get(s.stock, a, &second))
		in, err := twice.Input()
		require.NoError(t, err)
		require.Len(t, in.TransactItems, 1)
		first, second = nil, nil
		r, err := twice.Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, trestle.Capacity{Read: 1}, r.Capacity, "a single item is no transaction")
		require.NotNil(t, second)
		requireSent(t, 1, transport)

		var part *level
		whole := tx.Get(s.stock, a, &first)
		p := newPets(t, s.client)
		transport.All.Store(0)
		for name, other := range map[string]tx.Item{"projected": tx.GetAs(s.Levels, s.stock, a, &part)} {
			_, err := tx.NewRead(whole, tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one), other).Do(t.Context())
			requireOutcome(t, err, trestle.NoWrite, trestle.ErrInvalid)
			require.Equal(t, []string{"items[2]"}, positionsOf(t, err), name)
		}
		var c *cat
		var d *dog
		err = tx.Read(t.Context(), tx.Get(p.cats, cat{ID: "rex"}, &c), tx.Get(p.dogs, dog{ID: "rex"}, &d))
		require.Equal(t, []string{"items[1]"}, positionsOf(t, err))
		requireSent(t, 0, transport)
	})
}

// A single item is read by a strongly consistent GetItem, at half the cost of a transaction. Two
// items are read by a transaction. The cost is what Explain says.
func TestCostOfReads(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		s.reset(t)
		require.NoError(t, s.stock.Put(t.Context(), &stock{SKU: "large", Note: strings.Repeat("x", 5000)}))
		var a, large, none *stock
		get := func(sku string, into **stock) tx.Item { return tx.Get(s.stock, stock{SKU: sku}, into) }
		small, big := trestle.Assumption{ItemSize: 100}, trestle.Assumption{ItemSize: 5100}
		for name, c := range map[string]struct {
			items  []tx.Item
			assume []trestle.Assumption
			units  float64
		}{
			"one":                 {[]tx.Item{get("a", &a)}, []trestle.Assumption{small}, 1},
			"one large":           {[]tx.Item{get("large", &a)}, []trestle.Assumption{big}, 2},
			"one missing":         {[]tx.Item{get("none", &none)}, nil, 1},
			"two":                 {[]tx.Item{get("a", &a), get("large", &large)}, []trestle.Assumption{small, big}, 6},
			"two, one is missing": {[]tx.Item{get("none", &none), get("large", &large)}, []trestle.Assumption{small, big}, 6},
			"two large": {
				[]tx.Item{get("large", &large), get("large", &a), tx.GetAs(s.Levels, s.stock, stock{SKU: "a"}, new(*level))},
				[]trestle.Assumption{big, small}, 6,
			},
		} {
			r := tx.NewRead(c.items...)
			x, err := r.Explain(c.assume...)
			require.NoError(t, err)
			got, err := r.Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, trestle.Capacity{Read: c.units}, x.Units, name)
			require.Equal(t, x.Units, got.Capacity, name)
			require.False(t, x.Writes)
		}
		require.NoError(t, tx.Read(t.Context(), get("a", &a)))
		if db := ddbtest.Of(s.client); db != nil {
			requests := db.Requests()
			require.Equal(t, "GetItem", requests[len(requests)-1].Operation)
		}
		in, err := tx.NewRead(get("a", &a), tx.GetAs(s.Levels, s.stock, stock{SKU: "b"}, new(*level))).Input()
		require.NoError(t, err)
		require.Len(t, in.TransactItems, 2)
		require.Nil(t, in.TransactItems[0].Get.ProjectionExpression)
		require.NotNil(t, in.TransactItems[1].Get.ProjectionExpression)
		require.Equal(t, types.ReturnConsumedCapacityTotal, in.ReturnConsumedCapacity)
	})
}

// An item that cannot be decoded is an error that names its type and has its key, but prints no
// value. No destination is changed, and neither is any by an error of DynamoDB.
func TestReadFailures(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		s.reset(t)
		key, err := s.Stock.KeyOf(stock{SKU: canaries.Text})
		require.NoError(t, err)
		broken := map[string]types.AttributeValue{
			"PK": key["PK"], "SK": key["SK"], "_type": &types.AttributeValueMemberS{Value: "stock"}, "count": &types.AttributeValueMemberS{Value: canaries.Text},
		}
		_, err = s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("shop"), Item: broken})
		require.NoError(t, err)
		one, bad, part := &order{ID: "before"}, &stock{SKU: "before"}, &level{Count: 9}
		good := tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one)
		for name, items := range map[string][]tx.Item{
			"whole":     {good, tx.Get(s.stock, stock{SKU: canaries.Text}, &bad)},
			"projected": {good, tx.GetAs(s.Levels, s.stock, stock{SKU: canaries.Text}, &part)},
			"twice":     {good, good, tx.Get(s.stock, stock{SKU: canaries.Text}, &bad), tx.Get(s.stock, stock{SKU: canaries.Text}, &bad)},
			"alone":     {tx.Get(s.stock, stock{SKU: canaries.Text}, &bad)},
		} {
			err := tx.Read(t.Context(), items...)
			requireOutcome(t, err, trestle.NoWrite)
			var e *trestle.OpError
			require.ErrorAs(t, err, &e)
			require.Equal(t, "stock", e.Entity, name)
			require.Equal(t, "shop", e.Table)
			require.Equal(t, key, e.Key, name)
			require.Empty(t, canaries.Failed(err), name)
			require.Equal(t, &order{ID: "before"}, one)
			require.Equal(t, &stock{SKU: "before"}, bad)
			require.Equal(t, &level{Count: 9}, part)
		}
		missing := newShopOf(t, s.client, "missing")
		err = tx.Read(t.Context(), good, tx.Get(missing.stock, stock{SKU: "a"}, &bad))
		requireOutcome(t, err, trestle.NoWrite)
		require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
		require.Equal(t, &order{ID: "before"}, one)
	})
}

// Mistakes are found before anything is sent, all at once.
func TestReadMistakes(t *testing.T) {
	t.Parallel()
	s, transport := silentShop(t)
	elsewhere, _ := silentShop(t)
	var (
		into    *stock
		part    *level
		nowhere **stock
		nobody  *entity.Repo[stock]
		unbound entity.Repo[stock]
		none    entity.Projection[stock, level]
	)
	get := tx.Get(s.stock, stock{SKU: "a"}, &into)
	for name, item := range map[string]tx.Item{
		"zero":                    {},
		"no destination":          tx.Get(s.stock, stock{SKU: "b"}, nowhere),
		"no key":                  tx.Get(s.stock, stock{}, &into),
		"a nil source":            tx.Get(nil, stock{SKU: "b"}, &into),
		"a nil repository":        tx.Get(nobody, stock{SKU: "b"}, &into),
		"an unbound repository":   tx.Get(&unbound, stock{SKU: "b"}, &into),
		"another client":          tx.Get(elsewhere.stock, stock{SKU: "b"}, &into),
		"no projection":           tx.GetAs(none, s.stock, stock{SKU: "b"}, &part),
		"another schema's":        tx.GetAs(elsewhere.Levels, s.stock, stock{SKU: "b"}, &part),
		"nil for a projection":    tx.GetAs(s.Levels, s.stock, stock{SKU: "b"}, nil),
		"a projection of nothing": tx.GetAs(none, nil, stock{}, nil),
	} {
		r := tx.NewRead(get, item, get, item)
		_, err := r.Do(t.Context())
		requireOutcome(t, err, trestle.NoWrite, trestle.ErrInvalid)
		require.Equal(t, []string{"items[1]", "items[3]"}, positionsOf(t, err), name)
		_, other := r.Input()
		require.Equal(t, err, other)
		_, other = r.Explain()
		require.Equal(t, err, other)
		err = tx.Read(t.Context(), get, item)
		require.Equal(t, []string{"items[1]"}, positionsOf(t, err), name)
		if name != "another client" {
			require.Equal(t, []string{"items[0]"}, positionsOf(t, tx.Read(t.Context(), item)), name)
		}
	}
	requireSent(t, 0, transport)
}

// If the context is canceled, a read returns at once, also between attempts.
func TestCanceledRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, effect := range []ddbtest.Effect{ddbtest.Hang, ddbtest.Conflict} {
			db, s := bubbleShop(t)
			db.Fail(effect, ddbtest.Op("TransactGetItems")).MustHit(t)
			ctx, cancel := context.WithCancel(t.Context())
			a, one := &stock{SKU: "before"}, &order{ID: "before"}
			done := make(chan error, 1)
			go func() {
				done <- tx.Read(ctx, tx.Get(s.stock, stock{SKU: "a"}, &a), tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one))
			}()
			synctest.Wait()
			start := time.Now()
			cancel()
			err := <-done
			require.ErrorIs(t, err, context.Canceled)
			require.Zero(t, time.Since(start))
			requireOutcome(t, err, trestle.NoWrite)
			require.Equal(t, "before", a.SKU)
		}
	})
}

// The options and the timeout of a read are those of the repository of its first item.
func TestOptionsOfTheFirstItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := bubbleShop(t)
		db.Fail(ddbtest.Hang, ddbtest.Op("TransactGetItems", "TransactWriteItems"))
		quick := entity.Timeout(2 * time.Second)
		once := entity.ClientOptions(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
		var a *stock
		var one *order
		start := time.Now()
		err := tx.Read(t.Context(), tx.Get(s.stock.With(quick, once), stock{SKU: "a"}, &a), tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 2*time.Second, time.Since(start))
		start = time.Now()
		err = tx.Write(t.Context(), s.stock.With(quick, once).Op().Put(&stock{SKU: "a"}), s.events.Op().Put(&event{ID: "1"}))
		requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}
