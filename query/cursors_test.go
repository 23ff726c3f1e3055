package query_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// entry has a field of each key type for the partition key and for the sort key.
type entry struct {
	PS  string `dynamodbav:"ps"`
	PN  int64  `dynamodbav:"pn"`
	PB  []byte `dynamodbav:"pb"`
	SS  string `dynamodbav:"ss"`
	SN  int64  `dynamodbav:"sn"`
	SB  []byte `dynamodbav:"sb"`
	ID  int    `dynamodbav:"id"`
	Dup int    `dynamodbav:"dup"` // not unique
	Odd bool   `dynamodbav:"odd"`
}

var entryOdd = attr.Must(func(e *entry) *bool { return &e.Odd })

// hardTable is a table with plain key attributes of the given types. It has an index of every kind,
// with repeated keys.
type hardTable struct {
	partition, sort string // S, N or B
	schema          *entity.Schema
	entries         *entity.Type[entry]
}

// hardPaths are the table and the indexes of a hardTable.
var hardPaths = []string{"", "global", "local", "swapped", "several"}

func newHardTable(t *testing.T, partition, sort string) hardTable {
	t.Helper()
	of := func(kind, name string) entity.Attribute {
		return map[string]func(string) entity.Attribute{"S": entity.S, "N": entity.N, "B": entity.B}[kind](name)
	}
	pk, sk := of(partition, "pk"), of(sort, "sk")
	l := hardTable{partition: partition, sort: sort, schema: entity.NewSchema(entity.Config{Partition: pk, Sort: sk, Indexes: []entity.IndexConfig{
		{Name: "Global", Partition: []entity.Attribute{entity.S("GPK")}, Sort: []entity.Attribute{entity.N("dup")}},
		{Name: "Local", Kind: entity.LocalIndex, Sort: []entity.Attribute{entity.N("dup")}},
		{Name: "Swapped", Partition: []entity.Attribute{sk}, Sort: []entity.Attribute{pk}},
		{Name: "Several", Partition: []entity.Attribute{pk, entity.N("dup")}, Sort: []entity.Attribute{sk}},
	}})}
	l.entries = entity.DefineSpec[entry](l.schema, entity.Spec{
		Type: "entry", Key: entity.KeySpec{PK: "<p" + strings.ToLower(partition) + ">", SK: "<s" + strings.ToLower(sort) + ">"},
		Indexes: []entity.IndexSpec{
			{Name: "global", On: "Global", PK: "ALL"}, {Name: "local", On: "Local"}, {Name: "swapped", On: "Swapped"}, {Name: "several", On: "Several"},
		},
	})
	require.NoError(t, l.schema.Err())
	return l
}

// Values of each type that are easily corrupted: adjacent numbers beyond the precision of a
// float64, bytes that are not UTF-8, and texts with extreme characters.
var (
	hardTexts   = []string{"\x00", "\x01", "!", "#", "$", "a", "a#", "a\x00", "é", "\uffff", "\U0010ffff", "9007199254740993"}
	hardNumbers = []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 2, math.MaxInt64 - 2, math.MaxInt64 - 1, math.MaxInt64}
	hardBytes   = [][]byte{{0}, {0, 0}, {0, 1}, {1}, {'"'}, {'\n'}, {0x7f}, {0x80}, {0xc3, 0x28}, {0xff}, {0xff, 0}, {0xff, 0xff}}
)

// rows returns the entries of the table: 3 partitions of 12 entries.
func (l hardTable) rows() (all []entry) {
	for p := range 3 {
		for i := range hardTexts {
			all = append(all, entry{
				PS: hardTexts[p+1], PN: hardNumbers[p+6], PB: hardBytes[p+7], SS: hardTexts[i], SN: hardNumbers[i], SB: hardBytes[i],
				ID: 100*p + i, Dup: i % 2, Odd: i%3 == 1,
			})
		}
	}
	return all
}

func (l hardTable) fill(t *testing.T, client *dynamodb.Client, name string, options ...entity.TableOption) *entity.Repo[entry] {
	t.Helper()
	table, err := l.schema.Open(client, name, options...)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	repo := l.entries.In(table)
	for _, e := range l.rows() {
		require.NoError(t, repo.Create(t.Context(), &e))
	}
	return repo
}

// read returns a query of a path for the partition of an entry, and the entries that it must find.
func (l hardTable) read(repo *entity.Repo[entry], path string, like entry) (query.Query[entry], func(entry) bool) {
	in := map[string]entry{"S": {PS: like.PS}, "N": {PN: like.PN}, "B": {PB: like.PB}}[l.partition]
	same := func(e entry) bool { return e.ID/100 == like.ID/100 }
	switch path {
	case "":
		return query.Of(repo, in), same
	case "global":
		return query.On(repo, path, entry{}), func(entry) bool { return true }
	case "swapped":
		in := map[string]entry{"S": {SS: like.SS}, "N": {SN: like.SN}, "B": {SB: like.SB}}[l.sort]
		return query.On(repo, path, in), func(e entry) bool { return e.ID%100 == like.ID%100 }
	case "several":
		in.Dup = like.Dup
		return query.On(repo, path, in), func(e entry) bool { return same(e) && e.Dup == like.Dup }
	}
	return query.On(repo, path, in), same
}

