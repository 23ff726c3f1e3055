package ddbtest_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// sized returns a row of exactly size bytes. All rows are in one partition of an index on g.
func sized(pk string, sk, size int) attributes {
	r := row("pk", pk, "sk", fmt.Sprintf("%03d", sk), "x", "", "g", "g")
	for name, v := range r {
		size -= len(name) + len(textOf(v))
	}
	r["x"] = letters(size)
	return r
}

func (s *session) putSized(pk string, n, size int) {
	s.Helper()
	rows := make([]attributes, n)
	for i := range rows {
		rows[i] = sized(pk, i, size)
	}
	s.put(rows...)
}

func counts(pages []page) (list []int) {
	for _, p := range pages {
		list = append(list, p.count)
	}
	return list
}

func sizedTable(indexes ...ix) *dynamodb.CreateTableInput {
	return tableOf("pk:S sk:S", append(indexes, ix{name: "global", key: "g:S sk:S", holds: "*"})...)
}

// TestPageEndsAt1MB also checks that the page has a LastEvaluatedKey if rows
// follow.
func TestPageEndsAt1MB(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	onEveryEngine(t, sizedTable(), func(s *session) {
		for i, c := range []struct {
			size, rows int
			pages      []int
		}{
			{64<<10 - 1, 18, []int{17, 1}},
			{64 << 10, 18, []int{16, 2}},
			{64<<10 + 1, 17, []int{16, 1}},
			{64 << 10, 16, []int{16}},
			{400 << 10, 7, []int{3, 3, 1}},
		} {
			table := sizedTable()
			table.TableName = aws.String(fmt.Sprint("table", i))
			s.create(table)
			s.putSized("a", c.rows, c.size)
			for name, v := range viewsOfAll(c.rows) {
				require.Equal(s, c.pages, counts(s.pages(v)), "%d rows of %d bytes, %s", c.rows, c.size, name)
			}
		}
	})
}

// viewsOfAll returns views of all n rows of partition a.
func viewsOfAll(n int) map[string]view {
	query := view{key: "pk = :pk", values: row(":pk", "a")}
	backward, shorter, counted, limited := query, query, query, query
	backward.backward = true
	shorter.project = "sk"
	counted.selects = types.SelectCount
	limited.limit = int32(n + 1)
	return map[string]view{
		"query": query, "backward": backward, "shorter": shorter, "counted": counted, "limited": limited,
		"bounded": {key: "pk = :pk AND sk <= :last", values: row(":pk", "a", ":last", fmt.Sprintf("%03d", n-1))},
		"index":   {key: "g = :g", values: row(":g", "g"), index: "global"},
		"scan":    {}, "scan of an index": {index: "global"},
	}
}

// TestPageSizeIgnoresFilter checks that the size before the filter limits a page. DynamoDB
// Local reads until 1 MB has passed the filter.
func TestPageSizeIgnoresFilter(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, sizedTable())
	s.putSized("a", 18, 64<<10)
	for _, v := range []view{{key: "pk = :pk", values: row(":pk", "a")}, {key: "g = :g", values: row(":g", "g"), index: "global"}, {}} {
		v.filter = "attribute_not_exists(x)"
		if v.index != "" {
			v.filter = "begins_with(pk, x)"
		}
		pages := s.pages(v)
		require.Equal(t, []int{0, 0}, counts(pages))
		require.Equal(t, []int{16, 2}, []int{pages[0].scanned, pages[1].scanned})
		require.NotNil(t, pages[0].last, "an empty page with a key")
	}
}

// TestIndexPageSize also counts the rows that are fetched for the entries,
// each rounded up to 4 KB. DynamoDB Local counts whole rows.
func TestIndexPageSize(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, sizedTable(ix{name: "local", key: "pk:S g:S", local: true}, ix{name: "keys", key: "g:S"}))
	s.putSized("a", 35, 63<<10)
	require.Equal(t, []int{35}, counts(s.pages(view{key: "g = :g", values: row(":g", "g"), index: "keys"})))
	require.Equal(t, []int{35}, counts(s.pages(view{index: "keys"})))
	local := view{key: "pk = :pk", values: row(":pk", "a"), index: "local"}
	require.Equal(t, []int{35}, counts(s.pages(local)))
	local.selects = types.SelectAllAttributes
	require.Equal(t, []int{16, 16, 3}, counts(s.pages(local)), "16 are 1,028 KB with their entries, and 15 are 964")
	require.Equal(t, []int{16, 16, 3}, counts(s.pages(view{index: "local", selects: types.SelectAllAttributes})))
	local = view{key: "pk = :pk", values: row(":pk", "a"), index: "local", project: "x"}
	require.Equal(t, []int{16, 16, 3}, counts(s.pages(local)))
}

