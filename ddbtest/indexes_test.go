package ddbtest_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestSparseIndex checks that a row is added to an index, moved and removed as its
// attributes change.
func TestSparseIndex(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:N", ix{name: "sparse", key: "flag:S due:N", holds: "*"}, ix{name: "local", key: "pk:S due:N", local: true, holds: "*"})
	onEveryEngine(t, table, func(s *session) {
		key := row("pk", "a", "sk", 1)
		holds := func(global, local bool, want ...any) {
			s.Helper()
			entry := row(append([]any{"pk", "a", "sk", 1}, want...)...)
			for index, in := range map[string]bool{"sparse": global, "local": local} {
				entries := []attributes{}
				if in {
					entries = append(entries, entry)
				}
				require.ElementsMatch(s, entries, s.all(view{index: index}), index)
			}
			require.Equal(s, entry, s.get(key))
		}
		change := func(expression string, values ...any) {
			s.Helper()
			require.NoError(s, s.update(key, expression, values...))
		}
		s.put(key)
		holds(false, false)
		change("SET due = :one", ":one", 1)
		holds(false, true, "due", 1)
		change("SET flag = :x", ":x", "x")
		holds(true, true, "due", 1, "flag", "x")
		change("SET n = :n", ":n", 7)
		holds(true, true, "due", 1, "flag", "x", "n", 7)
		change("ADD due :one", ":one", 1)
		holds(true, true, "due", 2, "flag", "x", "n", 7)
		change("SET flag = :y REMOVE n", ":y", "y")
		holds(true, true, "due", 2, "flag", "y")
		require.Empty(s, s.all(view{index: "sparse", key: "flag = :x", values: row(":x", "x")}), "nothing is left where it was")
		change("REMOVE flag")
		holds(false, true, "due", 2)
		s.put(row("pk", "a", "sk", 1, "flag", "z"))
		holds(false, false, "flag", "z")
		s.put(row("pk", "a", "sk", 1, "flag", "z", "due", 3))
		holds(true, true, "flag", "z", "due", 3)
		s.delete(key)
		require.Empty(s, s.all(view{index: "sparse"}))
		require.Empty(s, s.all(view{index: "local"}))
	})
}

// TestIndexBackfill covers rows that existed before the index. Their attributes may
// have any type.
func TestIndexBackfill(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableOf("pk:S"))
	for pk, v := range map[string]any{
		"fits": "x", "number": 1, "bytes": []byte("x"), "empty": "", "nothing": nil, "list": []any{"x"}, "set": texts{"x"}, "long": letters(2049), "longest": letters(2048),
	} {
		s.put(row("pk", pk, "g", v, "n", 1), row("pk", pk+", half", "g", v))
	}
	in := tableOf("pk:S", ix{name: "later", key: "g:S n:N", holds: "*"})
	_, err := s.client.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: &s.table, AttributeDefinitions: in.AttributeDefinitions,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: in.GlobalSecondaryIndexes[0].IndexName, KeySchema: in.GlobalSecondaryIndexes[0].KeySchema,
			Projection: in.GlobalSecondaryIndexes[0].Projection,
		}}},
	})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"fits", "longest"}, each(s.all(view{index: "later"}), "pk"))
	require.NoError(t, s.update(row("pk", "number"), "SET g = :x", ":x", "x"), "what did not fit may be mended")
	s.delete(row("pk", "list"))
	require.NoError(t, s.update(row("pk", "set"), "SET m = :x", ":x", "x"), "and what stays as it is does no harm")
	require.ElementsMatch(t, []string{"fits", "longest", "number"}, each(s.all(view{index: "later"}), "pk"))
}

