package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// tableWithIndexes describes a table with an index of each kind. The attribute v pads rows to the
// required size.
func tableWithIndexes() *dynamodb.CreateTableInput {
	return tableOf(
		"pk:S sk:S", ix{name: "lkeys", key: "pk:S x:S", local: true}, ix{name: "lall", key: "pk:S x:S", local: true, holds: "*"},
		ix{name: "gkeys", key: "g:S"}, ix{name: "gsome", key: "g:S", holds: "w"}, ix{name: "gall", key: "g:S", holds: "*"},
	)
}

// of returns a row of size bytes with the key a, b.
func of(size int, pairs ...any) attributes {
	r := row(append([]any{"pk", "a", "sk", "b", "v", ""}, pairs...)...)
	for name, v := range r {
		size -= len(name) + len(textOf(v))
	}
	r["v"] = letters(size)
	return r
}

// units are the consumed units of a reply: in total, of the table and of each index. An index that
// consumed nothing has no entry.
type units map[string]float64

func used(t testing.TB, c *types.ConsumedCapacity) units {
	t.Helper()
	require.NotNil(t, c)
	u := units{"": *c.CapacityUnits, "table": *c.Table.CapacityUnits}
	for name, index := range c.LocalSecondaryIndexes {
		u[name] = *index.CapacityUnits
	}
	for name, index := range c.GlobalSecondaryIndexes {
		u[name] = *index.CapacityUnits
	}
	return u
}

// sum sets the total to the sum of the parts.
func (u units) sum() units {
	for name, n := range u {
		if name != "" {
			u[""] += n
		}
	}
	return u
}

// writeCosts lists the cost of replacing a row by another; nil means no row.
var writeCosts = map[string]struct {
	old, new attributes
	want     units
}{
	"1 KB":                                {nil, of(1024), units{"table": 1}},
	"a byte more":                         {nil, of(1025), units{"table": 2}},
	"the smallest":                        {nil, of(10), units{"table": 1}},
	"larger than before":                  {of(100), of(3000), units{"table": 3}},
	"smaller than before":                 {of(3000), of(100), units{"table": 3}},
	"the same again":                      {of(2000, "g", "g", "x", "x"), of(2000, "g", "g", "x", "x"), units{"table": 2}},
	"deleted":                             {of(2000), nil, units{"table": 2}},
	"into the global ones":                {nil, of(2500, "g", "g"), units{"table": 3, "gkeys": 1, "gsome": 1, "gall": 3}},
	"into them later":                     {of(2500), of(2500, "g", "g"), units{"table": 3, "gkeys": 1, "gsome": 1, "gall": 3}},
	"out of them":                         {of(2500, "g", "g"), of(100), units{"table": 3, "gkeys": 1, "gsome": 1, "gall": 3}},
	"deleted from them":                   {of(2500, "g", "g"), nil, units{"table": 3, "gkeys": 1, "gsome": 1, "gall": 3}},
	"moved in them":                       {of(2500, "g", "g"), of(1500, "g", "h"), units{"table": 3, "gkeys": 2, "gsome": 2, "gall": 3 + 2}},
	"an attribute that one holds":         {of(2500, "g", "g"), of(1500, "g", "g"), units{"table": 3, "gall": 3}},
	"an attribute that two hold":          {of(2500, "g", "g", "w", "1"), of(2500, "g", "g", "w", "2"), units{"table": 3, "gsome": 1, "gall": 3}},
	"an attribute more that two hold":     {of(2500, "g", "g"), of(2500, "g", "g", "w", "2"), units{"table": 3, "gsome": 1, "gall": 3}},
	"into the local ones":                 {nil, of(2500, "x", "x"), units{"table": 3, "lkeys": 1, "lall": 3}},
	"out of them, locally":                {of(2500, "x", "x"), of(100), units{"table": 3, "lkeys": 1, "lall": 3}},
	"moved in them, locally":              {of(2500, "x", "x"), of(1500, "x", "y"), units{"table": 3, "lkeys": 2, "lall": 3 + 2}},
	"an attribute that a local one holds": {of(2500, "x", "x"), of(1500, "x", "x"), units{"table": 3, "lall": 3}},
	"in all of them": {
		of(900, "x", "x", "g", "g"), of(1100, "x", "y", "g", "h"), units{"table": 2, "lkeys": 2, "lall": 1 + 2, "gkeys": 2, "gsome": 2, "gall": 1 + 2},
	},
	"an entry of 1 KB":                {nil, of(3000, "g", "g", "w", letters(1024-9)), units{"table": 3, "gkeys": 1, "gsome": 1, "gall": 3}},
	"an entry of a byte more":         {nil, of(3000, "g", "g", "w", letters(1025-9)), units{"table": 3, "gkeys": 1, "gsome": 2, "gall": 3}},
	"an entry that shrinks":           {of(3000, "g", "g", "w", letters(1100)), of(3000, "g", "g", "w", "x"), units{"table": 3, "gsome": 2, "gall": 3}},
	"an entry that shrinks and moves": {of(3000, "g", "g", "w", letters(1100)), of(3000, "g", "h", "w", "x"), units{"table": 3, "gkeys": 2, "gsome": 3, "gall": 6}},
	"only what no global one holds":   {of(900, "g", "g", "x", "x"), of(900, "g", "g", "x", "y"), units{"table": 1, "lkeys": 2, "lall": 2, "gall": 1}},
}