// before reports whether a may come before b in a path.
func (l hardTable) before(path string, a, b entry) bool {
	sort := map[string]int{"S": strings.Compare(a.SS, b.SS), "N": compareTyped(a.SN, b.SN), "B": bytes.Compare(a.SB, b.SB)}[l.sort]
	partition := map[string]int{"S": strings.Compare(a.PS, b.PS), "N": compareTyped(a.PN, b.PN), "B": bytes.Compare(a.PB, b.PB)}[l.partition]
	switch path {
	case "global", "local":
		return a.Dup <= b.Dup
	case "swapped":
		return partition <= 0
	}
	return sort <= 0
}

// cursorKey returns the cursor key with number n.
func cursorKey(n byte) entity.CursorKey { return entity.NewCursorKey([32]byte{n}) }

var ring = entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}}

// Paging returns every item once and in order. This holds for keys of all types, for repeated index
// keys, for pages of any size, and with limits and filters. Cursors cause no additional requests.
func TestCursorsOfEveryKey(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		for _, partition := range []string{"S", "N", "B"} {
			for _, sort := range []string{"S", "N", "B"} {
				l := newHardTable(t, partition, sort)
				repo := l.fill(t, client, "ledger-"+partition+sort, pick(r, entity.Cursors(ring), entity.PlainCursors()))
				for _, path := range hardPaths {
					for n := range 4 {
						l.pageThrough(t, repo, path, n, r)
					}
				}
			}
		}
		if db := ddbtest.Of(client); db != nil {
			require.Zero(t, db.Cost().Total("GetItem", "Scan", "ListTables"))
			require.Equal(t, 9, db.Cost().Total("DescribeTable"), "one by each Create, none by a page")
		}
	})
}

// pageThrough reads a path to its end in pages of random sizes. n selects the direction and the
// filter.
func (l hardTable) pageThrough(t *testing.T, repo *entity.Repo[entry], path string, n int, r *rand.Rand) {
	t.Helper()
	rows := l.rows()
	base, finds := l.read(repo, path, pick(r, rows...))
	desc := n&1 == 1
	if desc {
		base = base.Desc()
	}
	filtered := n&2 == 2
	if filtered {
		base = base.Filter(entryOdd.Eq(true))
	}
	want := map[int]bool{}
	for _, e := range rows {
		if finds(e) && (e.Odd || !filtered) {
			want[e.ID] = true
		}
	}
	var got []entry
	for cursor := ""; ; {
		q := base.Limit(1 + r.IntN(4))
		if r.IntN(2) == 0 {
			q = q.PageSize(1 + r.IntN(6))
		}
		page, err := q.Page(t.Context(), cursor)
		require.NoError(t, err)
		got = append(got, page.Items...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	about := fmt.Sprintf("%s%s %q desc %t filtered %t", l.partition, l.sort, path, desc, filtered)
	for i, e := range got {
		require.True(t, want[e.ID], "%s: %d", about, e.ID)
		delete(want, e.ID)
		if i == 0 {
			continue
		}
		first, second := got[i-1], e
		if desc {
			first, second = second, first
		}
		require.True(t, l.before(path, first, second), "%s: %d and %d", about, first.ID, second.ID)
	}
	require.Empty(t, want, about)
}

// A cursor keeps all 38 digits of a number, in the key of the table and of an index. The test uses
// a pair of numbers that differ in the last digit.
func TestCursorsKeepEveryDigit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		schema := entity.NewSchema(entity.Config{
			Sort:    entity.N("SK"),
			Indexes: []entity.IndexConfig{{Name: "Numbers", Partition: []entity.Attribute{entity.S("XPK")}, Sort: []entity.Attribute{entity.N("XSK")}}},
		})
		type counter struct {
			ID string `dynamodbav:"id"`
			N  int64  `dynamodbav:"n"`
		}
		counters := entity.DefineSpec[counter](schema, entity.Spec{
			Type: "counter", Key: entity.KeySpec{PK: "C#<id>", SK: "<n>"}, Indexes: []entity.IndexSpec{{Name: "x", On: "Numbers", PK: "X#<id>", SK: "<n>"}},
		})
		name := "counters"
		table, err := schema.Open(client, name, entity.Cursors(ring))
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		const digits = "1234567890123456789012345678901234567"
		numbers := []string{
			"-" + digits + "9", "-" + digits + "8", "-0.1", "0", "0.0" + digits + "1", "0.0" + digits + "2", "9007199254740992", "9007199254740993",
			digits + "8", digits + "9",
		}
		for _, n := range numbers {
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: map[string]types.AttributeValue{
				"PK": &types.AttributeValueMemberS{Value: "C#1"}, "XPK": &types.AttributeValueMemberS{Value: "X#1"},
				"SK": &types.AttributeValueMemberN{Value: n}, "XSK": &types.AttributeValueMemberN{Value: n},
				"_type": &types.AttributeValueMemberS{Value: "foreign"},
			}})
			require.NoError(t, err)
		}
		repo := counters.In(table)
		for _, q := range []query.Query[counter]{query.Of(repo, counter{ID: "1"}), query.On(repo, "x", counter{ID: "1"})} {
			for limit := 1; limit < 4; limit++ {
				var got []string
				for cursor := ""; ; {
					page, err := q.Limit(limit).Collection().Page(t.Context(), cursor)
					require.NoError(t, err)
					for _, item := range page.Items {
						n, _ := item.(entity.Raw).Item["SK"].(*types.AttributeValueMemberN)
						got = append(got, n.Value)
					}
					if cursor = page.Next; cursor == "" {
						break
					}
				}
				require.Equal(t, numbers, got)
			}
		}
	})
}
