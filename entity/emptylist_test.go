package entity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

type labels struct {
	_    entity.Key `type:"labels" pk:"LABELS" sk:"<id>"`
	ID   string     `dynamodbav:"id"`
	List []string   `dynamodbav:"list"`
	Text string     `dynamodbav:"text"`
}

// An empty list is read as one, and nil as nil, however long the reply is: a struct that is read
// and put again stores what was stored.
func TestEmptyListsOfLongReplies(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{})
		typ := entity.Define[labels](schema)
		table, err := schema.Open(e.Client(t), "labels")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		want := []labels{{ID: "1", List: []string{}}, {ID: "2"}, {ID: "3", List: []string{"x"}}}
		for _, length := range []int{0, 10_000} {
			for i := range want {
				want[i].Text = strings.Repeat("t", length)
			}
			for _, options := range [][]entity.CallOption{nil, {entity.AttributeValues()}} {
				repo := typ.In(table).With(options...)
				for i := range want {
					require.NoError(t, repo.Overwrite(t.Context(), &want[i]))
					got, err := repo.Get(t.Context(), labels{ID: want[i].ID})
					require.NoError(t, err)
					require.Equal(t, want[i], got)
				}
				got, err := query.Of(repo, labels{}).Collect(t.Context())
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		}
	})
}
