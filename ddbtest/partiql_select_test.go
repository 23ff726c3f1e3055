package ddbtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// putOrders stores the items a, b and c with the sort keys 0 to 3.
func (s *session) putOrders() {
	s.Helper()
	for _, pk := range []string{"a", "b", "c"} {
		for sk := range 4 {
			s.put(row("pk", pk, "sk", sk, "g", fmt.Sprint("g", sk%2), "r", 10-sk, "n", 10*sk, "s", strings.Repeat("x", sk)+pk, "t", sk%2 == 0, "u", nil,
				"m", map[string]any{"x": sk, "l": []any{1, "z"}}, "l", []any{1, 2}, "ss", texts{"u", "v"}))
		}
	}
}

// keysOf returns the keys of items in their order, such as "a1 a2".
func keysOf(items []attributes) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = textOf(item["pk"]) + textOf(item["sk"])
	}
	return strings.Join(all, " ")
}

// selects has the conditions of SELECTs, and the keys that they return. The table is orders, unless
// the condition begins with the name of an index.
var selects = []struct{ where, keys string }{
	{"pk = 'a'", "a0 a1 a2 a3"},
	{"pk = 'a' AND sk > 1", "a2 a3"},
	{"1 = sk AND 'a' = pk", "a1"},
	{"(pk = 'a') AND ((sk = 1))", "a1"},
	{"pk = 'a' AND sk BETWEEN 1 AND 2", "a1 a2"},
	{"pk = 'a' AND sk NOT BETWEEN 1 AND 2", "a0 a3"},
	{"pk = 'a' AND NOT sk = 1", "a0 a2 a3"},
	{"pk = 'a' AND sk <> 1", "a0 a2 a3"},
	{"pk = 'a' AND sk != 1", "a0 a2 a3"},
	{"pk = 'a' AND sk IN [1, 2, 9]", "a1 a2"},
	{"pk = 'a' AND sk IN (1, 2)", "a1 a2"},
	{"pk = 'a' AND sk >= 1 AND sk < 3", "a1 a2"},
	{"pk = 'a' AND sk = 1 AND sk = 2", ""},
	{"pk = 'a' AND pk = 'b'", ""},
	{"pk IN ['c', 'a'] AND sk = 1", "a1 c1"},
	{"pk IN ['c', 'a', 'c'] AND sk < 1", "a0 c0"},
	{"pk IN ['c', 'a'] AND pk IN ['c', 'b'] AND sk < 1", "c0"},
	{"pk = 'a' AND (sk = 1 OR sk = 3)", "a1 a3"},
	{"pk = 'a' AND (sk = 1 OR n = 30)", "a1 a3"},
	{"pk = 'a' ORDER BY sk DESC", "a3 a2 a1 a0"},
	{"pk = 'a' ORDER BY pk DESC", "a0 a1 a2 a3"},
	{"pk = 'a' ORDER BY pk ASC, sk DESC", "a3 a2 a1 a0"},
	{"pk IN ['c', 'a'] AND sk < 2 ORDER BY sk DESC", "a1 a0 c1 c0"},
	{"pk = 'a' AND n = 10.0", "a1"},
	{"pk = 'a' AND n = 1e1", "a1"},
	{"pk = 'a' AND n > r", "a1 a2 a3"},
	{"pk = 'a' AND n = +10", "a1"},
	{"pk = 'a' AND n = - 10", ""},
	{"pk = 'a' AND n IN [10, r]", "a1"},
	{"pk = 'a' AND 15 BETWEEN n AND 20", "a0 a1"},
	{"pk = 'a' AND n NOT IN [10]", "a0 a2 a3"},
	{"pk = 'a' AND NOT (n = 10 OR n = 20)", "a0 a3"},
	{"pk = 'a' AND (n = 10 OR n = 20) AND s = 'xa'", "a1"},
	{"pk = 'a' AND n = 10 OR pk = 'a' AND n = 30", "a1 a3"},
	{"pk = 'a' AND begins_with(s, 'xx')", "a2 a3"},
	{"pk = 'a' AND BEGINS_WITH(\"s\", 'xx')", "a2 a3"},
	{"pk = 'a' AND contains(s, 'xxx')", "a3"},
	{"pk = 'a' AND contains(ss, 'u')", "a0 a1 a2 a3"},
	{"pk = 'a' AND contains(l, 3)", ""},
	{"pk = 'a' AND size(s) > 2", "a2 a3"},
	{"pk = 'a' AND 3 < size(s)", "a3"},
	{"pk = 'a' AND attribute_type(s, 'S')", "a0 a1 a2 a3"},
	{"pk = 'a' AND attribute_type(s, 'N')", ""},
	{"pk = 'a' AND z IS MISSING", "a0 a1 a2 a3"},
	{"pk = 'a' AND s IS MISSING", ""},
	{"pk = 'a' AND m.x IS NOT MISSING AND sk = 2", "a2"},
	{"pk = 'a' AND u IS NULL", "a0 a1 a2 a3"},
	{"pk = 'a' AND z IS NULL", ""},
	{"pk = 'a' AND s IS NOT NULL", "a0 a1 a2 a3"},
	{"pk = 'a' AND t IS BOOL", "a0 a1 a2 a3"},
	{"pk = 'a' AND t IS NOT BOOL", ""},
	{"pk = 'a' AND begins_with(s, 'xx') = true", "a2 a3"},
	{"pk = 'a' AND begins_with(s, 'xx') = false", "a0 a1"},
	{"pk = 'a' AND true <> begins_with(s, 'xx')", "a0 a1"},
	{"pk = 'a' AND attribute_exists(z) != true", "a0 a1 a2 a3"},
	{"pk = 'a' AND u = NULL", "a0 a1 a2 a3"},
	{"pk = 'a' AND s IS STRING AND m IS STRUCT AND l IS LIST AND t IS BOOLEAN AND n IS NUMERIC", "a0 a1 a2 a3"},
	{"pk = 'a' AND t = true", "a0 a2"},
	{"pk = 'a' AND m.x = 1", "a1"},
	{"pk = 'a' AND m['x'] = 1", "a1"},
	{"pk = 'a' AND m.l[1] = 'z' AND l = [1, 2]", "a0 a1 a2 a3"},
	{"pk = 'a' AND ss = <<'v', 'u'>>", "a0 a1 a2 a3"},
	{"pk = 'a' AND m = {'x': 1, 'l': [1, 'z']}", "a1"},
	{"pk = 'a' AND 1 = 2", ""},
	{"pk = 'it''s'", ""},
	{"byR: pk = 'a' AND r > 8", "a1 a0"},
	{"byR: pk = 'a' AND r > 8 ORDER BY r DESC", "a0 a1"},
	{"byR: pk = 'a' AND sk = 2", "a2"},
	{"byG: g = 'g1' AND r = 9 AND pk = 'a'", "a1"},
	// scans
	{"pk > 'b' AND sk = 0", "c0"},
	{"n = 10 AND s = 'xb'", "b1"},
	{"pk = 'a' AND sk = 1 OR n = 30 AND s = 'xxxb'", "a1 b3"},
	{"NOT pk = 'a' AND NOT pk = 'b' AND sk = 3", "c3"},
	{"byG: r = 9 AND pk = 'a'", "a1"},
}

