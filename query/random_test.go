package query_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// cursorsOf opens the table that open creates, with a clock that stands still, and reads pages of
// one item. It returns their cursors.
func cursorsOf(t *testing.T, client *dynamodb.Client, options ...entity.TableOption) (cursors []string, err error) {
	t.Helper()
	c := config
	c.Clock = func() time.Time { return day(1) }
	s := entity.NewSchema(c)
	employees := entity.Define[employee](s)
	table, err := s.Open(client, "people", append(options, entity.Cursors(ring))...)
	require.NoError(t, err)
	pages := query.Of(employees.In(table), employee{CompanyID: "c1"}).Limit(1)
	for next := ""; ; {
		page, err := pages.Page(t.Context(), next)
		if err != nil || page.Next == "" {
			return cursors, err
		}
		next = page.Next
		cursors = append(cursors, next)
	}
}

// With the same seed, the same pages have the same encrypted cursors. With another seed, and
// without entity.Random, all of them differ. If the source fails, the page fails.
func TestRandomRepeatsCursors(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		seeded := func(n byte) entity.TableOption { return entity.Random(rand.NewChaCha8([32]byte{n})) }
		first, err := cursorsOf(t, client, seeded(1))
		require.NoError(t, err)
		require.Len(t, first, 5)
		again, err := cursorsOf(t, client, seeded(1))
		require.NoError(t, err)
		require.Equal(t, first, again)
		for _, options := range [][]entity.TableOption{{seeded(2)}, nil, nil} {
			other, err := cursorsOf(t, client, options...)
			require.NoError(t, err)
			require.Len(t, other, len(first))
			for i := range first {
				require.NotEqual(t, first[i], other[i])
			}
			first = other
		}

		some, err := cursorsOf(t, client, entity.Random(strings.NewReader("the nonces of two cursors")))
		require.Len(t, some, 2)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
	})
}
