package write

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// TestMaximumVersion checks that no write exceeds the maximum version of a type.
func TestMaximumVersion(t *testing.T) {
	t.Parallel()
	type signed struct {
		_       keyTag `type:"signed" pk:"S#<id>" sk:"S"`
		ID      string `dynamodbav:"id"`
		Note    string `dynamodbav:"note"`
		Version int64  `dynamodbav:"version" entity:"version"`
	}
	type unsigned struct {
		_       keyTag `type:"unsigned" pk:"U#<id>" sk:"U"`
		ID      string `dynamodbav:"id"`
		Version uint64 `dynamodbav:"version" entity:"version"`
	}
	note := attr.Must(func(s *signed) *string { return &s.Note })
	p := planOf[signed](t, trestle.Config{})
	for v, fits := range map[int64]bool{math.MaxInt64 - 1: true, math.MaxInt64: false} {
		_, _, err := Put(putArgs(p, &signed{ID: "a", Version: v}))
		requireLimit(t, err, !fits)
		_, err = Update(updateArgs(p, signed{ID: "a", Version: v}, note.Set("x")))
		requireLimit(t, err, !fits)
		_, err = Delete(p, codec.PtrTo(&signed{ID: "a", Version: v}), nil, op.Nothing, core.Expiry{})
		require.NoError(t, err)
	}
	u := planOf[unsigned](t, trestle.Config{})
	for v, fits := range map[uint64]bool{math.MaxInt64 - 1: true, math.MaxInt64: false, math.MaxUint64: false} {
		_, _, err := Put(putArgs(u, &unsigned{ID: "a", Version: v}))
		requireLimit(t, err, !fits)
	}
	o, _, err := Put(putArgs(u, &unsigned{ID: "a", Version: 7}))
	require.NoError(t, err)
	require.Equal(t, number("8"), o.Actions[0].Item.Map()["version"])
	require.Equal(t, clause.Value("version", number("7")), o.Actions[0].Clauses[0].Pred)
}

func requireLimit(t testing.TB, err error, limit bool) {
	t.Helper()
	if !limit {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, errs.Limit)
	require.NotErrorIs(t, err, errs.Invalid)
}