// TestSelect checks the items of SELECTs, and their order within a partition.
func TestSelect(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		for _, c := range selects {
			source, where := "orders", c.where
			if index, rest, ok := strings.Cut(c.where, ": "); ok && !strings.Contains(index, " ") {
				source, where = `"orders"."`+index+`"`, rest
			}
			out, err := s.client.ExecuteStatement(s.Context(), statement("SELECT pk, sk FROM "+source+" WHERE "+where))
			require.NoError(s, err, c.where)
			require.Equal(s, c.keys, sortedIfScanned(keysOf(out.Items), c.where), c.where)
		}
	})
}

// sortedIfScanned sorts the keys of a scan: the order of its partitions has no meaning.
func sortedIfScanned(keys, where string) string {
	if !strings.Contains(where, " OR n = 30 AND") {
		return keys
	}
	return strings.Join(slices.Sorted(slices.Values(strings.Fields(keys))), " ")
}

// TestSelectList checks the attributes that a SELECT returns. A path has the name of its last
// element.
func TestSelectList(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.put(row("pk", "a", "sk", 1, "r", 5, "b", 1, "m", map[string]any{"x": 2, "d": map[string]any{"y": 3}}, "l", []any{4, 5}, "a b", 6))
		for list, want := range map[string]attributes{
			"*":                    row("pk", "a", "sk", 1, "r", 5, "b", 1, "m", map[string]any{"x": 2, "d": map[string]any{"y": 3}}, "l", []any{4, 5}, "a b", 6),
			"pk, b":                row("pk", "a", "b", 1),
			"m.x":                  row("x", 2),
			"m.d.y, m.x":           row("y", 3, "x", 2),
			"m.d":                  row("d", map[string]any{"y": 3}),
			"m['d'].\"y\"":         row("y", 3),
			"l[1], l[0], l[7]":     row("l[1]", 5, "l[0]", 4),
			"\"a b\", z, m.w, b.x": row("a b", 6),
			"z":                    {},
			"B":                    {},
		} {
			out, err := s.client.ExecuteStatement(s.Context(), statement("SELECT "+list+" FROM orders WHERE pk = 'a' AND sk = 1"))
			require.NoError(s, err, list)
			require.Equal(s, []attributes{want}, out.Items, list)
		}
		for from, want := range map[string]attributes{
			"SELECT * FROM orders.byR":    row("pk", "a", "sk", 1, "r", 5),
			"SELECT b, r FROM orders.byR": row("b", 1, "r", 5),
		} {
			out, err := s.client.ExecuteStatement(s.Context(), statement(from+" WHERE pk = 'a'"))
			require.NoError(s, err, from)
			require.Equal(s, []attributes{want}, out.Items, from)
		}
	})
}

