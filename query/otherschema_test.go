package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// A type of another schema is rejected, even if it has the same name or Go type.
func TestTypesOfAnotherSchema(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	twins := entity.Define[employee](entity.NewSchema(config))
	require.Equal(t, employees.Name(), twins.Name())
	_, err = query.Of(employees.In(table), employee{CompanyID: "c1"}).Collection().Types(twins).Input()
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = query.Of(employees.In(table), employee{CompanyID: "c1"}).Collection().Types(employees).Input()
	require.NoError(t, err)
}

// tagged is a client of a comparable type whose values may not be comparable.
type tagged struct {
	*dynamodb.Client
	tags any
}

// Lookups accept clients of any type. They reject two clients that cannot be compared.
func TestGetManyWithIncomparableClients(t *testing.T) {
	t.Parallel()
	client := ddbtest.Start(t).Client()
	open(t, client)
	in := func(c trestle.Client) query.ItemRef {
		table, err := schema.Open(c, "people")
		require.NoError(t, err)
		return query.Ref(employees.In(table), employee{CompanyID: "c1", ID: "e1"})
	}
	tags := map[string]string{"a": "b"}
	one := in(tagged{client, tags})
	found, err := query.GetMany(t.Context(), one, one)
	require.NoError(t, err, "a table is on its own client")
	require.NotNil(t, found[1])
	_, err = query.GetMany(t.Context(), one, in(tagged{client, tags}))
	require.ErrorIs(t, err, trestle.ErrInvalid, "of two that cannot be compared nobody knows that they are one")
	_, err = query.GetMany(t.Context(), in(tagged{client, 1}), in(tagged{client, 2}))
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = query.GetMany(t.Context(), in(client), in(tagged{client, tags}))
	require.ErrorIs(t, err, trestle.ErrInvalid)
}