// TestWriteCapacity checks that a write costs the larger size of the old and new row. Each index
// whose entry changes costs the same by its entry, and twice if the entry moves.
func TestWriteCapacity(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableWithIndexes(), func(s *session) {
		key := row("pk", "a", "sk", "b")
		for name, c := range writeCosts {
			want := units{}
			for index, n := range c.want {
				want[index] = n
			}
			want.sum()
			for by, write := range map[string]func() *types.ConsumedCapacity{"alone": s.replace(c.new), "in a batch": s.replaceInBatch(c.new)} {
				s.delete(key)
				if c.old != nil {
					s.put(c.old)
				}
				require.Equal(s, want, used(s, write()), "%s, %s", name, by)
			}
			if c.old != nil && c.new != nil {
				s.put(c.old)
				require.Equal(s, want, used(s, s.updateTo(c.old, c.new)), "%s, by an update", name)
			}
		}
	})
}

// replace puts a row, or deletes the existing one if r is nil.
func (s *session) replace(r attributes) func() *types.ConsumedCapacity {
	return func() *types.ConsumedCapacity {
		s.Helper()
		if r == nil {
			out, err := s.client.DeleteItem(s.Context(), &dynamodb.DeleteItemInput{
				TableName: &s.table, Key: row("pk", "a", "sk", "b"), ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
			})
			require.NoError(s, err)
			return out.ConsumedCapacity
		}
		out, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{
			TableName: &s.table, Item: r, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		})
		require.NoError(s, err)
		return out.ConsumedCapacity
	}
}

func (s *session) replaceInBatch(r attributes) func() *types.ConsumedCapacity {
	return func() *types.ConsumedCapacity {
		s.Helper()
		write := types.WriteRequest{PutRequest: &types.PutRequest{Item: r}}
		if r == nil {
			write = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: row("pk", "a", "sk", "b")}}
		}
		return s.batch(write)
	}
}

func (s *session) batch(writes ...types.WriteRequest) *types.ConsumedCapacity {
	s.Helper()
	out, err := s.client.BatchWriteItem(s.Context(), &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{s.table: writes}, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	require.NoError(s, err)
	require.Len(s, out.ConsumedCapacity, 1)
	return &out.ConsumedCapacity[0]
}

// updateTo changes one row to another with an update expression.
func (s *session) updateTo(old, r attributes) *types.ConsumedCapacity {
	s.Helper()
	set, remove, values := "SET v = :v", "", attributes{":v": r["v"]}
	for _, name := range []string{"w", "x", "g"} {
		switch {
		case r[name] != nil:
			set += ", " + name + " = :" + name
			values[":"+name] = r[name]
		case old[name] != nil:
			remove += " REMOVE " + name
		}
	}
	out, err := s.client.UpdateItem(s.Context(), &updateInput{
		TableName: &s.table, Key: row("pk", "a", "sk", "b"), UpdateExpression: aws.String(set + remove), ExpressionAttributeValues: values,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	require.NoError(s, err)
	require.Equal(s, r, s.get(row("pk", "a", "sk", "b")))
	return out.ConsumedCapacity
}

// TestUnchangedWriteCapacity checks that deleting a missing row costs one unit, and that a failed
// condition costs the size of the existing row. DynamoDB Local charges 0 for the former, and two in
// a batch.
func TestUnchangedWriteCapacity(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableWithIndexes())
	require.Equal(t, units{"table": 1}.sum(), used(t, s.replace(nil)()))
	require.Equal(t, units{"table": 1}.sum(), used(t, s.replaceInBatch(nil)()))
	s.put(of(2500, "g", "g", "x", "x"))
	db := ddbtest.Of(s.client)
	cost := db.Measure(func() {
		_, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &s.table, Key: row("pk", "a", "sk", "b"), ConditionExpression: aws.String("attribute_exists(nothing)"),
		})
		wantCode(t, "ConditionalCheckFailedException", err)
	})
	require.Equal(t, map[string]ddbtest.Units{s.table: {Write: 3}}, cost.Tables, "and nothing of an index")
}

