package schemadoc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// requestLog contains the requests of every read that the types of a schema support.
type requestLog struct {
	raw    bool
	table  *entity.Table
	client *recorder
	keyed  []keySchema       // of the table, then of its indexes
	wire   map[string]string // the types of key attributes

	members     map[partition][]member
	collections []collectionRead
	sent        []patternRow
	explained   map[[2]string][]explanation // by pattern and index
	texts       map[string]keyTexts         // the texts in the keys of a type, by pattern
}

// partition is a partition of the table or of an index, identified by its key condition.
type partition struct{ index, key string }

// member is a type that has an item in a partition.
type member struct {
	name  string
	texts keyTexts
}

// collectionRead is a partition that was read with all its types.
type collectionRead struct {
	partition
	partitions string
	explained  []explanation
}

// recorder is a client without items that records queries.
type recorder struct {
	trestle.Client
	mu      sync.Mutex
	queries []*dynamodb.QueryInput
}

func (r *recorder) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queries = append(r.queries, in)
	return &dynamodb.QueryOutput{}, nil
}

// keySchema is the key schema of the table or of an index.
type keySchema struct {
	name            string
	partition, sort []string
}

// onTable is the name of the table in a chart.
const onTable = "table"

func newRequestLog(t *testing.T, s *entity.Schema, raw bool) *requestLog {
	t.Helper()
	x := &requestLog{
		raw: raw, client: &recorder{}, wire: map[string]string{},
		members: map[partition][]member{}, explained: map[[2]string][]explanation{}, texts: map[string]keyTexts{},
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

// patternUse is an access pattern with an example that selects a partition.
type patternUse[T any] struct {
	access  string
	example T
	// reads an index that does not project all attributes; nil: its items are counted
	as func(query.Query[T]) readQuery
}

// readQuery is a query that can be sent.
type readQuery interface {
	Explain(assume ...trestle.Assumption) (trestle.Explanation, error)
	Inputs() ([]*dynamodb.QueryInput, error)
}

// sendReads reads an item of a type, all its items in a partition of the table, and its access
// patterns.
func sendReads[T any](t *testing.T, x *requestLog, typ *entity.Type[T], texts keyTexts, whole, in T, on ...patternUse[T]) {
	t.Helper()
	self := member{typ.Name(), texts}
	item, err := typ.Encode(&whole)
	require.NoError(t, err)
	x.addToPartitions(t, self, item)

	repo := typ.In(x.table)
	get, err := repo.Op().Get(whole).Input()
	require.NoError(t, err)
	e, err := repo.Op().Get(whole).Explain()
	require.NoError(t, err)
	one := patternRow{"get " + self.name, onTable, x.equal(t, slices.Concat(x.keyed[0].partition, x.keyed[0].sort), get.Get.Key), "", ""}
	x.add(self, one, explanation{e, nil, texts})

	q := query.Of(repo, in)
	x.query(t, self, "query "+self.name, q, q.Count, one.key)
	x.collection(t, self, q.Collection())
	for _, a := range on {
		q := query.On(repo, a.access, a.example)
		var s readQuery = q
		if a.as != nil {
			s = a.as(q)
		}
		x.query(t, self, "query "+self.name+" "+a.access, s, q.Count, "")
		x.collection(t, self, q.Collection())
	}
}

// addToPartitions records the partitions that contain an item of a type.
func (x *requestLog) addToPartitions(t *testing.T, self member, item map[string]types.AttributeValue) {
	t.Helper()
	for _, k := range x.keyed {
		if !slices.ContainsFunc(slices.Concat(k.partition, k.sort), func(name string) bool { return item[name] == nil }) {
			p := partition{k.name, x.equal(t, k.partition, item)}
			x.members[p] = append(x.members[p], self)
		}
	}
}

// query records the request of a query, unless its condition selects a single item.
func (x *requestLog) query(t *testing.T, self member, pattern string, q readQuery, count func(context.Context) (int, error), one string) {
	t.Helper()
	in, explained := x.send(t, self, q, count)
	if in == nil {
		return
	}
	row := x.rowOfAll(t, in)
	if row.pattern = pattern; row.key != one {
		x.add(self, row, explained...)
	}
}

// collection records the partition that a collection reads.
func (x *requestLog) collection(t *testing.T, self member, c query.Collection) {
	t.Helper()
	if in, explained := x.send(t, self, c, c.Count); in != nil {
		row := x.rowOfAll(t, in)
		require.Empty(t, row.filter, "it is of every type")
		x.collections = append(x.collections, collectionRead{partition{row.index, row.key}, row.partitions, explained})
	}
}

// rowOfAll returns the requests of a query, one for each partition, in the form of a row.
func (x *requestLog) rowOfAll(t *testing.T, in []*dynamodb.QueryInput) patternRow {
	t.Helper()
	row := x.rowOf(t, in[0])
	for _, other := range in[1:] {
		require.Equal(t, row, x.rowOf(t, other))
	}
	if len(in) > 1 {
		row.partitions = fmt.Sprintf("%d shards", len(in))
	}
	return row
}

// send returns the first requests and the explanation of a query. If the query is invalid it uses
// the count instead, and returns nil if that is invalid too.
func (x *requestLog) send(t *testing.T, self member, q readQuery, count func(context.Context) (int, error)) ([]*dynamodb.QueryInput, []explanation) {
	t.Helper()
	in, err := q.Inputs()
	if err == nil {
		e, err := q.Explain()
		require.NoError(t, err)
		_, _, values := x.condition(t, in[0])
		return in, []explanation{{e, values, self.texts}}
	}
	require.ErrorIs(t, err, trestle.ErrInvalid)
	x.client.queries = nil
	if _, err = count(t.Context()); errors.Is(err, trestle.ErrInvalid) {
		return nil, nil
	}
	require.NoError(t, err)
	return x.client.queries, nil
}

func (x *requestLog) add(self member, row patternRow, explained ...explanation) {
	x.sent = append(x.sent, row)
	x.texts[row.pattern] = self.texts
	at := [2]string{row.pattern, row.index}
	x.explained[at] = append(x.explained[at], explained...)
}

// addCollections adds a row for each partition that was read as a collection and contains several
// types.
func (x *requestLog) addCollections() {
	done := map[partition]bool{}
	for _, c := range x.collections {
		types := x.members[c.partition]
		if len(types) < 2 {
			continue
		}
		names := make([]string, len(types))
		for i, r := range types {
			names[i] = r.name
		}
		row := patternRow{"collection of " + strings.Join(names, ", "), c.index, c.key, "", c.partitions}
		if done[c.partition] {
			at := [2]string{row.pattern, row.index}
			x.explained[at] = append(x.explained[at], c.explained...)
			continue
		}
		done[c.partition] = true
		x.add(types[0], row, c.explained...)
	}
}
