package page

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

// newRand returns a random source and logs its seed.
func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

const tableName = "rows"

// The attributes of the test table.
var (
	pk = store.KeyAttribute{Name: "pk", Kind: value.KindString}
	sk = store.KeyAttribute{Name: "sk", Kind: value.KindNumber}
	a  = store.KeyAttribute{Name: "a", Kind: value.KindString}
	b  = store.KeyAttribute{Name: "b", Kind: value.KindBinary}
)

func key(partition []store.KeyAttribute, sort ...store.KeyAttribute) store.KeySchema {
	return store.KeySchema{Partition: partition, Sort: sort}
}

func only(attributes ...store.KeyAttribute) []store.KeyAttribute { return attributes }

// sources are the keys of the table and its indexes, by index name; "" is the table itself.
var sources = map[string]store.KeySchema{
	"":        key(only(pk), sk),
	"local":   key(only(pk), a),
	"byText":  key(only(a)),
	"byBytes": key(only(a), b),
	"several": key(only(a, b), sk, pk),
	"turned":  key(only(sk), pk),
}

// newDB returns a database with the test table.
func newDB(t *testing.T, rows ...value.Map) *store.DB {
	t.Helper()
	db := store.NewDB(new(clock.Clock))
	require.NoError(t, db.Update(func(s *store.State) error {
		table := &store.Table{Name: tableName, Key: sources[""]}
		s.AddTable(table)
		for name, schema := range sources {
			if name != "" {
				table.AddIndex(&store.Index{Name: name, Local: name == "local", Key: schema, Projection: store.Projection{Type: "ALL"}})
			}
		}
		for _, r := range rows {
			s.Put(table, r)
		}
		return nil
	}))
	return db
}

func remove(t *testing.T, db *store.DB, key value.Map) {
	t.Helper()
	require.NoError(t, db.Update(func(s *store.State) error {
		s.Delete(s.Tables[tableName], key)
		return nil
	}))
}

func call(db *store.DB, steer engine.Overrides) *engine.Call {
	return &engine.Call{DB: db, Config: &engine.Config{}, Overrides: steer}
}

func number(text string) value.Number {
	n, err := decimal.Parse(text)
	if err != nil {
		return value.Number{}
	}
	return value.Number{Decimal: n}
}

func row(pk, sk string, more ...value.Attribute) value.Map {
	return value.MapOf(append(more, value.Attribute{Name: "pk", Value: value.String(pk)}, value.Attribute{Name: "sk", Value: number(sk)})...)
}

// randomValue returns one of few values of a kind. Many of them share a prefix or are close to each
// other.
func randomValue(r *rand.Rand, kind value.Kind) value.Value {
	switch kind {
	case value.KindNumber:
		return number([]string{
			"-1E125", "-10", "-9.5", "-1E-130", "0", "1E-130", "0.5", "1", "1.00000000000000000000000000000000000001", "2", "9", "10", "99", "100", "1E125",
		}[r.IntN(15)])
	case value.KindBinary:
		return value.Binary([]string{"\x00", "\x00\x00", "\x00\x01", "\x00\xff", "\x01", "a", "a\x00", "\xff", "\xff\xff"}[r.IntN(9)])
	default:
		return value.String([]string{"\x00", "a", "a\x00", "a\x00b", "a\x01", "aa", "ab", "b", "é", "\U0010FFFF"}[r.IntN(10)])
	}
}

// randomRows returns rows with different keys. Most of them have the key attributes of the indexes.
func randomRows(r *rand.Rand, n int) []value.Map {
	rows := make([]value.Map, 0, n)
	met := map[string]bool{}
	for range n {
		key := value.MapOf(value.Attribute{Name: "pk", Value: randomValue(r, pk.Kind)}, value.Attribute{Name: "sk", Value: randomValue(r, sk.Kind)})
		if r.IntN(2) == 0 {
			key = key.With("pk", value.String("a"))
		}
		place := sources[""].Place(key)
		if met[place] {
			continue
		}
		met[place] = true
		key = key.With("id", value.String(fmt.Sprint(len(rows)))).With("odd", value.Bool(len(rows)%2 == 1))
		for _, attribute := range []store.KeyAttribute{a, b} {
			if r.IntN(8) > 0 {
				key = key.With(attribute.Name, randomValue(r, attribute.Kind))
			}
		}
		rows = append(rows, key)
	}
	return rows
}

// ids returns the names of rows.
func ids(rows []value.Map) []string {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = string(r.Get("id").(value.String))
	}
	return list
}

func pointer[T any](v T) *T { return &v }

// testQuery is a query or a scan.
type testQuery struct {
	index     string
	condition string // "" is a scan
	values    map[string]value.Value
	backward  bool
	filter    string
	limit     int64
}

func (q testQuery) run(c *engine.Call, start value.Map) (*api.PageOutput, error) {
	values := map[string]value.Value{}
	for name, v := range q.values {
		values[name] = v
	}
	var index, filter *string
	var limit *int64
	if q.index != "" {
		index = &q.index
	}
	if q.filter != "" {
		filter = &q.filter
	}
	if q.limit > 0 {
		limit = &q.limit
	}
	if q.condition == "" {
		in := &api.ScanInput{TableName: tableName, IndexName: index, FilterExpression: filter, Limit: limit, ExclusiveStartKey: start}
		if len(values) > 0 {
			in.ExpressionAttributeValues = values
		}
		return Scan(c, in)
	}
	in := &api.QueryInput{
		TableName: tableName, IndexName: index, KeyConditionExpression: &q.condition, FilterExpression: filter, Limit: limit, ExclusiveStartKey: start,
		ScanIndexForward: pointer(!q.backward),
	}
	in.ExpressionAttributeValues = values
	return Query(c, in)
}

// requireServiceError checks the message of a ValidationException.
func requireServiceError(t *testing.T, message string, err error) {
	t.Helper()
	var refusal *awserr.Error
	require.ErrorAs(t, err, &refusal, message)
	require.Equal(t, awserr.CodeValidation, refusal.Code)
	require.Equal(t, message, refusal.Message)
}

func scanInput(index *string, segment, total int64, start value.Map) *api.ScanInput {
	return &api.ScanInput{TableName: tableName, IndexName: index, Segment: &segment, TotalSegments: &total, Limit: pointer(int64(7)), ExclusiveStartKey: start}
}
