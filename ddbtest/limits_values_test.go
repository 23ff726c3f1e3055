package ddbtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// numbersAround returns numbers at a limit, or beyond it by over.
func numbersAround(over int) map[string]num {
	return map[string]num{
		"38 digits":                num(strings.Repeat("7", 38+over)),
		"38 digits, negative":      num("-" + strings.Repeat("7", 38+over)),
		"38 digits of a fraction":  num("0." + strings.Repeat("7", 38+over)),
		"38 digits, far apart":     num("1" + strings.Repeat("0", 36+over) + "1"),
		"38 digits on both sides":  num(strings.Repeat("7", 20) + "." + strings.Repeat("7", 18+over) + "000"),
		"the largest":              num(fmt.Sprint("9.", strings.Repeat("9", 37), "E+", 125+over)),
		"the least":                num(fmt.Sprint("-9.", strings.Repeat("9", 37), "E+", 125+over)),
		"the closest to 0":         num(fmt.Sprint("1E-", 130+over)),
		"the closest to 0, below":  num(fmt.Sprint("-1E-", 130+over)),
		"the largest, all written": num("1" + strings.Repeat("0", 125+over)),
	}
}

// TestNumberLimits covers attributes, nested values, sets, keys and expressions.
func TestNumberLimits(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S", ix{name: "byNumber", key: "x:N"}), func(s *session) {
		s.create(named("keyed", tableOf("pk:N")))
		for _, over := range s.around() {
			for kind, n := range numbersAround(over) {
				for name, write := range writers {
					for place, v := range map[string]any{"x": n, "a list": []any{n}, "a map": map[string]any{"n": []any{n}}, "a set": nums{"1", string(n)}} {
						if s.local && place != "x" && name != "PutItem" {
							continue // it is slow
						}
						requireLimit(s.T, over, write(s.Context(), s.client, "rows", row("pk", "a", place, v), "pk"), name, kind, place)
					}
					requireLimit(s.T, over, write(s.Context(), s.client, "keyed", row("pk", n), "pk"), name, kind, "a key")
				}
				for name, use := range keyRequests {
					requireLimit(s.T, over, use(s.Context(), s.client, "keyed", row("pk", n)), name, kind)
				}
				for name, speaker := range expressionRequests {
					if speaker.kind != conditions {
						continue
					}
					s.table = "rows"
					requireLimit(s.T, over, speaker.send(s, expressionText{"a <> :v", nil, row(":v", n)}), name, kind)
				}
			}
		}
		for _, same := range []num{num(strings.Repeat("7", 38) + "000"), num("000" + strings.Repeat("7", 38)), num("7." + strings.Repeat("0", 60))} {
			require.NoError(s, writers["PutItem"](s.Context(), s.client, "rows", row("pk", "a", "x", same)), "zeroes at the ends are no digits: %s", same)
		}
	})
}

// TestEmptySets covers all positions. Other values may be empty.
func TestEmptySets(t *testing.T) {
	t.Parallel()
	set := func(n int) map[string]any {
		members := []string{"1", "2"}[:n]
		return map[string]any{
			"SS": texts(members), "NS": nums(members), "BS": types.AttributeValue(&types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}[:n]}),
		}
	}
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		for n := range 3 {
			for kind, v := range set(n) {
				over := 1 - n
				for name, write := range writers {
					for place, v := range map[string]any{"top": v, "list": []any{v}, "map": map[string]any{"s": []any{v}}} {
						requireLimit(s.T, over, write(s.Context(), s.client, s.table, row("pk", "a", "x", v), "pk"), name, kind, place)
					}
				}
				for name, speaker := range expressionRequests {
					if speaker.kind == conditions {
						requireLimit(s.T, over, speaker.send(s, expressionText{"a <> :v", nil, row(":v", v)}), name, kind)
					}
				}
			}
		}
		empty := row("pk", "a", "s", "", "b", []byte{}, "l", []any{"", []byte{}, []any{}, map[string]any{}}, "m", map[string]any{"s": "", "m": map[string]any{}})
		for name, write := range writers {
			s.delete(row("pk", "a")) // an update would keep the previous attributes
			require.NoError(s, write(s.Context(), s.client, s.table, empty, "pk"), name)
			require.Equal(s, empty, s.get(row("pk", "a")), name)
		}
	})
}

func TestDeleteLastSetMember(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		key := row("pk", "a")
		s.put(row("pk", "a", "t", texts{"x", "y"}, "n", nums{"1"}))
		require.NoError(s, s.update(key, "DELETE t :t, n :n", ":t", texts{"x", "z"}, ":n", nums{"1.0", "2"}))
		require.Equal(s, row("pk", "a", "t", texts{"y"}), s.get(key))
		require.NoError(s, s.transact(types.TransactWriteItem{Update: &types.Update{
			TableName: &s.table, Key: key, UpdateExpression: ptr("DELETE t :t"), ExpressionAttributeValues: row(":t", texts{"x", "y"}),
		}}))
		require.Equal(s, key, s.get(key))
	})
}

func TestDuplicateSetMembers(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		for kind, v := range map[string]any{
			"SS": texts{"x", "y", "x"}, "NS": nums{"1", "2", "1"}, "BS": types.AttributeValue(&types.AttributeValueMemberBS{Value: [][]byte{{1}, {1}}}),
		} {
			for name, write := range writers {
				for place, v := range map[string]any{"top": v, "list": []any{v}, "map": map[string]any{"s": v}} {
					requireLimit(s.T, 1, write(s.Context(), s.client, s.table, row("pk", "a", "x", v), "pk"), name, kind, place)
				}
			}
		}
		require.Empty(s, s.all(view{}))
	})
}
