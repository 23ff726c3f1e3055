package query_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// native is an entity whose sort key is a number or bytes without text around it.
type native struct {
	Owner string `dynamodbav:"owner"`
	N     int64  `dynamodbav:"n"`
	B     []byte `dynamodbav:"b"`
}

// Shards are merged by native numbers and bytes.
func TestShardsWithNativeSortKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for sort, attribute := range map[string]entity.Attribute{"<n>": entity.N("SK"), "<b>": entity.B("SK")} {
			s := entity.NewSchema(entity.Config{Sort: attribute})
			all := entity.DefineSpec[native](s, entity.Spec{Type: "native", Key: entity.KeySpec{PK: "N#<owner>#<shard:" + sort[1:], SK: sort, Shards: []int{3}}})
			table, err := s.Open(e.Client(t), "native-"+sort[1:2], entity.PlainCursors())
			require.NoError(t, err)
			require.NoError(t, table.Create(t.Context()))
			repo := all.In(table)
			for i := range hardNumbers {
				require.NoError(t, repo.Put(t.Context(), &native{Owner: "o", N: hardNumbers[i], B: hardBytes[i]}))
			}
			for _, desc := range []bool{false, true} {
				numbers, texts := slices.Clone(hardNumbers), slices.Clone(hardBytes)
				slices.SortFunc(texts, bytes.Compare)
				q := query.Of(repo, native{Owner: "o"})
				if desc {
					slices.Reverse(numbers)
					slices.Reverse(texts)
					q = q.Desc()
				}
				for _, limit := range []int{1, 2, 5, 100} {
					var got []native
					for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
						page, err := q.Limit(limit).Page(t.Context(), cursor)
						require.NoError(t, err)
						got, cursor = append(got, page.Items...), page.Next
					}
					require.Len(t, got, len(numbers))
					for i, one := range got {
						require.True(t, sort == "<n>" && one.N == numbers[i] || sort == "<b>" && bytes.Equal(one.B, texts[i]), "%s %d", sort, i)
					}
				}
			}
		}
	})
}

// placed is an entity whose items in several shards have the same number as sort key.
type placed struct {
	_     entity.Key `type:"placed" pk:"P#<owner>#<shard>" sk:"<n>" shards:"2"`
	Owner string     `dynamodbav:"owner"`
	Shard *int       `dynamodbav:"shard" entity:"shard"`
	N     int        `dynamodbav:"n"`
}

// Pages with the smallest budgets reach the end of equal numbers in several shards. A condition
// that continues after a number in a bounded range reads the number again.
func TestShardsWithEqualNumbers(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{Sort: entity.N("SK")})
	all, n := entity.Define[placed](s), attr.Must(func(p *placed) *int { return &p.N })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "placed", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for i := range 8 {
			require.NoError(t, all.In(table).Put(t.Context(), &placed{Owner: "o", Shard: aws.Int(i % 2), N: i / 2}))
		}
		for name, c := range map[string]attr.KeyCond[placed]{"between": n.Between(1, 2), "at most": n.Le(2), "above": n.Gt(0)} {
			q := query.Of(all.In(table), placed{Owner: "o"}).Where(c)
			for _, q := range []query.Query[placed]{q, q.Desc()} {
				want, err := q.Collect(t.Context())
				require.NoError(t, err)
				var got []placed
				for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
					require.Less(t, pages, 30, "%s: the pages do not end", name)
					page, err := q.PageSize(1).MaxRequests(2).Page(t.Context(), cursor)
					require.NoError(t, err)
					got, cursor = append(got, page.Items...), page.Next
				}
				require.Equal(t, want, got, name)
			}
		}
	})
}
