package main

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// shop is the interface of both models: the seventeen access patterns. They return the keys of the
// items as PK/SK in the order of the results.
type shop interface {
	customer(ctx context.Context, id string) ([]string, error)
	product(ctx context.Context, id string) ([]string, error)
	warehouse(ctx context.Context, id string) ([]string, error)
	stockOf(ctx context.Context, product string) ([]string, error)
	order(ctx context.Context, id string) ([]string, error)
	itemsOf(ctx context.Context, order string) ([]string, error)
	invoiceOf(ctx context.Context, order string) ([]string, error)
	shipmentsOf(ctx context.Context, order string) ([]string, error)
	sales(ctx context.Context, product string, when attr.Period) ([]string, error)
	invoice(ctx context.Context, id string) ([]string, error)
	payments(ctx context.Context, invoice string) ([]string, error) // the payments themselves
	shipment(ctx context.Context, id string) ([]string, error)
	shipmentsFrom(ctx context.Context, warehouse string) ([]string, error)
	stockIn(ctx context.Context, warehouse string) ([]string, error)
	invoicesTo(ctx context.Context, customer string, when attr.Period) ([]string, error)
	// purchases reads all pages.
	purchases(ctx context.Context, customer string, when attr.Period, size int) ([]string, error)
	activity(ctx context.Context, customer string, when attr.Period, invoicesOnly bool) ([]string, error)
}

// counter adds up the Count and ScannedCount of queries.
type counter struct {
	*dynamodb.Client
	count, scanned *int
}

func newCounter(client *dynamodb.Client) counter { return counter{client, new(int), new(int)} }

func (c counter) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := c.Client.Query(ctx, in, options...)
	if err == nil {
		*c.count += int(out.Count)
		*c.scanned += int(out.ScannedCount)
	}
	return out, err
}

// wrong sends one request. It returns what is wrong with the result or with the counts, or "".
func (c counter) wrong(ctx context.Context, s shop, r request) string {
	*c.count, *c.scanned = 0, 0
	got, err := r.send(ctx, s)
	want := r.want
	if r.unordered {
		got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	}
	switch {
	case err != nil:
		return err.Error()
	case !slices.Equal(got, want):
		return fmt.Sprintf("got %q, want %q", got, want)
	case *c.count != r.count || *c.scanned != r.scanned:
		return fmt.Sprintf("%d of %d items, want %d of %d", *c.count, *c.scanned, r.count, r.scanned)
	default:
		return ""
	}
}

// Both models run every request on their own table and read no other items.
func TestAccessPatterns(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, *dynamodb.Client, counter) shop{"existing": openLegacy, "typed": openTyped} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				client := e.Client(t)
				c := newCounter(client)
				s := open(t, client, c)
				for _, r := range requests {
					require.Empty(t, c.wrong(t.Context(), s, r), r.name)
				}
			})
		})
	}
}

// naiveShop has typical mistakes of hand-written queries: a prefix that is too short, and a range
// that ends with the string of the last day.
type naiveShop struct{ legacyShop }

func (s naiveShop) shipmentsOf(ctx context.Context, order string) ([]string, error) {
	return keysOf(collect(query.Items(ctx, query.Of(legacyOrders.In(s.table), legacyOrder{ID: order}).Collection().Prefix("sh"))))
}

func (s naiveShop) sales(ctx context.Context, product string, when attr.Period) ([]string, error) {
	c := query.On(legacyOrderItems.In(s.table), "by-product", legacyOrderItem{Product: product}).Collection()
	return keysOf(collect(query.Items(ctx, c.Between(when.Start.Format(time.DateOnly), when.Start.Format(time.DateOnly)))))
}

func (s naiveShop) activity(ctx context.Context, customer string, when attr.Period, _ bool) ([]string, error) {
	return s.legacyShop.activity(ctx, customer, when, false)
}

// The requests detect wrong results.
func TestNaiveRequestsFail(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		c := newCounter(client)
		s, ok := openLegacy(t, client, c).(legacyShop)
		require.True(t, ok)
		var failed []string
		for _, r := range requests {
			if c.wrong(t.Context(), naiveShop{s}, r) != "" {
				failed = append(failed, r.name)
			}
		}
		require.Equal(t, []string{"8 shipments of an order", "9 orders of a product on a day", "17 only the invoices"}, failed)
	})
}

// keyOf returns the key of an item as PK/SK.
func keyOf[T any](typ *entity.Type[T], item T) string {
	key, err := typ.KeyOf(item)
	if err != nil {
		return err.Error()
	}
	return stringOf(key["PK"]) + "/" + stringOf(key["SK"])
}

// one converts the item of a read to its key.
func one[T any](typ *entity.Type[T]) func(T, error) ([]string, error) {
	return func(item T, err error) ([]string, error) {
		if err != nil {
			return nil, err
		}
		return []string{keyOf(typ, item)}, nil
	}
}

// many converts the items of a read to their keys.
func many[T any](typ *entity.Type[T]) func([]T, error) ([]string, error) {
	return func(items []T, err error) ([]string, error) {
		var found []string
		for _, item := range items {
			found = append(found, keyOf(typ, item))
		}
		return found, err
	}
}
