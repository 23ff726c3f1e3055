package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// A read that no key can match sends nothing, so Input returns an error.
func TestEmptyRangeHasNoInput(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people", entity.PlainCursors())
	require.NoError(t, err)
	never := query.On(employees.In(table), "by-hire", employee{CompanyID: "c1"}).Where(attr.During(hiredAt, attr.Period{Start: day(2), End: day(2)}))
	for name, in := range map[string]input{"query": never, "part": query.As(never, names), "collection": never.Collection(), "filtered": never.Filter(level.Gt(1))} {
		_, err := in.Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	found, err := never.Collect(t.Context())
	require.NoError(t, err)
	require.Empty(t, found)
	_, err = never.Explain()
	require.NoError(t, err)
}

// The caller may modify an input. This does not affect later reads.
func TestInputIsACopy(t *testing.T) {
	t.Parallel()
	table := open(t, ddbtest.Start(t).Client())
	r, in := employees.In(table), employee{CompanyID: "c1"}
	q := query.On(r, "by-hire", in).Where(hiredAt.Ge(day(1))).Filter(level.Gt(0))
	for name, of := range map[string]input{"query": q, "part": query.As(q, names), "collection": query.On(r, "by-hire", in).Collection()} {
		request, err := of.Input()
		require.NoError(t, err, name)
		*request.TableName, *request.IndexName, *request.KeyConditionExpression = "x", "x", "x"
		for _, text := range []*string{request.FilterExpression, request.ProjectionExpression} {
			if text != nil {
				*text = "x"
			}
		}
		clear(request.ExpressionAttributeNames)
		clear(request.ExpressionAttributeValues)
	}
	found, err := q.Collect(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 4)
	require.Len(t, collect(t, query.Scan(r).On("by-hire").All(t.Context())), 10)

	one := employee{CompanyID: "c1", ID: "e1"}
	get, err := names.Input(r, one)
	require.NoError(t, err)
	*get.TableName, *get.ProjectionExpression = "x", "x"
	clear(get.ExpressionAttributeNames)
	clear(get.Key)
	part, err := names.Get(t.Context(), r, one)
	require.NoError(t, err)
	require.Equal(t, name{"e1"}, part)
	parts, err := names.GetMany(t.Context(), r, []employee{one})
	require.NoError(t, err)
	require.Equal(t, []*name{{"e1"}}, parts)
}
