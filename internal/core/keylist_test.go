package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/internal/write"
)

// A KeyList has the keys that writes have, and none where there is an error.
func TestKeyList(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(tableKeysSchema, "'", "`"))
	require.NoError(t, err)
	p, err := testschema.Plan(s, "thing")
	require.NoError(t, err)
	invalid := []string{`{"n":1,"id":"x"}`, `{"company":"c","n":1}`, `{"company":"c","n":-1,"id":"x"}`}
	for _, n := range []int{0, 1, 3, 300} {
		list := core.NewKeyList(p, n/2)
		var want []map[string]core.AV
		for i := range n {
			entity, err := testschema.New(p, fmt.Sprintf(`{"company":"c\"é#%d","n":%d,"id":%q}`, i%7, i, strings.Repeat("x", i%40+1)))
			require.NoError(t, err)
			key, err := write.Key(p, codec.PtrTo(entity))
			require.NoError(t, err)
			require.True(t, list.Add(codec.PtrTo(entity)))
			want = append(want, key)
			entity, err = testschema.New(p, invalid[i%len(invalid)])
			require.NoError(t, err)
			require.False(t, list.Add(codec.PtrTo(entity)))
		}
		rows := list.Rows()
		require.Equal(t, n, rows.Len())
		for i := range n {
			require.Equal(t, want[i], rows.At(i).Item())
			require.Equal(t, s.Identity(core.NewRow(want[i])), s.Identity(rows.At(i)))
			item, end, err := itemjson.Scan(list.JSON(i), 0, nil)
			require.NoError(t, err)
			require.Equal(t, len(list.JSON(i)), end)
			require.Equal(t, want[i], item.Map())
		}
	}
}
