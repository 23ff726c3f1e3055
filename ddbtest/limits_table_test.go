package ddbtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// tablesAround returns tables at a limit, or beyond it by over, with the key pk and sk.
func tablesAround(over int) map[string]*dynamodb.CreateTableInput {
	const keys = "pk:S sk:S"
	many := func(n int, of ix) []ix {
		list := make([]ix, n)
		for i := range list {
			list[i] = of
			list[i].name = fmt.Sprint("index", i)
		}
		return list
	}
	attributes := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("a", i)
		}
		return strings.Join(list, " ")
	}
	projecting := many(20, ix{key: "sk:S", holds: attributes(5)})
	projecting[7].holds = attributes(5 + over)
	several := "a:S b:N c:B d:S e:S "[:4*(4+over)]
	long := strings.Repeat("n", 255+over)
	return map[string]*dynamodb.CreateTableInput{
		"5 local indexes":                   tableOf(keys, many(5+over, ix{key: "pk:S x:N", local: true})...),
		"20 global indexes":                 tableOf(keys, many(20+over, ix{key: "x:N"})...),
		"100 projected attributes":          tableOf(keys, projecting...),
		"4 partition attributes":            tableOf(keys, ix{name: "global", key: several + "| f:S"}),
		"4 sort attributes":                 tableOf(keys, ix{name: "global", key: "f:S | " + several}),
		"255 bytes of a table's name":       named(long, tableOf(keys)),
		"3 bytes of a table's name":         named("abcd"[:3-over], tableOf(keys)),
		"255 bytes of an index's name":      tableOf(keys, ix{name: long, key: "x:N"}),
		"255 bytes of a local index's name": tableOf(keys, ix{name: long, key: "pk:S x:N", local: true}),
		"3 bytes of an index's name":        tableOf(keys, ix{name: "abcd"[:3-over], key: "x:N"}),
		"255 bytes of a key's name":         tableOf(long + ":S"),
		"255 bytes of an index key's name":  tableOf(keys, ix{name: "global", key: long + ":S"}),
		"255 bytes of a projected name":     tableOf(keys, ix{name: "global", key: "x:N", holds: long}),
		"255 bytes of a name, locally":      tableOf(keys, ix{name: "local", key: "pk:S " + long + ":S", local: true}),
		"255 bytes projected, locally":      tableOf(keys, ix{name: "local", key: "pk:S x:N", local: true, holds: long}),
	}
}

func TestTableLimits(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, named("first", tableOf("pk:S")), func(s *session) {
		for _, over := range s.around() {
			for limit, in := range tablesAround(over) {
				_, err := s.client.CreateTable(s.Context(), in)
				requireLimit(s.T, over, err, limit)
				if err == nil {
					_, err = s.client.DeleteTable(s.Context(), &dynamodb.DeleteTableInput{TableName: in.TableName})
					require.NoError(s, err)
				}
			}
		}
	})
}
