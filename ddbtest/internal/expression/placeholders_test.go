package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func TestInvalidPlaceholders(t *testing.T) {
	t.Parallel()
	type (
		names  = map[string]string
		values = map[string]value.Value
	)
	text := func(n int) value.Value { return value.String(strings.Repeat("x", n)) }
	name := func(n int) string { return strings.Repeat("x", n) }
	const mega = 1 << 20
	for _, c := range []struct {
		names   names
		values  values
		refusal string
	}{
		{nil, nil, ""},
		{names{"#a": "b", "#0_Z": "c d"}, values{":a": text(1), ":_": text(0)}, ""},
		{names{"#and": strings.Repeat("é", 32767)}, nil, ""},
		{names{}, nil, "ExpressionAttributeNames must not be empty"},
		{nil, values{}, "ExpressionAttributeValues must not be empty"},
		{names{"a": "a", "#b": "b", "c": "c"}, values{}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{names{"#": "a"}, nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{names{"#a.b": "a"}, nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a.b"`},
		{names{":a": "a"}, nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: ":a"`},
		{names{"#é": "a"}, nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#é"`},
		{names{"": "a"}, nil, "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;"},
		{names{"#" + name(254): "a"}, nil, ""},
		{names{"#" + name(255): "a"}, nil, "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256"},
		{names{"#a": ""}, nil, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
		{names{"#a": name(65535)}, nil, ""},
		{names{"#a": name(65536)}, nil, "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a"},
		{nil, values{"a": text(1)}, `ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`},
		{nil, values{"#a": text(1)}, `ExpressionAttributeValues contains invalid key: Syntax error; key: "#a"`},
		{nil, values{":a": text(2*mega - 2)}, ""},
		{nil, values{":a": text(2*mega - 1)}, "ExpressionAttributeValues exceeds max size"},
		{nil, values{":a": text(mega), ":b": text(mega)}, "ExpressionAttributeValues exceeds max size"},
		{manyNames(33), nil, "ExpressionAttributeNames exceeds max size"},
		{names{"#a": name(60000)}, values{":a": text(2*mega - 60000)}, "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size"},
	} {
		_, err := expression.NewPlaceholders(c.names, c.values)
		require.Equal(t, c.refusal, message(t, err))
	}
}

// manyNames returns n names of the largest allowed length.
func manyNames(n int) map[string]string {
	names := map[string]string{}
	for i := range n {
		names["#"+strings.Repeat("a", 1+i)] = strings.Repeat("x", 65535)
	}
	return names
}

func TestUnusedPlaceholders(t *testing.T) {
	t.Parallel()
	p := mustPlaceholders(t, map[string]string{"#a": "a", "#c": "c", "#b": "b"}, map[string]value.Value{":v": number("1"), ":w": number("2")})
	require.Equal(t, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #c}", message(t, p.Unused()))

	_, err := expression.ParseUpdate("SET #a = :v", p)
	require.NoError(t, err)
	require.Equal(t, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}", message(t, p.Unused()))

	_, err = expression.ParseCondition("ConditionExpression", "#b = #c OR #a = #c", p)
	require.NoError(t, err)
	require.Equal(t, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}", message(t, p.Unused()))

	_, err = expression.ParseCondition("FilterExpression", "#a = :w", p)
	require.NoError(t, err)
	require.NoError(t, p.Unused())
}

func TestSubstitutedTextIsLimited(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	parse := func(text string, size int) error {
		p := mustPlaceholders(t, nil, map[string]value.Value{":v": value.String(strings.Repeat("x", size))})
		_, err := expression.ParseCondition("ConditionExpression", text, p)
		return err
	}
	require.NoError(t, parse("a=:v", limit-4))
	require.Equal(t, "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;", message(t, parse("a=:v", limit-3)))
	require.NoError(t, parse("a=:v and b=:v", limit/2-7))
	requireRejected(t, parse("a=:v and b=:v", limit/2-6))
}
