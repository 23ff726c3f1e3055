package exec

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

func TestPagesAreSummed(t *testing.T) {
	t.Parallel()
	var seen trestle.Event
	page := says(200, `{"Items":[],"ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}}`)
	s := &script{replies: []reply{page, reset, page, code(400, "ResourceNotFoundException")}}
	e := newEnv(s)
	e.Observer = ends(func(_ context.Context, ev trestle.Event) { seen = ev })
	r := NewCall(e, trestle.OperationInfo{Operation: "query", Table: e.Table, Index: "GSI1"}, nil, trestle.NoWrite)
	in := &dynamodb.QueryInput{TableName: &e.Table}
	ask := func() error {
		a := e.Page(t.Context(), in, nil)
		return r.Account(&a)
	}
	err := r.Observe(t.Context(), func(context.Context) error {
		for range 2 { // the SDK retries the second one
			require.NoError(t, ask())
		}
		return ask()
	})
	f := failureOf(t, err)
	require.NoError(t, f.Kind)
	require.Equal(t, "GSI1", f.Index)
	require.Equal(t, 4, f.Attempts)
	require.Equal(t, "REQ1", f.RequestID)
	require.NotEmpty(t, f.Hint)
	require.Equal(t, 3, seen.Requests)
	require.Equal(t, 4, seen.Attempts)
	require.Equal(t, trestle.Capacity{Read: 1}, seen.Capacity)
	require.Equal(t, trestle.NoWrite, seen.Outcome)

	require.Equal(t, errs.Invalid, r.Fail(errs.New("", "x", "")).Kind)
	require.NoError(t, r.Fail(errs.Undecodable(err)).Kind)
}
