package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/internal/write"
)

const tableKeysSchema = `
type Thing struct {
	_  entity.Key 'type:"thing" pk:"COM#<company>" sk:"T#<n:05>#<id>"'
	Company string 'dynamodbav:"company"'
	N       int    'dynamodbav:"n"'
	ID      string 'dynamodbav:"id"'
}`

// TableKeys renders the keys that writes have, and none where there is an error.
func TestTableKeys(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(tableKeysSchema, "'", "`"))
	require.NoError(t, err)
	p, err := testschema.Plan(s, "thing")
	require.NoError(t, err)
	for _, n := range []int{0, 1, 3, 500} {
		all := core.NewTableKeys(p, n)
		var texts []string
		var rendered []map[string]core.AV
		for i := range n + 2 {
			entity, err := testschema.New(p, fmt.Sprintf(`{"company":"c%d","n":%d,"id":%q}`, i%7, i, strings.Repeat("x", i%40+1)))
			require.NoError(t, err)
			want, err := write.Key(p, codec.PtrTo(entity))
			require.NoError(t, err)
			key, ok := all.Render(codec.PtrTo(entity))
			require.True(t, ok)
			require.Equal(t, want, key)
			texts, rendered = append(texts, testschema.ItemText(key)), append(rendered, key)
		}
		for i, key := range rendered { // a later key does not change an earlier one
			require.Equal(t, texts[i], testschema.ItemText(key))
		}
	}
	for _, invalid := range []string{`{"n":1,"id":"x"}`, `{"company":"c","n":1}`, `{"company":"c","n":-1,"id":"x"}`, `{"company":"` + strings.Repeat("c", 3000) + `","n":1,"id":"x"}`} {
		entity, err := testschema.New(p, invalid)
		require.NoError(t, err)
		_, err = write.Key(p, codec.PtrTo(entity))
		require.Error(t, err)
		_, ok := core.NewTableKeys(p, 1).Render(codec.PtrTo(entity))
		require.False(t, ok)
	}
}
