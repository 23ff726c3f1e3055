package main

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// shop is the interface of both tables: the program's own and the existing one. All reads are for
// one user and return items as lines.
type shop interface {
	Active(ctx context.Context) ([]string, error)
	Cart(ctx context.Context) ([]string, error)
	BySortKeyPrefix(ctx context.Context, status string) ([]string, error)
	Added(ctx context.Context) ([]string, error)
	CountAdded(ctx context.Context) (int, error)
	AddedDuring(ctx context.Context, p attr.Period) ([]string, error)
	AddressesIn(ctx context.Context, in Place) ([]string, error)
	DefaultAddress(ctx context.Context) (string, error)
	Everything(ctx context.Context) ([]string, error)
	Account(ctx context.Context) ([]string, error)

	AddAddress(ctx context.Context, in Place, zip string) error
	Activate(ctx context.Context, product string) error
	SetStatus(ctx context.Context, product, from, to string) error
	Index() string
	// UnknownItem returns an item of an unknown type that the index sorts among the items.
	UnknownItem() map[string]types.AttributeValue
}

type liner interface{ line() string }

var errNoLine = errors.New("an item of no known type")

// lines returns the items of a read as lines.
func lines[T any](items iter.Seq2[T, error]) (all []string, err error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		l, ok := any(item).(liner)
		if !ok {
			return nil, errNoLine
		}
		all = append(all, l.line())
	}
	return all, nil
}

func linesOf[T liner](items []T) (all []string) {
	for _, item := range items {
		all = append(all, item.line())
	}
	return all
}

func addressLine(parts ...string) string { return "address " + strings.Join(parts, " ") }

// later is the current time of the tests, after both tables are filled.
func later() time.Time { return time.Date(2019, time.November, 29, 8, 0, 0, 0, time.UTC) }

// opened creates the table of a schema and opens it.
func opened(t *testing.T, s *entity.Schema, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := s.Open(client, "cart")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return table
}

// meter is a client that counts requests, scanned items and consumed units of queries. It can also
// fail deletes.
type meter struct {
	*dynamodb.Client
	used *usage
}

type usage struct {
	requests, scanned int
	units             float64
	broken            bool // makes deletes fail before they are sent
}

var errBroken = errors.New("broken")

func (m meter) DeleteItem(
	ctx context.Context, in *dynamodb.DeleteItemInput, options ...func(*dynamodb.Options),
) (*dynamodb.DeleteItemOutput, error) {
	if m.used.broken {
		return nil, errBroken
	}
	return m.Client.DeleteItem(ctx, in, options...)
}

func (m meter) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.Client.Query(ctx, in, options...)
	m.used.requests++
	if err == nil {
		m.used.scanned += int(out.ScannedCount)
		m.used.units += *out.ConsumedCapacity.CapacityUnits
	}
	return out, err
}

// onBoth runs a test with both tables on every engine.
func onBoth(t *testing.T, test func(t *testing.T, s shop, m meter)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, table := range map[string]func(*testing.T, meter) shop{"typed": newTypedShop, "existing": newRawShop} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m := meter{e.Client(t), &usage{}}
				test(t, table(t, m), m)
			})
		}
	})
}