// TestSharedIndex covers rows whose keys have different meanings.
func TestSharedIndex(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:S", ix{name: "one", key: "h:S r:S", holds: "*"}, ix{name: "inverted", key: "sk:S pk:S", holds: "*"})
	onEveryEngine(t, table, func(s *session) {
		s.put(
			row("pk", "ORG#1", "sk", "ORG#1", "h", "ORG", "r", "acme"),
			row("pk", "ORG#1", "sk", "USER#7", "h", "MAIL#x@y", "r", "USER#7"),
			row("pk", "ORG#1", "sk", "USER#8", "h", "USER#8", "r", "ORG#1"),
			row("pk", "ORG#1", "sk", "ORDER#5", "h", "USER#8", "r", "ORDER#2026-03#5"),
			row("pk", "ORG#1", "sk", "ORDER#6", "h", "USER#8", "r", "ORDER#2026-04#6"),
			row("pk", "ORG#2", "sk", "USER#8", "h", "USER#8", "r", "ORG#2"),
			row("pk", "ORG#2", "sk", "note"),
		)
		query := func(index, key string, values ...any) []string {
			return each(s.all(view{index: index, key: key, values: row(values...)}), "sk")
		}
		require.Equal(s, []string{"ORDER#5", "ORDER#6"}, query("one", "h = :h AND begins_with(r, :r)", ":h", "USER#8", ":r", "ORDER#"))
		require.Equal(s, []string{"ORDER#6"}, query("one", "h = :h AND begins_with(r, :r)", ":h", "USER#8", ":r", "ORDER#2026-04"))
		require.Equal(s, []string{"USER#8", "USER#8"}, query("one", "h = :h AND r BETWEEN :lo AND :hi", ":h", "USER#8", ":lo", "ORG#", ":hi", "ORG#9"))
		require.Equal(s, []string{"USER#7"}, query("one", "h = :h", ":h", "MAIL#x@y"))
		require.Equal(s, []string{"ORG#1"}, query("one", "h = :h", ":h", "ORG"))
		require.Equal(s, []string{"ORG#1", "ORG#2"}, each(s.all(view{index: "inverted", key: "sk = :sk", values: row(":sk", "USER#8")}), "pk"))
		require.Len(s, s.all(view{index: "one"}), 6)
		require.Len(s, s.all(view{index: "inverted"}), 7)
	})
}

// TestMultiAttributeKey checks that each sort attribute is compared in turn, by its own type.
func TestMultiAttributeKey(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S", ix{name: "multi", key: "h:S | a:S b:S c:S d:S", holds: "*"}), func(s *session) {
		s.put(
			row("pk", "p1", "h", "o1", "a", "T", "b", "live", "c", "b", "d", "r1"),
			row("pk", "p2", "h", "o1", "a", "T", "b", "live", "c", "a", "d", "r2"),
			row("pk", "p3", "h", "o1", "a", "T", "b", "live", "c", "a", "d", "r1"),
			row("pk", "p4", "h", "o1", "a", "T", "b", "draft", "c", "c", "d", "r1"),
			row("pk", "p5", "h", "o1", "a", "F", "b", "live", "c", "a", "d", "r0"),
			row("pk", "p6", "h", "o1", "a", "T", "b", "live", "d", "r1"),
		)
		v := view{index: "multi", limit: 1}
		for _, c := range []struct {
			key    string
			values []any
			want   []string
		}{
			{"h = :h", nil, []string{"p5", "p4", "p3", "p2", "p1"}},
			{"h = :h AND a = :a", []any{":a", "T"}, []string{"p4", "p3", "p2", "p1"}},
			{"h = :h AND a = :a AND b = :b AND c = :c", []any{":a", "T", ":b", "live", ":c", "a"}, []string{"p3", "p2"}},
			{"h = :h AND a = :a AND b = :b AND c > :c", []any{":a", "T", ":b", "live", ":c", "a"}, []string{"p1"}},
			{"h = :h AND a = :a AND b < :b", []any{":a", "T", ":b", "live"}, []string{"p4"}},
			{"d = :d AND c = :c AND a = :a AND b = :b AND h = :h", []any{":a", "T", ":b", "live", ":c", "a", ":d", "r1"}, []string{"p3"}},
			{"h = :h AND a = :a AND b = :b AND c = :c AND begins_with(d, :d)", []any{":a", "T", ":b", "live", ":c", "a", ":d", "r"}, []string{"p3", "p2"}},
			{"h = :h AND a BETWEEN :a AND :b", []any{":a", "A", ":b", "S"}, []string{"p5"}},
			{"h = :h AND begins_with(a, :a)", []any{":a", "U"}, []string{}},
		} {
			v.key, v.values, v.backward = c.key, row(append(c.values, ":h", "o1")...), false
			require.Equal(s, c.want, each(s.all(v), "pk"), c.key)
			v.backward = true
			slices.Reverse(c.want)
			require.Equal(s, c.want, each(s.all(v), "pk"), "%s backward", c.key)
		}
		for _, c := range []struct {
			key    string
			values []any
		}{
			{"a = :a", []any{":a", "T"}},
			{"h = :h AND b = :b", []any{":h", "o1", ":b", "live"}},
			{"h = :h AND a = :a AND c = :c", []any{":h", "o1", ":a", "T", ":c", "a"}},
			{"h = :h AND a > :a AND b = :b", []any{":h", "o1", ":a", "A", ":b", "live"}},
			{"h = :h AND a > :a AND b > :b", []any{":h", "o1", ":a", "A", ":b", "live"}},
			{"h > :h", []any{":h", "o1"}},
			{"h = :h AND a = :a", []any{":h", "o1", ":a", 1}},
			{"h = :h AND a = :a AND pk = :pk", []any{":h", "o1", ":a", "T", ":pk", "p1"}},
			{"h = :h AND a = :a AND a = :b", []any{":h", "o1", ":a", "T", ":b", "T"}},
			{"h = :h OR a = :a", []any{":h", "o1", ":a", "T"}},
		} {
			_, err := s.page(view{index: "multi", key: c.key, values: row(c.values...)}, nil)
			wantCode(s, invalid, err, c.key)
		}
		require.Len(s, s.all(view{index: "multi"}), 5, "p6 lacks a part of the key")
	})
}

