package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// TestTextsAtEveryOffset encodes and decodes each character that is short in UTF-8 at each offset
// of a text: a text is read eight bytes at a time as long as nothing in it is escaped.
func TestTextsAtEveryOffset(t *testing.T) {
	t.Parallel()
	escaped := 0
	for r := range rune(0x100) {
		for offset := range 25 {
			text := strings.Repeat("a", offset) + string(r) + strings.Repeat("b", 24-offset)
			body := wire.Encode(&api.GetItemOutput{Item: value.MapOf(value.Attribute{Name: "k", Value: value.String(text)})})
			var reply struct{ Item map[string]struct{ S string } }
			require.NoError(t, json.Unmarshal(body, &reply), "%q", text)
			require.Equal(t, text, reply.Item["k"].S)
			var request api.PutItemInput
			require.NoError(t, wire.Decode([]byte(`{"TableName":"table",`+string(body[1:])), &request))
			require.Equal(t, value.String(text), request.Item.Get("k"))
			if !strings.Contains(string(body), `"`+text+`"`) {
				escaped++
			}
		}
	}
	require.Equal(t, 34*25, escaped, "control characters, quotes and backslashes")
}