// TestParameters replaces question marks, but not those in strings.
func TestParameters(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		in := statement("SELECT pk, sk FROM orders WHERE pk IN [?, '?'] AND sk BETWEEN ? AND ? AND ss = ?",
			text("a"), number(1), number(3), &types.AttributeValueMemberSS{Value: []string{"v", "u"}})
		out, err := s.client.ExecuteStatement(s.Context(), in)
		require.NoError(s, err)
		require.Equal(s, "a1 a2 a3", keysOf(out.Items))
		in.Parameters = in.Parameters[:3]
		require.Equal(s, invalid, s.runInput(in))
	})
}

// TestSelectPages reads all pages of statements. Each item is read once, also if the item before is
// deleted.
func TestSelectPages(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		for _, c := range []struct {
			text  string
			limit int32
			want  []string
		}{
			{"pk = 'a'", 1, []string{"a0", "a1", "a2", "a3"}},
			{"pk = 'a' AND n > 10", 3, []string{"a2", "a3"}},
			{"pk IN ['a', 'b', 'z'] AND sk > 1", 3, []string{"a2", "a3", "b2", "b3"}},
			{"pk IN ['b', 'a'] AND n = 20", 5, []string{"a2", "b2"}},
			{"sk = 3", 5, []string{"a3", "b3", "c3"}},
		} {
			in := statement("SELECT pk, sk FROM orders WHERE " + c.text)
			in.Limit = &c.limit
			var all []string
			for pages := 0; pages < 20; pages++ {
				out, err := s.client.ExecuteStatement(s.Context(), in)
				require.NoError(s, err, c.text)
				require.LessOrEqual(s, len(out.Items), int(c.limit))
				all = append(all, strings.Fields(keysOf(out.Items))...)
				if in.NextToken = out.NextToken; in.NextToken == nil {
					break
				}
			}
			require.Nil(s, in.NextToken, c.text)
			if strings.HasPrefix(c.text, "pk") {
				require.Equal(s, c.want, all, c.text)
			} else {
				require.ElementsMatch(s, c.want, all, c.text)
			}
		}
		in := statement("SELECT pk, sk FROM orders WHERE pk = 'a'")
		in.Limit = aws.Int32(2)
		out, err := s.client.ExecuteStatement(s.Context(), in)
		require.NoError(s, err)
		s.remove(row("pk", "a", "sk", 1))
		in.NextToken = out.NextToken
		out, err = s.client.ExecuteStatement(s.Context(), in)
		require.NoError(s, err)
		require.Equal(s, "a2 a3", keysOf(out.Items))
		in.NextToken = aws.String("abc")
		require.Equal(s, invalid, s.runInput(in))
	})
}