// TestLargestMultiAttributeKey covers all three types.
func TestLargestMultiAttributeKey(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S", ix{name: "multi", key: "p:S q:N r:B s:S | a:N b:B c:N d:S", holds: "*"}), func(s *session) {
		hash := []any{"p", "x", "q", num("1.0"), "r", []byte{0, 1}, "s", "y"}
		for i, sort := range [][]any{
			{"a", 9, "b", []byte{1}, "c", 0, "d", "x"},
			{"a", 10, "b", []byte{0, 255}, "c", 0, "d", "x"},
			{"a", 10, "b", []byte{1}, "c", -5, "d", "x"},
			{"a", 10, "b", []byte{1}, "c", num("-4.9"), "d", "x"},
			{"a", 10, "b", []byte{1}, "c", 2, "d", "x"},
			{"a", 10, "b", []byte{1}, "c", 10, "d", "\x00"},
			{"a", 10, "b", []byte{1}, "c", 10, "d", "a"},
			{"a", 10, "b", []byte{1}, "c", 10, "d", "a\x00"},
			{"a", 10, "b", []byte{1, 0}, "c", 0, "d", "x"},
		} {
			s.put(row(append(append([]any{"pk", string(rune('A' + i))}, hash...), sort...)...))
		}
		s.put(row("pk", "Z", "p", "x", "q", 1, "r", []byte{0, 1}, "s", "z", "a", 9, "b", []byte{1}, "c", 0, "d", "x"))
		v := view{index: "multi", key: "p = :p AND q = :q AND r = :r AND s = :s", values: row(":p", "x", ":q", 1, ":r", []byte{0, 1}, ":s", "y"), limit: 2}
		require.Equal(s, []string{"A", "B", "C", "D", "E", "F", "G", "H", "I"}, each(s.all(v), "pk"))
		for _, c := range []struct {
			key    string
			values []any
			want   []string
		}{
			{"a > :a", []any{":a", 9}, []string{"B", "C", "D", "E", "F", "G", "H", "I"}},
			{"a = :a AND b = :b", []any{":a", 10, ":b", []byte{1}}, []string{"C", "D", "E", "F", "G", "H"}},
			{"a = :a AND begins_with(b, :b)", []any{":a", 10, ":b", []byte{1}}, []string{"C", "D", "E", "F", "G", "H", "I"}},
			{"a = :a AND b = :b AND c BETWEEN :c AND :d", []any{":a", 10, ":b", []byte{1}, ":c", num("-4.95"), ":d", 3}, []string{"D", "E"}},
			{"a = :a AND b = :b AND c = :c AND begins_with(d, :d)", []any{":a", 10, ":b", []byte{1}, ":c", 10, ":d", "a"}, []string{"G", "H"}},
		} {
			w := v
			w.key += " AND " + c.key
			w.values = row(c.values...)
			maps.Copy(w.values, v.values)
			require.Equal(s, c.want, each(s.all(w), "pk"), c.key)
		}
		for _, missing := range []string{"p", "q", "r", "s"} {
			_, err := s.page(view{index: "multi", key: "p = :p AND q = :q AND r = :r AND s = :s AND " + missing + " > :p", values: v.values}, nil)
			wantCode(s, invalid, err)
		}
	})
}

