package costtest

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// table has the properties of a table that determine the cost of a write.
type table struct {
	key     []string
	indexes []index
}

// index is a secondary index of a table.
type index struct {
	name string
	key  []string // an item that lacks one of these is not on the index
	all  bool     // it projects every attribute
	some []string // the projected attributes; empty if all is true
}

// describe returns the keys and indexes of a table. It sends DescribeTable once per table.
func (m *Meter) describe(ctx context.Context, name string) (*table, error) {
	m.mu.Lock()
	known := m.tables[name]
	m.mu.Unlock()
	if known != nil {
		return known, nil
	}
	out, err := m.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, measureError(err)
	}
	t := &table{key: names(out.Table.KeySchema)}
	for _, x := range out.Table.GlobalSecondaryIndexes {
		t.add(x.IndexName, x.KeySchema, x.Projection)
	}
	for _, x := range out.Table.LocalSecondaryIndexes {
		t.add(x.IndexName, x.KeySchema, x.Projection)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tables[name] = t
	return t, nil
}

func (t *table) add(name *string, key []types.KeySchemaElement, p *types.Projection) {
	x := index{name: aws.ToString(name), key: names(key), all: p == nil || p.ProjectionType == types.ProjectionTypeAll}
	if !x.all {
		x.some = append(append(append(x.some, t.key...), x.key...), p.NonKeyAttributes...)
	}
	t.indexes = append(t.indexes, x)
}

func names(key []types.KeySchemaElement) []string {
	list := make([]string, len(key))
	for i, k := range key {
		list[i] = aws.ToString(k.AttributeName)
	}
	return list
}

// entry returns the index entry of an item, or nil if the item is not on the index.
func (x index) entry(it item) item {
	for _, name := range x.key {
		if it[name] == nil {
			return nil
		}
	}
	if x.all {
		return it
	}
	return pick(it, x.some)
}

func pick(it item, names []string) item {
	some := item{}
	for _, name := range names {
		if av := it[name]; av != nil {
			some[name] = av
		}
	}
	return some
}
