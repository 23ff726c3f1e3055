package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// All errors of Load have the operation "load". It rejects invalid views before it reads anything,
// including a view without fields.
func TestErrorsOfLoadNameLoad(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people") // a client that must not be called
	require.NoError(t, err)
	all := query.Of(companies.In(table), company{ID: "c1"}).Collection()
	var view struct{ Company company }
	for name, refused := range map[string]error{
		"no fields":         query.Load(t.Context(), all, &struct{}{}),
		"a pointer to raws": query.Load(t.Context(), all, &struct{ Rest *[]entity.Raw }{}),
		"pointers to raws":  query.Load(t.Context(), all, &struct{ Rest []*entity.Raw }{}),
		"one raw":           query.Load(t.Context(), all, &struct{ Rest entity.Raw }{}),
		"no view":           query.Load(t.Context(), all, nil),
		"no partition":      query.Load(t.Context(), query.Of(companies.In(table), company{}).Collection(), &view),
		"no collection":     query.Load(t.Context(), query.Collection{}, &view),
	} {
		require.ErrorIs(t, refused, trestle.ErrInvalid, name)
		var failed *trestle.OpError
		require.ErrorAs(t, refused, &failed, name)
		require.Equal(t, "load", failed.Op, name)
	}
}
