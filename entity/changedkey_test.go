package entity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/schema"
)

// bulb and changedBulb are a type before and after a change of its templates.
type bulb struct {
	_    entity.Key   `type:"bulb" pk:"ROOM#<room>" sk:"L#<id>"`
	_    entity.Index `name:"by-watts" on:"GSI1" pk:"LAMPS" sk:"W#<watts:04>"`
	Room string       `dynamodbav:"room"`
	ID   string       `dynamodbav:"id"`
	W    int          `dynamodbav:"watts"`
}

type changedBulb struct {
	_    entity.Key   `type:"bulb" pk:"ROOM#<room>" sk:"LAMP#<id>"`
	_    entity.Index `name:"by-watts" on:"GSI1" pk:"LAMPS" sk:"POWER#<watts:04>"`
	Room string       `dynamodbav:"room"`
	ID   string       `dynamodbav:"id"`
	W    int          `dynamodbav:"watts"`
}

// A query of a changed template misses stored items until Reindex has ended. It cannot warn, so
// Compare says it of each key, and CheckItems finds the items.
func TestChangedTemplatesHideItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		config := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}}
		before, after := entity.NewSchema(config), entity.NewSchema(config)
		lamps, changed := entity.Define[bulb](before), entity.Define[changedBulb](after)
		client := e.Client(t)
		old, err := before.Open(client, "app")
		require.NoError(t, err)
		require.NoError(t, old.Create(t.Context()))
		for i := range 5 {
			require.NoError(t, lamps.In(old).Create(t.Context(), &bulb{Room: "a", ID: fmt.Sprint(i), W: i}))
		}

		effects := schema.Compare(after, schema.Text(before))
		hiding := slices.DeleteFunc(slices.Clone(effects), func(text string) bool {
			return !strings.Contains(text, "miss") && !strings.Contains(text, "do not find")
		})
		require.Len(t, hiding, 2, "the table's sort key and that of the index: %v", effects)

		table, err := after.Open(client, "app")
		require.NoError(t, err)
		repo := changed.In(table)
		found := func() (list []int) {
			byKey, err := query.Of(repo, changedBulb{Room: "a"}).Count(t.Context())
			require.NoError(t, err)
			onIndex, err := query.On(repo, "by-watts", changedBulb{}).Count(t.Context())
			require.NoError(t, err)
			return []int{byKey, onIndex}
		}
		require.Equal(t, []int{0, 0}, found())
		require.Error(t, testchecks.Items(t.Context(), table, 100))
		_, err = maintain.Reindex(t.Context(), table, maintain.Run{}, repo.Type())
		require.NoError(t, err)
		require.Equal(t, []int{5, 5}, found())
		n, err := query.Of(lamps.In(old), bulb{Room: "a"}).Count(t.Context())
		require.NoError(t, err)
		require.Zero(t, n, "programs of the earlier schema find nothing afterwards")
	})
}
