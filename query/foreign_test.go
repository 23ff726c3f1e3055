package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// A type of another schema is not one of this, though it has the name, and even the Go type, of one.
func TestTypesOfAnotherSchema(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	twins := entity.Define[employee](entity.NewSchema(config))
	require.Equal(t, employees.Name(), twins.Name())
	_, err = query.Of(employees.In(table), employee{CompanyID: "c1"}).Collection().Types(twins).Input()
	require.ErrorIs(t, err, entity.ErrInvalid)
	_, err = query.Of(employees.In(table), employee{CompanyID: "c1"}).Collection().Types(employees).Input()
	require.NoError(t, err)
}

// tagged is a client that cannot be compared, which only its value tells.
type tagged struct {
	*dynamodb.Client
	tags any
}

// Lookups are made with clients of any type; two that can be told apart are refused.
func TestLookupsWithClientsThatCannotBeCompared(t *testing.T) {
	t.Parallel()
	client := ddbtest.Start(t).Client()
	open(t, client)
	in := func(c entity.Client) query.Lookup {
		table, err := schema.Open(c, "people")
		require.NoError(t, err)
		return query.Key(employees.In(table), employee{CompanyID: "c1", ID: "e1"})
	}
	tags := map[string]string{"a": "b"}
	// Two that nothing tells apart, or together, may be served or refused; neither may fail in another way.
	if _, err := query.GetMany(t.Context(), in(tagged{client, tags}), in(tagged{client, tags})); err != nil {
		require.ErrorIs(t, err, entity.ErrInvalid)
	}
	_, err := query.GetMany(t.Context(), in(tagged{client, 1}), in(tagged{client, 2}))
	require.ErrorIs(t, err, entity.ErrInvalid)
	_, err = query.GetMany(t.Context(), in(client), in(tagged{client, tags}))
	require.ErrorIs(t, err, entity.ErrInvalid)
}