// TestInvalidSelects are rejected.
func TestInvalidSelects(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		for _, text := range []string{
			"SELECT * FROM orders WHERE pk = 1", "SELECT * FROM orders WHERE pk = 'a' AND sk = 'x'", "SELECT * FROM orders WHERE pk <> 1",
			"SELECT * FROM orders WHERE pk IN [1]", "SELECT * FROM orders WHERE pk = 'a' AND (sk = 'x' OR n = 1)", "SELECT * FROM orders WHERE pk = ''",
			"SELECT * FROM orders WHERE pk = 'a' ORDER BY n", "SELECT * FROM orders WHERE n = 1 ORDER BY sk", "SELECT * FROM orders ORDER BY pk",
			"SELECT * FROM orders WHERE pk = 'a' OR n = 1 ORDER BY sk", "SELECT * FROM orders.byR WHERE pk = 'a' ORDER BY sk",
			"SELECT * FROM orders.nowhere WHERE pk = 'a'", "SELECT n FROM orders.keysOnly WHERE g = 'g1'", "SELECT m, m.x FROM orders WHERE pk = 'a'",
			"SELECT * FROM orders WHERE pk = 'a' AND n BETWEEN 2 AND 1", "SELECT * FROM orders WHERE pk = 'a' AND n = n", "SELECT * FROM orders WHERE pk = 'a' AND upper(s) = 'X'",
			"SELECT * FROM orders WHERE pk = 'a' AND t > true", "SELECT * FROM orders WHERE pk = 'a' AND begins_with(s)", "SELECT * FROM orders WHERE pk = 'a' AND attribute_type(s, 'X')",
			"SELECT * FROM orders WHERE pk = 'a' AND size(size(s)) = 1", "SELECT * FROM orders WHERE pk.x = 1", "SELECT pk.x FROM orders WHERE pk = 'a'",
			"SELECT * FROM orders WHERE pk = 'a' AND n IN [" + strings.Repeat("1,", 100) + "1]", "SELECT * FROM orders WHERE " + strings.Repeat("n = 1 OR ", 300) + "n = 1",
			"SELECT * FROM ab", "SELECT * FROM \"a/b\" WHERE pk = 'a'", "EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 1)",
			"SELECT * FROM orders WHERE s = '" + strings.Repeat("x", 8192) + "'",
		} {
			require.Equal(s, invalid, s.run(text), "%.200s", text)
		}
		strong := statement("SELECT * FROM orders.byG WHERE g = 'g1'")
		strong.ConsistentRead = aws.Bool(true)
		require.Equal(s, invalid, s.runInput(strong))
		require.Equal(s, "ResourceNotFoundException", s.run("SELECT * FROM nowhere WHERE pk = 'a'"))
		require.NotEqual(s, invalid, s.run("SELECT * FROM orders WHERE "+strings.Repeat("n = 1 OR ", 149)+"n = 1"), "the control")
	})
}
