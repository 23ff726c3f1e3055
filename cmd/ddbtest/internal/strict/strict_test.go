package strict_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

type outer struct {
	Name   string           `json:"name"`
	Count  *int             `json:"count"`
	On     bool             `json:"on"`
	Rate   float64          `json:"rate"`
	Inners []inner          `json:"inners"`
	ByName map[string]inner `json:"byName"`
	Any    json.RawMessage  `json:"any"`
	Plain  string
	Never  string `json:"-"`
}

type inner struct {
	Value string `json:"value"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var o outer
	require.Empty(t, strict.Decode([]byte(` {"name":"a","count":3,"on":true,"rate":1e-1,"inners":[{"value":"x"},{}],
		"byName":{"b":{"value":"y"}},"any":{"x":[null]},"Plain":"p"} `), &o))
	three := 3
	require.Equal(t, outer{
		Name: "a", Count: &three, On: true, Rate: 0.1, Inners: []inner{{"x"}, {}}, ByName: map[string]inner{"b": {"y"}},
		Any: json.RawMessage(`{"x":[null]}`), Plain: "p",
	}, o)
	require.Empty(t, strict.Decode([]byte(`{"count":null,"inners":null,"byName":null}`), &o))
}

// TestDecodeReportsEverything checks that all problems are reported at once, with their fields.
func TestDecodeReportsEverything(t *testing.T) {
	t.Parallel()
	var o outer
	problems := strict.Decode([]byte(`{"nam":1,"Name":"x","name":7,"count":1.5,"on":null,"on":true,"rate":"1","inners":[{"valeu":"x"},3],
		"byName":{"b":{"value":false},"c":[]},"hidden":"x","Never":"x"}`), &o)
	fields := make([]string, len(problems))
	cures := map[string]string{}
	for i, p := range problems {
		fields[i] = p.Field
		cures[p.Field] = p.Cure
	}
	require.Equal(t, []string{
		"nam", "Name", "name", "count", "on", "on", "rate", "inners[0].valeu", "inners[1]", "byName.b.value", "byName.c", "hidden", "Never",
	}, fields)
	require.Contains(t, cures["nam"], `"name"`)
	require.Contains(t, cures["Name"], `"name"`)
	require.Contains(t, cures["inners[0].valeu"], `"value"`)
	require.Equal(t, outer{Inners: []inner{{}, {}}, ByName: map[string]inner{"b": {}}}, o, "what is right is decoded")
}

func TestDecodeInvalidJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"name":"secret}`, `{} {}`, `[]`, `"secret"`, "null", "\xff"} {
		problems := strict.Decode([]byte(text), new(outer))
		require.Len(t, problems, 1, "%q", text)
		require.NotContains(t, problems[0].String(), "secret")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"name":"a","inners":[{"value":"x"}]}`)
	f.Add(`{"name":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var o outer
		if len(strict.Decode([]byte(text), &o)) == 0 {
			require.NoError(t, json.Unmarshal([]byte(text), new(outer)), "accepted, so a JSON object of this type")
		}
	})
}