// TestLastEvaluatedKeyAtLimit checks that such a page has a LastEvaluatedKey even if nothing
// follows. The next page is empty then.
func TestLastEvaluatedKeyAtLimit(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, sizedTable(ix{name: "local", key: "pk:S g:S", local: true, holds: "*"}), func(s *session) {
		s.putSized("a", 4, 100)
		s.putSized("b", 4, 100)
		pk := row(":pk", "a")
		for _, c := range []struct {
			view view
			n    int
		}{
			{view{key: "pk = :pk", values: pk}, 4},
			{view{key: "pk = :pk", values: pk, backward: true}, 4},
			{view{key: "pk = :pk", values: pk, index: "local"}, 4},
			{view{key: "pk = :pk AND sk = :sk", values: row(":pk", "a", ":sk", "002")}, 1},
			{view{key: "pk = :pk AND sk < :sk", values: row(":pk", "a", ":sk", "002")}, 2},
			{view{key: "pk = :pk AND sk > :sk", values: row(":pk", "a", ":sk", "001")}, 2},
			{view{key: "g = :g AND sk < :sk", values: row(":g", "g", ":sk", "002"), index: "global"}, 4},
			{view{}, 8},
			{view{index: "global"}, 8},
			{view{index: "local"}, 8},
			{view{segments: 1}, 8},
		} {
			for limit := max(1, c.n-1); limit <= c.n+1; limit++ {
				c.view.limit = int32(limit)
				var want []int
				for range c.n / limit {
					want = append(want, limit)
				}
				require.Equal(s, append(want, c.n%limit), counts(s.pages(c.view)), "%q in pages of %d", c.view.key, limit)
			}
		}
	})
}

// TestLastEvaluatedKeyAtEndOfRange checks the same for a range. DynamoDB Local returns no key if
// the last row read is at the bound of the range, and so loses index rows at the same position.
func TestLastEvaluatedKeyAtEndOfRange(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, sizedTable())
	s.putSized("a", 4, 100)
	for _, v := range []view{
		{key: "pk = :pk AND sk <= :sk", values: row(":pk", "a", ":sk", "001")},
		{key: "pk = :pk AND sk >= :sk", values: row(":pk", "a", ":sk", "002"), backward: true},
		{key: "pk = :pk AND sk BETWEEN :zero AND :sk", values: row(":pk", "a", ":zero", "000", ":sk", "001")},
	} {
		v.limit = 2
		require.Equal(t, []int{2, 0}, counts(s.pages(v)), v.key)
	}
	s.putSized("b", 4, 100)
	same := view{key: "g = :g AND sk <= :sk", values: row(":g", "g", ":sk", "001"), index: "global", limit: 3}
	require.Equal(t, []int{3, 1}, counts(s.pages(same)), "two rows are at the bound")
}

// TestBatchGetItemEndsAt16MB checks that the rest is returned as unprocessed.
func TestBatchGetItemEndsAt16MB(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	onEveryEngine(t, tableOf("pk:S sk:S"), func(s *session) {
		for i, c := range []struct{ size, rows, read int }{
			{256 << 10, 65, 64},
			{256<<10 + 1, 65, 63},
		} {
			var keys []attributes
			for j := range c.rows {
				r := sized(fmt.Sprintf("%d %03d", i, j), j, c.size)
				s.put(r)
				keys = append(keys, attributes{"pk": r["pk"], "sk": r["sk"]})
			}
			for _, want := range []int{c.read, c.rows - c.read} {
				out, err := s.client.BatchGetItem(s.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
					s.table: {Keys: keys, ProjectionExpression: aws.String("pk")},
				}})
				require.NoError(s, err)
				require.Len(s, out.Responses[s.table], want, "%d rows of %d bytes", c.rows, c.size)
				require.Len(s, out.UnprocessedKeys[s.table].Keys, len(keys)-want)
				keys = out.UnprocessedKeys[s.table].Keys
			}
		}
	})
}

// TestItemSizeIncludesLocalIndexes checks the limit of 400 KB for every kind of
// write. DynamoDB Local does not apply it to updates.
func TestItemSizeIncludesLocalIndexes(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, sizedTable(ix{name: "whole", key: "pk:S g:S", local: true, holds: "*"}, ix{name: "keys", key: "pk:S g:S", local: true}))
	entry := len("pk") + 1 + len("sk") + len("000") + len("g") + 1
	most := (400<<10 - entry) / 2
	for name, write := range map[string]func(attributes) error{
		"PutItem": func(r attributes) error {
			_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: r})
			return err
		},
		"UpdateItem": func(r attributes) error {
			return s.update(attributes{"pk": r["pk"], "sk": r["sk"]}, "SET x = :x, g = :g", ":x", r["x"], ":g", r["g"])
		},
		"BatchWriteItem": func(r attributes) error {
			_, err := s.client.BatchWriteItem(s.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
				s.table: {{PutRequest: &types.PutRequest{Item: r}}},
			}})
			return err
		},
		"TransactWriteItems": func(r attributes) error {
			_, err := s.client.TransactWriteItems(s.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: &s.table, Item: r}},
			}})
			return err
		},
	} {
		require.NoError(t, write(sized("a", 0, most)), name)
		require.Error(t, write(sized("b", 0, most+1)), name)
		require.Empty(t, s.get(row("pk", "b", "sk", "000")), name)
		outside := sized("c", 0, 400<<10)
		outside["h"] = outside["g"]
		delete(outside, "g")
		if name != "UpdateItem" {
			require.NoError(t, write(outside), "%s of what is in neither index", name)
		}
	}
}
