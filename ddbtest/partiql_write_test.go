package ddbtest_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestInsert checks the values of literals.
func TestInsert(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		require.Empty(s, s.run(`INSERT INTO orders VALUE {'pk': 'a', 'sk': 1, 'n': -1.50, 'l': [1, 'x', []], 'm': {'k': <<1, 2.5>>, 't': true, 'u': null},
			'ss': <<'b', 'a'>>, 's': 'it''s', 'e': {}}`))
		want := row("pk", "a", "sk", 1, "n", num("-1.5"), "l", []any{1, "x", []any{}}, "m", map[string]any{"k": nums{"1", "2.5"}, "t": true, "u": nil},
			"ss", texts{"a", "b"}, "s", "it's", "e", map[string]any{})
		require.Equal(s, written(want), written(s.get(row("pk", "a", "sk", 1))))
		require.Empty(s, s.run("INSERT INTO orders VALUE {'pk': ?, 'sk': ?, 'b': ?}", text("a"), number(2), attr([]byte{1})))
		require.Equal(s, row("pk", "a", "sk", 2, "b", []byte{1}), s.get(row("pk", "a", "sk", 2)))
		for _, item := range []string{
			"{'pk': 'a'}", "{'sk': 1}", "{'pk': 1, 'sk': 1}", "{'pk': '', 'sk': 1}", "{'pk': 'b', 'sk': 1, 'r': 'x'}", "{'pk': 'b', 'sk': 1, 'g': ''}",
		} {
			require.Equal(s, invalid, s.run("INSERT INTO orders VALUE "+item), item)
		}
		require.Equal(s, "ResourceNotFoundException", s.run("INSERT INTO nowhere VALUE {'pk': 'a'}"))
		require.Len(s, scanAll(s.Context(), s, s.client, "orders", ""), 2, "what was rejected changed nothing")
	})
}

// TestInsertOfExistingItem fails. DynamoDB Local has another code: the API reference of
// ExecuteStatement names DuplicateItemException.
func TestInsertOfExistingItem(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.put(row("pk", "a", "sk", 1))
		want := "DuplicateItemException"
		if s.local {
			want = "DuplicateItem"
		}
		require.Equal(s, want, s.run("INSERT INTO orders VALUE {'pk': 'a', 'sk': 1, 'n': 2}"))
		require.Equal(s, row("pk", "a", "sk", 1), s.get(row("pk", "a", "sk", 1)))
	})
}

// updateStatements has the changes of updates of the item a, 1. What they return is in other tests.
var updateStatements = []struct {
	changes string
	want    any // an attribute map of what changes, or the code of the error
}{
	{"SET n = 2", row("n", 2)},
	{"SET n = 2, z = 'x'", row("n", 2, "z", "x")},
	{"SET n = 2 SET z = 'x' REMOVE b", row("n", 2, "z", "x", "b", absent)},
	{"REMOVE n REMOVE b", row("n", absent, "b", absent)},
	{"REMOVE z", row()},
	{"SET n = n + 1", row("n", 11)},
	{"SET n = n + 1 - 3", row("n", 8)},
	{"SET n = 20 - (n + 3)", row("n", 7)},
	{"SET n = b, b = n", row("n", 5, "b", 10)},
	{"SET l = list_append(l, [3])", row("l", []any{1, 2, 3})},
	{"SET l = LIST_APPEND([0], l)", row("l", []any{0, 1, 2})},
	{"SET l[1] = 9, l[7] = 8", row("l", []any{1, 9, 8})},
	{"REMOVE l[0]", row("l", []any{2})},
	{"SET m.x = 2, m.y = [1]", row("m", map[string]any{"x": 2, "y": []any{1}})},
	{"REMOVE m.x", row("m", map[string]any{})},
	{"SET ss = set_add(ss, <<'w', 'u'>>)", row("ss", texts{"u", "v", "w"})},
	{"SET ss = SET_DELETE(ss, <<'u'>>)", row("ss", texts{"v"})},
	{"SET ss = set_delete(ss, <<'u', 'v'>>)", row("ss", absent)},
	{"SET z = set_add(z, <<1>>)", row("z", nums{"1"})},
	{"SET z = if_not_exists(z, 5), n = if_not_exists(n, 5)", row("z", 5)},
	{"SET z = {'a': [1, <<2>>]}", row("z", map[string]any{"a": []any{1, nums{"2"}}})},
	{"SET z = s", invalid},
	{"SET n = z + 1", invalid},
	{"SET n = ss + 1", invalid},
	{"SET n = 1, n = 2", invalid},
	{"SET m = 1, m.x = 2", invalid},
	{"SET z.x = 1", invalid},
	{"SET pk = 'b'", invalid},
	{"SET r = 'x'", invalid},
	{"SET g = ''", invalid},
	{"SET n = size(ss)", invalid},
	{"SET n = set_add(n, 1)", invalid},
	{"SET z = set_add(ss, <<'w'>>)", invalid},
	{"SET ss = set_add(ss, <<1>>)", invalid},
	{"SET ss = set_add(ss, ss)", invalid},
	{"SET n = 'x' + 1", invalid},
	{"SET l = list_append(l, 1)", invalid},
}

