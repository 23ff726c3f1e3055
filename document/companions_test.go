package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type (
	// flight is a root with a unique value.
	flight struct {
		_       entity.Key `type:"flight" pk:"FLIGHT#<id>" sk:"HEAD"`
		ID      string     `dynamodbav:"id"`
		Call    string     `dynamodbav:"call" entity:"unique"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	leg struct {
		_  entity.Key `type:"leg" pk:"FLIGHT#<id>" sk:"LEG#<n:03>"`
		ID string     `dynamodbav:"id"`
		N  int        `dynamodbav:"n"`
		document.Part
	}
	// ticket is a part with four unique values.
	ticket struct {
		_    entity.Key `type:"ticket" pk:"FLIGHT#<id>" sk:"TICKET#<n:03>"`
		ID   string     `dynamodbav:"id"`
		N    int        `dynamodbav:"n"`
		Code string     `dynamodbav:"code" entity:"unique"`
		Seat string     `dynamodbav:"seat" entity:"unique"`
		Bag  string     `dynamodbav:"bag" entity:"unique"`
		Meal string     `dynamodbav:"meal" entity:"unique"`
		document.Part
	}
	trip struct {
		document.State
		Flight  flight
		Legs    []leg
		Tickets []ticket
	}
)

func newTrips(t *testing.T, e engines.Engine) *document.Repo[trip] {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	trips := document.Define[trip](s)
	entity.Define[flight](s)
	entity.Define[leg](s)
	entity.Define[ticket](s)
	table, err := s.Open(e.Client(t), "trips")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return trips.In(table, document.Config{})
}

// The guards of the items count in the transactions of a deletion.
func TestDeleteItemsWithManyUniqueValues(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, trips := t.Context(), newTrips(t, e)
		p := trip{Flight: flight{ID: "f", Call: "one"}}
		for _, n := range []int{18, 24} {
			for i := len(p.Tickets); i < n; i++ {
				p.Tickets = append(p.Tickets, ticket{N: i, Code: fmt.Sprint("c", i), Seat: fmt.Sprint("s", i), Bag: fmt.Sprint("b", i), Meal: fmt.Sprint("m", i)})
			}
			require.NoError(t, trips.Save(ctx, &p))
		}
		require.NoError(t, trips.Delete(ctx, p))
		p.State = document.State{}
		p.Tickets = p.Tickets[:1]
		require.NoError(t, trips.Save(ctx, &p), "its unique values are free again")
	})
}

// The guards of the root count in the limit of a transaction: a save just below it is applied by a
// log.
func TestSaveNextToTheLimitChangesAUniqueValueOfTheRoot(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, trips := t.Context(), newTrips(t, e)
		for n := 95; n < 100; n++ {
			p := trip{Flight: flight{ID: fmt.Sprint(n), Call: fmt.Sprint("old", n)}}
			require.NoError(t, trips.Save(ctx, &p), n)
			p.Flight.Call = fmt.Sprint("new", n)
			for i := range n {
				p.Legs = append(p.Legs, leg{N: i})
			}
			require.NoError(t, trips.Save(ctx, &p), n)
			got, err := trips.Read(ctx, p, document.Strong())
			require.NoError(t, err)
			require.Len(t, got.Legs, n)
			require.Equal(t, p.Flight, got.Flight)
		}
	})
}
