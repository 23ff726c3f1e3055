package recording_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/recording"
)

// TestDivergenceError checks that the error text has the position of the difference, but no
// values.
func TestDivergenceError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ want, got, text string }{
		{`200 {}`, `500 {}`, "want 200, got 500"},
		{`400 {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}`, `200 {}`, "want 400 ConditionalCheckFailedException, got 200"},
		{`400 {"__type":"a#One"}`, `400 {"__type":"a#Other"}`, "want 400 One, got 400 Other"},
		{`200 {"Item":{"pk":{"S":"secret"}}}`, `200 {"Item":{"pk":{"S":"other"}}}`, "they differ at Item.pk.S"},
		{`200 {"Items":[{"n":{"N":"1"}},{"n":{"N":"2"}}]}`, `200 {"Items":[{"n":{"N":"1"}},{"n":{"N":"3"}}]}`, "they differ at Items[1].n.N"},
		{`200 {"Items":[1]}`, `200 {"Items":[1,2]}`, "they differ at Items in length: want 1, got 2"},
		{`200 {"Items":[1]}`, `200 {}`, "they differ at Items"},
		{`200 [1]`, `200 [1,2]`, "they differ in length: want 1, got 2"},
		{`200 secret`, `200 {}`, "they differ"},
		{``, `200 {}`, "want , got 200"},
	} {
		d := &recording.Divergence{Line: 7, Operation: "GetItem", Want: c.want, Got: c.got}
		require.EqualError(t, d, "ddbtest: line 7 of the recording: another reply to GetItem: "+c.text)
	}
}