// absent marks an attribute that an update removes.
const absent = "(absent)"

func TestUpdateStatement(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		for i, c := range updateStatements {
			before := row("pk", "a", "sk", 1, "n", 10, "b", 5, "l", []any{1, 2}, "m", map[string]any{"x": 1}, "ss", texts{"u", "v"})
			s.put(before)
			update := "UPDATE orders " + c.changes + " WHERE pk = 'a' AND sk = 1"
			if i%2 == 1 { // the same with the condition first
				update = "FROM orders WHERE pk = 'a' AND sk = 1 " + c.changes
			}
			got := s.run(update)
			if changed, ok := c.want.(attributes); ok {
				require.Empty(s, got, c.changes)
				for name, v := range changed {
					if before[name] = v; textOf(v) == absent {
						delete(before, name)
					}
				}
			} else {
				require.Equal(s, c.want, got, c.changes)
			}
			require.Equal(s, written(before), written(s.get(row("pk", "a", "sk", 1))), c.changes)
		}
	})
}

// TestUpdateStatementHasTheLimitOfItems updates an item to the largest size. An UpdateItem of that
// size fails at DynamoDB, because its clauses are charged too.
func TestUpdateStatementHasTheLimitOfItems(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		const others = len("pk") + len("a") + len("sk") + 2 + len("p")
		largest := strings.Repeat("x", 400<<10-others)
		s.put(row("pk", "a", "sk", 1))
		update := "UPDATE orders SET p = ? WHERE pk = 'a' AND sk = 1"
		require.Equal(s, invalid, s.run(update, text(largest+"x")))
		require.Equal(s, row("pk", "a", "sk", 1), s.get(row("pk", "a", "sk", 1)))
		require.Empty(s, s.run(update, text(largest)))
		require.Equal(s, row("pk", "a", "sk", 1, "p", largest), s.get(row("pk", "a", "sk", 1)))
	})
}

