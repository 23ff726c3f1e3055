package costtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// A query with Fetch explains the requests of the index and the batch reads, and nothing else does.
func TestQueryWithFetch(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newStore(t, e.Client(t))
		s.fill(t, 12, 5000)
		keys := query.On(s.notes, "by-mark", note{Mark: "m"})
		run := func(q query.Query[note]) {
			_, err := q.Collect(t.Context())
			require.NoError(t, err)
		}
		part := query.As(query.On(s.notes, "by-rank", note{Rank: "r"}), titles)
		strong := query.On[note](s.notes.Strong(), "by-mark", note{Mark: "m"}).Fetch()
		for name, q := range map[string]query.Query[note]{
			"all": keys.Fetch(), "limited": keys.Fetch().Limit(5), "strong": strong, "filtered": keys.Fetch().Filter(text.Exists()).Desc(),
		} {
			run(q)
			require.Empty(t, s.check(costtest.Query(q)), name)
			run(q)
			require.NotEmpty(t, s.check(), name)
			run(q)
			require.NotEmpty(t, s.check(costtest.Query(part)), "%s: another query", name)
		}
		run(keys.Fetch())
		require.NotEmpty(t, s.check(costtest.Query(strong)), "the items are not read strongly consistently")

		// The same requests, with an item that is not on the index.
		require.NoError(t, s.notes.Put(t.Context(), &note{Book: "b", ID: 77}))
		s.Reset()
		run(keys.Fetch())
		_, err := s.notes.GetMany(t.Context(), []note{{Book: "b", ID: 77}})
		require.NoError(t, err)
		require.NotEmpty(t, s.check(costtest.Query(keys.Fetch())))
		_, err = query.As(query.On[note](s.notes, "by-rank", note{Rank: "r"}), titles).Collect(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, s.check(costtest.Query(keys.Fetch())), "no item was fetched")
	})
}
