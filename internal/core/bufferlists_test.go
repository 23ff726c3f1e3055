package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/keys"
)

// The memory of a response with several lists is used again after the last one is released, and
// never if a row of one of them is kept.
func TestBufferOfSeveralLists(t *testing.T) {
	t.Parallel()
	attribute := core.Attribute{Name: "PK", Type: keys.S}
	for _, kept := range []bool{false, true} {
		b := core.NewBuffer()
		b.Body = append(b.Body[:0], bufferPage...)
		var lists [2]core.Rows
		for i := range lists {
			var items itemjson.Items
			_, err := items.Scan(b.Body, 0)
			require.NoError(t, err)
			lists[i] = b.RowsOf(items)
		}
		var row core.Row
		if kept {
			row = core.RowsOf(lists[0].At(1)).First()
		}
		lists[0].Release()
		overwriteReleased()
		text, ok := lists[1].At(0).KeyText(attribute)
		require.True(t, ok)
		require.Equal(t, "T#1", text, "the other list is not released")
		lists[1].Release()
		if kept {
			overwriteReleased()
			text, ok = row.KeyText(attribute)
			require.True(t, ok)
			require.Equal(t, "T#2", text)
		}
	}
}

// overwriteReleased overwrites the memory of some responses that were released.
func overwriteReleased() {
	for range 4 {
		body := core.NewBuffer().Body
		body = body[:cap(body)]
		for i := range body {
			body[i] = '?'
		}
	}
}