// TestWhereOfWrites checks which conditions are allowed, and when they fail. A write never creates
// an item.
func TestWhereOfWrites(t *testing.T) {
	t.Parallel()
	const failed = "ConditionalCheckFailedException"
	onEveryEngine(t, ordersTable(), func(s *session) {
		for where, want := range map[string][2]string{ // of an update, of a delete
			"pk = 'a' AND sk = 1":                               {"", ""},
			"1 = sk AND ('a' = pk AND pk = 'a')":                {"", ""},
			"pk = 'a' AND sk = 1 AND n = 1":                     {"", ""},
			"pk = 'a' AND sk = 1 AND (n = 9 OR z IS MISSING)":   {"", ""},
			"pk = 'a' AND sk = 1 AND n = 2":                     {failed, failed},
			"pk = 'a' AND sk = 1 AND sk > 1":                    {failed, failed},
			"pk = 'a' AND sk = 1 AND NOT n = 1":                 {failed, failed},
			"pk = 'a' AND sk = 9":                               {failed, ""},
			"pk = 'a' AND sk = 9 AND n IS MISSING":              {failed, ""},
			"pk = 'a' AND sk = 9 AND n = 1":                     {failed, ""},
			"pk = 'a'":                                          {invalid, invalid},
			"pk = 'a' AND sk > 1":                               {invalid, invalid},
			"pk = 'a' AND sk IN [1]":                            {invalid, invalid},
			"pk = 'a' AND (sk = 1 OR sk = 2)":                   {invalid, invalid},
			"pk = 'a' AND sk = 1 AND pk = 'b'":                  {invalid, invalid},
			"pk = 1 AND sk = 1":                                 {invalid, invalid},
			"pk = '' AND sk = 1":                                {invalid, invalid},
			"pk = 'a' AND sk = 1 AND begins_with(n)":            {invalid, invalid},
			"pk = 'a' AND sk = 1 AND pk.x = 1":                  {invalid, invalid},
			"pk = 'a' AND sk = 1 OR pk = 'b' AND sk = 1":        {invalid, invalid},
			"NOT (pk = 'a' AND sk = 1)":                         {invalid, invalid},
			"pk = 'a' AND sk = 1 AND n BETWEEN 2 AND 1":         {invalid, invalid},
			"pk = 'a' AND sk = 1 AND attribute_type(n, 'what')": {invalid, invalid},
		} {
			s.put(row("pk", "a", "sk", 1, "n", 1))
			require.Equal(s, want[0], s.run("UPDATE orders SET z = 1 WHERE "+where), where)
			s.put(row("pk", "a", "sk", 1, "n", 1))
			require.Equal(s, want[1], s.run("DELETE FROM orders WHERE "+where), where)
			require.LessOrEqual(s, len(scanAll(s.Context(), s, s.client, "orders", "")), 1)
		}
		require.Equal(s, invalid, s.run("UPDATE orders SET z = 1"))
		require.Equal(s, invalid, s.run("DELETE FROM orders"))
		require.Equal(s, "ResourceNotFoundException", s.run("DELETE FROM nowhere WHERE pk = 'a'"))
	})
}

// TestReturning checks what writes return.
func TestReturning(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		old, changed := row("pk", "a", "sk", 1, "n", 1, "b", 5), row("pk", "a", "sk", 1, "n", 2, "b", 5)
		for clause, want := range map[string]attributes{
			"": nil, "ALL OLD": old, "ALL NEW": changed, "MODIFIED OLD": row("n", 1), "modified new": row("n", 2),
		} {
			s.put(old)
			in := statement("UPDATE orders SET n = 2 WHERE pk = 'a' AND sk = 1")
			if clause != "" {
				*in.Statement += " RETURNING " + clause + " *"
			}
			s.requireItems(in, want)
		}
		s.requireItems(statement("UPDATE orders REMOVE z WHERE pk = 'a' AND sk = 1 RETURNING MODIFIED NEW *"), nil)
		s.requireItems(statement("DELETE FROM orders WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *"), changed)
		s.requireItems(statement("DELETE FROM orders WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *"), nil)

		s.put(old)
		for _, text := range []string{"UPDATE orders SET n = 2 WHERE pk = 'a' AND sk = 1 AND n = 9", "DELETE FROM orders WHERE pk = 'a' AND sk = 1 AND n = 9"} {
			in := statement(text)
			_, err := s.client.ExecuteStatement(s.Context(), in)
			var failed *types.ConditionalCheckFailedException
			require.ErrorAs(s, err, &failed)
			require.Nil(s, failed.Item)
			in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
			_, err = s.client.ExecuteStatement(s.Context(), in)
			require.ErrorAs(s, err, &failed)
			require.Equal(s, old, failed.Item)
		}
	})
}

// requireItems requires that a statement returns one item, or none.
func (s *session) requireItems(in *dynamodb.ExecuteStatementInput, want attributes) {
	s.Helper()
	out, err := s.client.ExecuteStatement(s.Context(), in)
	require.NoError(s, err)
	require.NotNil(s, out.Items)
	if want == nil {
		require.Empty(s, out.Items, aws.ToString(in.Statement))
		return
	}
	require.Equal(s, []attributes{want}, out.Items, aws.ToString(in.Statement))
}