// TestBatchCapacity checks that each part is rounded up separately.
func TestBatchCapacity(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableWithIndexes(), func(s *session) {
		s.put(row("pk", "c", "sk", "old", "v", letters(2000), "g", "g"), row("pk", "c", "sk", "same", "g", "g"))
		require.Equal(s, units{"table": 1 + 2 + 2 + 1, "gkeys": 1 + 1, "gsome": 1 + 1, "gall": 2 + 2}.sum(), used(s, s.batch(
			types.WriteRequest{PutRequest: &types.PutRequest{Item: row("pk", "c", "sk", "1")}},
			types.WriteRequest{PutRequest: &types.PutRequest{Item: row("pk", "c", "sk", "2", "v", letters(1500), "g", "g")}},
			types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: row("pk", "c", "sk", "old")}},
			types.WriteRequest{PutRequest: &types.PutRequest{Item: row("pk", "c", "sk", "same", "g", "g")}},
		)))
		read := func(strong bool, keys ...attributes) units {
			out, err := s.client.BatchGetItem(s.Context(), &dynamodb.BatchGetItemInput{
				RequestItems:           map[string]types.KeysAndAttributes{s.table: {Keys: keys, ConsistentRead: &strong}},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
			})
			require.NoError(s, err)
			return used(s, &out.ConsumedCapacity[0])
		}
		s.put(of(4097))
		two := []attributes{row("pk", "a", "sk", "b"), row("pk", "c", "sk", "1")}
		require.Equal(s, units{"table": 1 + 0.5}.sum(), read(false, two...))
		require.Equal(s, units{"table": 2 + 1}.sum(), read(true, two...))
		if !s.local { // DynamoDB Local charges nothing for missing items
			none := row("pk", "none", "sk", "none")
			require.Equal(s, units{"table": 1 + 0.5 + 0.5}.sum(), read(false, append(two, none)...))
			require.Equal(s, units{"table": 1}.sum(), read(true, none))
		}
	})
}

// TestGetCapacity checks that a strongly consistent read costs one unit per 4 KB, and an
// eventually consistent read half of it, whatever the projection.
func TestGetCapacity(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableWithIndexes(), func(s *session) {
		for size, want := range map[int]float64{10: 1, 4095: 1, 4096: 1, 4097: 2, 8192: 2, 8193: 3, 400 << 10 / 2: 50, 0: 1} {
			s.delete(row("pk", "a", "sk", "b"))
			if size > 0 {
				s.put(of(size))
			} else if s.local {
				continue // DynamoDB Local charges nothing for missing items
			}
			for _, projection := range []string{"", "sk"} {
				for strong, want := range map[bool]float64{true: want, false: want / 2} {
					out, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{
						TableName: &s.table, Key: row("pk", "a", "sk", "b"), ProjectionExpression: ptr(projection), ConsistentRead: &strong,
						ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
					})
					require.NoError(s, err)
					require.Equal(s, units{"table": want}.sum(), used(s, out.ConsumedCapacity), "%d bytes, strong %v", size, strong)
				}
			}
		}
	})
}