// TestProjections checks that an index returns its projection. A local index can return all
// attributes, at the cost of reading the rows, too.
func TestProjections(t *testing.T) {
	t.Parallel()
	table := tableOf(
		"pk:S sk:N",
		ix{name: "lkeys", key: "pk:S x:N", local: true}, ix{name: "lsome", key: "pk:S x:N", local: true, holds: "u"}, ix{name: "lall", key: "pk:S x:N", local: true, holds: "*"},
		ix{name: "gkeys", key: "g:S x:N"}, ix{name: "gsome", key: "g:S x:N", holds: "u v"}, ix{name: "gall", key: "g:S x:N", holds: "*"},
	)
	onEveryEngine(t, table, func(s *session) {
		whole := row("pk", "a", "sk", 1, "x", 2, "g", "b", "u", map[string]any{"p": 1, "q": 2}, "v", "v", "w", "w")
		s.put(whole)
		pick := func(names ...string) attributes {
			item := attributes{}
			for _, name := range names {
				item[name] = whole[name]
			}
			return item
		}
		for index, held := range map[string]attributes{
			"lkeys": pick("pk", "sk", "x"), "lsome": pick("pk", "sk", "x", "u"), "lall": whole,
			"gkeys": pick("pk", "sk", "x", "g"), "gsome": pick("pk", "sk", "x", "g", "u", "v"), "gall": whole,
		} {
			v := view{index: index, key: "g = :g", values: row(":g", "b")}
			if index[0] == 'l' {
				v.key, v.values = "pk = :g", row(":g", "a")
			}
			for _, v := range []view{v, {index: index}} {
				require.Equal(s, []attributes{held}, s.all(v), "%s %q", index, v.key)
				v.selects = types.SelectAllProjectedAttributes
				require.Equal(s, []attributes{held}, s.all(v), "%s %q", index, v.key)
				v.selects, v.project = "", "u.q, sk"
				if _, ok := held["u"]; ok || index[0] == 'l' {
					require.Equal(s, []attributes{row("sk", 1, "u", map[string]any{"q": 2})}, s.all(v), "%s %q", index, v.key)
				} else {
					_, err := s.page(v, nil)
					wantCode(s, invalid, err, index)
				}
				v.selects, v.project = types.SelectAllAttributes, ""
				if index[0] == 'l' || index == "gall" {
					require.Equal(s, []attributes{whole}, s.all(v), "%s %q", index, v.key)
				} else {
					_, err := s.page(v, nil)
					wantCode(s, invalid, err, index)
				}
			}
			v.filter = "w = :w"
			v.values[":w"] = text("w")
			if _, ok := held["w"]; ok {
				require.Len(s, s.all(v), 1)
			} else {
				_, err := s.page(v, nil)
				wantCode(s, invalid, err, "a filter on what is not there: %s", index)
			}
			if index[0] == 'g' {
				_, err := s.page(view{index: index, strong: true}, nil)
				wantCode(s, invalid, err, "strong reads of a global index")
			} else {
				require.Len(s, s.all(view{index: index, strong: true}), 1)
			}
		}
		_, err := s.page(view{index: "nothing"}, nil)
		wantCode(s, invalid, err)
	})
}

// TestLocalIndexOrder checks that the table's key orders equal index keys. DynamoDB
// Local orders them differently.
func TestLocalIndexOrder(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:N", ix{name: "local", key: "pk:S x:S", local: true, holds: "*"})
	onEveryEngine(t, table, func(s *session) {
		for i, x := range []string{"d", "b", "", "a", "b", "c", "b"} {
			s.put(row("pk", "p", "sk", i, "u", x), row("pk", "q", "sk", i, "x", "b"))
			if x != "" {
				s.put(row("pk", "p", "sk", i, "x", x))
			}
		}
		v := view{index: "local", key: "pk = :p", values: row(":p", "p"), limit: 2, strong: true}
		require.Equal(s, []string{"a", "b", "b", "b", "c", "d"}, each(s.all(v), "x"))
		ties := view{index: "local", key: "pk = :p AND x = :x", values: row(":p", "p", ":x", "b"), limit: 2}
		require.ElementsMatch(s, []string{"1", "4", "6"}, each(s.all(ties), "sk"))
		if !s.local {
			require.Equal(s, []string{"1", "4", "6"}, each(s.all(ties), "sk"))
		}
		v.backward = true
		require.Equal(s, []string{"d", "c", "b", "b", "b", "a"}, each(s.all(v), "x"))
	})
}

