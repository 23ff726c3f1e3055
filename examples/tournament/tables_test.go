package main

import (
	"context"
	"iter"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// model is the interface of both tables: the program's own and the existing one. Reads return items
// as lines.
type model interface {
	Everything(ctx context.Context, id string) ([]string, error)
	Teams(ctx context.Context, id string) ([]string, error)
	TeamsBySortKeyPrefix(ctx context.Context, id string) ([]string, error)
	Players(ctx context.Context, id string) ([]string, error)
	Details(ctx context.Context, id string) (string, error)
	Basics(ctx context.Context, id string) (Basics, error)
	Program(ctx context.Context, id string) ([]string, error)
	AddTeam(ctx context.Context, id, team, name string) error

	// UnknownItem returns an item of an unknown type. Its key sorts next to the first team.
	UnknownItem() map[string]types.AttributeValue
}

type liner interface{ line() string }

// lines returns the items of a read as lines.
func lines[T any](items iter.Seq2[T, error]) (all []string, err error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		switch v := any(item).(type) {
		case liner:
			all = append(all, v.line())
		case entity.Raw:
			all = append(all, "raw")
		}
	}
	return all, nil
}

// programLines returns the parts of a program as lines, in key order.
func programLines[M, P, T, D liner](matches []M, players []P, teams []T, details D) (all []string) {
	for _, m := range matches {
		all = append(all, m.line())
	}
	for _, p := range players {
		all = append(all, p.line())
	}
	for _, t := range teams {
		all = append(all, t.line())
	}
	return append(all, details.line())
}

// listed returns collected items as lines.
func listed[T liner](items []T, err error) (all []string, _ error) {
	for _, item := range items {
		all = append(all, item.line())
	}
	return all, err
}

// opened creates the table of a schema and opens it.
func opened(t *testing.T, s *entity.Schema, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := s.Open(client, "tournaments")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return table
}

// meter is a client that counts requests, items and consumed units of queries.
type meter struct {
	*dynamodb.Client
	used *usage
}

type usage struct {
	requests, count, scanned int
	units                    float64
}

func (m meter) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.Client.Query(ctx, in, options...)
	m.used.requests++
	if err == nil {
		m.used.count += int(out.Count)
		m.used.scanned += int(out.ScannedCount)
		m.used.units += *out.ConsumedCapacity.CapacityUnits
	}
	return out, err
}

// onBoth runs a test with both tables on every engine.
func onBoth(t *testing.T, test func(t *testing.T, b model, m meter)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, table := range map[string]func(*testing.T, meter) model{"typed": newTypedModel, "existing": newRawModel} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m := meter{e.Client(t), &usage{}}
				test(t, table(t, m), m)
			})
		}
	})
}
