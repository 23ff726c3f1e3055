package query_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// interview runs every read that the types of a schema support, and records the requests.
type interview struct {
	raw    bool
	table  *entity.Table
	client *recorder
	keyed  []keySchema       // of the table, then of its indexes
	wire   map[string]string // the types of key attributes

	residents map[partition][]resident
	reads     []collected
	sent      []patternRow
	told      map[[2]string][]explanation // by pattern and index
	texts     map[string]texts            // the texts in the keys of a type, by pattern
}

// partition is a partition of the table or of an index, identified by its key condition.
type partition struct{ index, key string }

// resident is a type that has an item in a partition.
type resident struct {
	name  string
	texts texts
}

// collected is a partition that was read with all its types.
type collected struct {
	partition
	told []explanation
}

// recorder is a client without items that records the last query.
type recorder struct {
	trestle.Client
	query *dynamodb.QueryInput
}

func (r *recorder) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	r.query = in
	return &dynamodb.QueryOutput{}, nil
}

// keySchema is the key schema of the table or of an index.
type keySchema struct {
	name            string
	partition, sort []string
}

// onTable is the name of the table in a sheet.
const onTable = "table"

func newInterview(t *testing.T, s *entity.Schema, raw bool) *interview {
	t.Helper()
	x := &interview{
		raw: raw, client: &recorder{}, wire: map[string]string{},
		residents: map[partition][]resident{}, told: map[[2]string][]explanation{}, texts: map[string]texts{},
	}
	table, err := s.Open(x.client, "charted")
	require.NoError(t, err)
	x.table = table
	d := s.Definition("charted")
	for _, a := range d.AttributeDefinitions {
		x.wire[*a.AttributeName] = string(a.AttributeType)
	}
	x.keyed = []keySchema{newKeySchema(onTable, d.KeySchema)}
	for _, i := range d.LocalSecondaryIndexes {
		x.keyed = append(x.keyed, newKeySchema(*i.IndexName, i.KeySchema))
	}
	for _, i := range d.GlobalSecondaryIndexes {
		x.keyed = append(x.keyed, newKeySchema(*i.IndexName, i.KeySchema))
	}
	return x
}

func newKeySchema(name string, elements []types.KeySchemaElement) keySchema {
	k := keySchema{name: name}
	for _, e := range elements {
		if e.KeyType == types.KeyTypeHash {
			k.partition = append(k.partition, *e.AttributeName)
		} else {
			k.sort = append(k.sort, *e.AttributeName)
		}
	}
	return k
}

// asking is an access pattern with an example that selects a partition.
type asking[T any] struct {
	access  string
	example T
	// reads an index that does not project all attributes; nil: its items are counted
	as func(query.Query[T]) sendable
}

// sendable is a query that can be sent.
type sendable interface {
	explainer
	Input() (*dynamodb.QueryInput, error)
}

// ask reads an item of a type, all its items in a partition of the table, and its access patterns.
func ask[T any](t *testing.T, x *interview, typ *entity.Type[T], texts texts, whole, in T, on ...asking[T]) {
	t.Helper()
	self := resident{typ.Name(), texts}
	item, err := typ.Encode(&whole)
	require.NoError(t, err)
	x.settle(t, self, item)

	repo := typ.In(x.table)
	get, err := repo.Op().Get(whole).Input()
	require.NoError(t, err)
	e, err := repo.Op().Get(whole).Explain()
	require.NoError(t, err)
	one := patternRow{"get " + self.name, onTable, x.equal(t, slices.Concat(x.keyed[0].partition, x.keyed[0].sort), get.Get.Key), ""}
	x.keep(self, one, explanation{e, nil, texts})

	q := query.Of(repo, in)
	x.query(t, self, "query "+self.name, q, q.Count, one.key)
	x.collection(t, self, q.Collection())
	for _, a := range on {
		q := query.On(repo, a.access, a.example)
		var s sendable = q
		if a.as != nil {
			s = a.as(q)
		}
		x.query(t, self, "query "+self.name+" "+a.access, s, q.Count, "")
		x.collection(t, self, q.Collection())
	}
}

// settle records the partitions that contain an item of a type.
func (x *interview) settle(t *testing.T, self resident, item map[string]types.AttributeValue) {
	t.Helper()
	for _, k := range x.keyed {
		if !slices.ContainsFunc(slices.Concat(k.partition, k.sort), func(name string) bool { return item[name] == nil }) {
			p := partition{k.name, x.equal(t, k.partition, item)}
			x.residents[p] = append(x.residents[p], self)
		}
	}
}

// query records the request of a query, unless its condition selects a single item.
func (x *interview) query(t *testing.T, self resident, pattern string, q sendable, count func(context.Context) (int, error), one string) {
	t.Helper()
	in, told := x.send(t, self, q, count)
	if in == nil {
		return
	}
	row := x.rowOf(t, in)
	if row.pattern = pattern; row.key != one {
		x.keep(self, row, told...)
	}
}

// collection records the partition that a collection reads.
func (x *interview) collection(t *testing.T, self resident, c query.Collection) {
	t.Helper()
	if in, told := x.send(t, self, c, c.Count); in != nil {
		row := x.rowOf(t, in)
		require.Empty(t, row.filter, "it is of every type")
		x.reads = append(x.reads, collected{partition{row.index, row.key}, told})
	}
}

// send returns the request and the explanation of a query. If the query is invalid it uses the
// count instead, and returns nil if that is invalid too.
func (x *interview) send(t *testing.T, self resident, q sendable, count func(context.Context) (int, error)) (*dynamodb.QueryInput, []explanation) {
	t.Helper()
	in, err := q.Input()
	if err == nil {
		e, err := q.Explain()
		require.NoError(t, err)
		_, _, values := x.condition(t, in)
		return in, []explanation{{e, values, self.texts}}
	}
	require.ErrorIs(t, err, trestle.ErrInvalid)
	x.client.query = nil
	if _, err = count(t.Context()); errors.Is(err, trestle.ErrInvalid) {
		return nil, nil
	}
	require.NoError(t, err)
	return x.client.query, nil
}

func (x *interview) keep(self resident, row patternRow, told ...explanation) {
	x.sent = append(x.sent, row)
	x.texts[row.pattern] = self.texts
	at := [2]string{row.pattern, row.index}
	x.told[at] = append(x.told[at], told...)
}

// end adds a row for each collected partition that contains several types.
func (x *interview) end() {
	done := map[partition]bool{}
	for _, c := range x.reads {
		types := x.residents[c.partition]
		if len(types) < 2 {
			continue
		}
		names := make([]string, len(types))
		for i, r := range types {
			names[i] = r.name
		}
		row := patternRow{"collection of " + strings.Join(names, ", "), c.index, c.key, ""}
		if done[c.partition] {
			at := [2]string{row.pattern, row.index}
			x.told[at] = append(x.told[at], c.told...)
			continue
		}
		done[c.partition] = true
		x.keep(types[0], row, c.told...)
	}
}