// errorOf returns the error code of a write, or the reason code of a canceled transaction.
func errorOf(err error) string {
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) && len(canceled.CancellationReasons) > 0 {
		return *canceled.CancellationReasons[0].Code
	}
	return resultOf(err)
}

// TestInvalidIndexKey covers every kind of write. A rejected write changes
// nothing.
func TestInvalidIndexKey(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S", ix{name: "global", key: "s:S n:N", holds: "*"}, ix{name: "bytes", key: "b:B", holds: "*"}, ix{name: "multi", key: "m:S k:N | o:S"})
	onEveryEngine(t, table, func(s *session) {
		key := row("pk", "a")
		was := row("pk", "a", "s", "s", "n", 1)
		s.put(was)
		writes := map[string]func(name string, v types.AttributeValue) error{
			"PutItem": func(name string, v types.AttributeValue) error {
				_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: attributes{"pk": key["pk"], name: v}})
				return err
			},
			"UpdateItem": func(name string, v types.AttributeValue) error { return s.update(key, "SET "+name+" = :v", ":v", v) },
			"BatchWriteItem": func(name string, v types.AttributeValue) error {
				_, err := s.client.BatchWriteItem(s.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{s.table: {
					{PutRequest: &types.PutRequest{Item: row("pk", "other")}}, {PutRequest: &types.PutRequest{Item: attributes{"pk": key["pk"], name: v}}},
				}}})
				return err
			},
			"a transaction's Put": func(name string, v types.AttributeValue) error {
				return s.transact(types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: attributes{"pk": key["pk"], name: v}}})
			},
			"a transaction's Update": func(name string, v types.AttributeValue) error {
				return s.transact(types.TransactWriteItem{Update: &types.Update{
					TableName: &s.table, Key: key, UpdateExpression: ptr("SET " + name + " = :v"), ExpressionAttributeValues: attributes{":v": v},
				}})
			},
		}
		for by, write := range writes {
			for _, c := range []struct {
				name  string
				value any
			}{
				{"s", 1}, {"s", []byte{1}}, {"s", ""}, {"s", nil}, {"s", []any{"s"}}, {"s", texts{"s"}},
				{"n", "1"}, {"n", true}, {"n", nums{"1"}},
				{"b", "b"}, {"b", []byte{}}, {"m", 1}, {"m", ""}, {"k", "1"}, {"o", ""}, {"o", 5},
			} {
				require.Contains(s, []string{invalid, "ValidationError"}, errorOf(write(c.name, attr(c.value))), "%s of %s = %#v", by, c.name, c.value)
			}
		}
		require.Equal(s, []attributes{was}, s.all(view{}))
		require.Equal(s, []attributes{was}, s.all(view{index: "global"}))
		for by, write := range writes {
			require.NoError(s, write("b", attr([]byte{0})), by)
		}
	})
}

func (s *session) transact(actions ...types.TransactWriteItem) error {
	s.Helper()
	_, err := s.client.TransactWriteItems(s.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return err
}

// TestFilterByWhatAGlobalIndexLacks checks that a query is refused, and that a scan is served as if
// the attribute did not exist. The documentation does not say so. It is what DynamoDB replied to
// SELECT statements on such an index with and without its key, which public engines captured.
// DynamoDB Local evaluates the filter of a scan on the item of the table.
func TestFilterByWhatAGlobalIndexLacks(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S", ix{name: "keys", key: "g:S"}), func(s *session) {
		s.put(row("pk", "a", "g", "x", "n", 1))
		query := view{index: "keys", key: "g = :g", filter: "n = :n", values: row(":g", "x", ":n", 1)}
		_, err := s.page(query, nil)
		wantCode(s, invalid, err)
		query.filter = "pk = :n"
		require.Empty(s, s.all(query), "the control: the index has this attribute")

		found := s.all(view{index: "keys", filter: "n = :n", values: row(":n", 1)})
		missing := s.all(view{index: "keys", filter: "attribute_not_exists(n)"})
		if s.local {
			require.Len(s, found, 1)
			require.Empty(s, missing)
			return
		}
		require.Empty(s, found)
		require.Len(s, missing, 1)
	})
}