// TestPageCapacity checks that a page costs the sum of the sizes that it reads, rounded up once,
// before the filter and the projection. A page of an index costs the table nothing, unless it
// fetches rows. Each fetched row is rounded up separately.
func TestPageCapacity(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableWithIndexes(), func(s *session) {
		for _, sk := range []string{"1", "2", "3", "4", "5"} {
			r := of(1700, "x", "x", "g", "g")
			r["sk"] = text(sk)
			s.put(r) // 5 of them have 8,500 bytes: 3 units
		}
		query := func(index string) view {
			if index != "" && index[0] == 'g' {
				return view{index: index, key: "g = :g", values: row(":g", "g")}
			}
			return view{index: index, key: "pk = :a", values: row(":a", "a")}
		}
		cost := func(v view) units {
			s.Helper()
			p, err := s.page(v, nil)
			require.NoError(s, err)
			return used(s, p.used)
		}
		for _, strong := range []bool{true, false} {
			half := map[bool]float64{true: 1, false: 0.5}[strong]
			of := func(change func(*view), index string) units {
				s.Helper()
				v := query(index)
				v.strong = strong
				change(&v)
				return cost(v)
			}
			asIs := func(*view) {}
			table := func(n float64) units { return units{"table": n * half}.sum() }
			require.Equal(s, table(3), of(asIs, ""))
			require.Equal(s, table(3), of(func(v *view) { v.filter = "attribute_not_exists(v)" }, ""))
			require.Equal(s, table(3), of(func(v *view) { v.project = "sk" }, ""))
			require.Equal(s, table(3), of(func(v *view) { v.selects = types.SelectCount }, ""))
			require.Equal(s, table(3), of(func(v *view) { v.key, v.values = "", nil }, ""))
			require.Equal(s, table(1), of(func(v *view) { v.limit = 2 }, ""))
			require.Equal(s, table(2), of(func(v *view) { v.limit = 3 }, ""))
			require.Equal(s, units{"table": 0, "lall": 3 * half}.sum(), of(asIs, "lall"))
			require.Equal(s, units{"table": 0, "lkeys": 1 * half}.sum(), of(asIs, "lkeys"))
			require.Equal(s, units{"table": 5 * half, "lkeys": 1 * half}.sum(), of(func(v *view) { v.selects = types.SelectAllAttributes }, "lkeys"))
			require.Equal(s, units{"table": 5 * half, "lkeys": 1 * half}.sum(), of(func(v *view) { v.project = "v" }, "lkeys"))
			require.Equal(s, units{"table": 2 * half, "lkeys": 1 * half}.sum(), of(func(v *view) { v.project, v.limit = "v", 2 }, "lkeys"))
			if s.local {
				// DynamoDB Local charges nothing for empty pages, nor for the fetches of a scan
				continue
			}
			require.Equal(s, table(1), of(func(v *view) { v.key += " AND sk > :nine"; v.values[":nine"] = text("9") }, ""))
			require.Equal(s, units{"table": 0, "lall": 1 * half}.sum(), of(func(v *view) { v.values[":a"] = text("none") }, "lall"))
			require.Equal(s, units{"table": 0, "lkeys": 1 * half}.sum(), of(func(v *view) { v.project = "sk" }, "lkeys"))
			require.Equal(s, units{"table": 5 * half, "lkeys": 1 * half}.sum(), of(func(v *view) {
				v.key, v.values, v.selects = "", nil, types.SelectAllAttributes
			}, "lkeys"))
		}
		require.Equal(s, units{"table": 0, "gall": 1.5}.sum(), cost(query("gall")))
		require.Equal(s, units{"table": 0, "gkeys": 0.5}.sum(), cost(query("gkeys")))
		require.Equal(s, units{"table": 0, "gall": 1.5}.sum(), cost(view{index: "gall"}))
		if !s.local {
			require.Equal(s, units{"table": 0, "gall": 0.5}.sum(), cost(view{index: "gall", key: "g = :g", values: row(":g", "none")}))
		}
	})
}

// TestConsumedCapacity checks each mode: no cost, the total, or the parts.
func TestConsumedCapacity(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableWithIndexes(), func(s *session) {
		write := func(mode types.ReturnConsumedCapacity) *types.ConsumedCapacity {
			out, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: of(1500, "g", "g"), ReturnConsumedCapacity: mode})
			require.NoError(s, err)
			s.delete(row("pk", "a", "sk", "b"))
			return out.ConsumedCapacity
		}
		require.Nil(s, write(""))
		require.Nil(s, write(types.ReturnConsumedCapacityNone))
		require.Equal(s, &types.ConsumedCapacity{TableName: &s.table, CapacityUnits: aws.Float64(6)}, write(types.ReturnConsumedCapacityTotal))
		one, two := types.Capacity{CapacityUnits: aws.Float64(1)}, types.Capacity{CapacityUnits: aws.Float64(2)}
		require.Equal(s, &types.ConsumedCapacity{
			TableName: &s.table, CapacityUnits: aws.Float64(6), Table: &two,
			GlobalSecondaryIndexes: map[string]types.Capacity{"gkeys": one, "gsome": one, "gall": two},
		}, write(types.ReturnConsumedCapacityIndexes))
	})
}
