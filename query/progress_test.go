package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// A Progress value keeps the position of its moment, even if the scan continues or fails later.
func TestProgressIsASnapshot(t *testing.T) {
	t.Parallel()
	repo := library0(t, ddbtest.Start(t).Client())
	const n = 30
	for i := range n {
		require.NoError(t, repo.Put(t.Context(), &row{Book: string(rune('a' + i%9)), N: i, Shelf: "s"}))
	}
	errMine := errors.New("mine")
	for _, segments := range []int{1, 3} {
		for _, failing := range []int{0, 5} {
			scan := query.Scan(repo).Segments(segments).PageSize(2)
			var kept []query.Progress
			page := 0
			_, err := scan.Progress(func(p query.Progress) { kept = append(kept, p) }).Each(t.Context(), "", func([]row) error {
				if page++; page == failing {
					return errMine
				}
				return nil
			})
			require.Equal(t, failing > 0, errors.Is(err, errMine))
			require.Greater(t, len(kept), 3)
			for _, p := range kept {
				cursor, err := p.Cursor()
				require.NoError(t, err)
				require.Equal(t, p.Segments == 0, cursor == "")
				if cursor == "" {
					continue
				}
				left := 0
				_, err = scan.Each(t.Context(), cursor, func(page []row) error { left += len(page); return nil })
				require.NoError(t, err)
				require.Equal(t, n-p.Items, left)
			}
		}
	}
}

// A scan of a table without cursors reports its progress. Cursor returns an error, except at the
// end of the scan.
func TestProgressWithoutCursors(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		table, err := schema.Open(client, "people")
		require.NoError(t, err)
		ends := 0
		collect(t, query.ScanTable(table).PageSize(4).Progress(func(p query.Progress) {
			cursor, err := p.Cursor()
			require.Empty(t, cursor)
			if p.Segments == 0 {
				ends++
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}).All(t.Context()))
		require.Equal(t, 1, ends)
	})
}

// A scan with the maximum number of segments continues from its cursor, although each segment is
// after a long key.
func TestResumeOfAThousandSegments(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	db := ddbtest.Start(t)
	table, err := library.Open(db.Client(), "library", entity.Cursors(ring))
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	const n = 3000
	items := make([]map[string]types.AttributeValue, n)
	for i := range items {
		items[i], err = rows.Encode(&row{Book: strings.Repeat("b", 60) + string(rune('0'+i)), N: i, Shelf: "s"})
		require.NoError(t, err)
	}
	db.Load(t, "library", items...)
	scan := query.Scan(rows.In(table)).Segments(query.MaxSegments).PageSize(1)
	seen := map[int]int{}
	see := func(page []row) error {
		for _, r := range page {
			seen[r.N]++
		}
		return nil
	}
	next, err := scan.MaxRequests(query.MaxSegments).Each(t.Context(), "", see)
	require.NoError(t, err)
	require.NotEmpty(t, next)
	require.Less(t, len(seen), n)
	next, err = scan.Each(t.Context(), next, see)
	require.NoError(t, err)
	require.Empty(t, next)
	require.True(t, onceEach(seen, n))
}
