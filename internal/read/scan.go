package read

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Scan is what a read of a whole table, or of a whole index, is planned from. It is a value: builders change copies of it.
type Scan struct {
	Schema *core.Schema
	Plan   *core.Plan // the type that is wanted; nil: every type
	Access string     // the access pattern whose index is read; empty: the table
	Filter []Filter
	Strong bool
}

// ScanPlan is a scan, ready to be sent.
type ScanPlan struct {
	Schema   *core.Schema
	Entity   *core.Plan // nil: every type
	Access   string
	Index    *core.Index // nil: the table
	Filter   string
	Names    map[string]string
	Values   op.Item
	Strong   bool
	Position []core.Attribute // what the place of an item in this read is made of
}

// Compile plans a scan. Everything that is wrong with it is said at once.
func (s Scan) Compile() (*ScanPlan, error) {
	q := Query{Plan: s.Plan, Access: s.Access, Filter: s.Filter, Strong: s.Strong, Collection: s.Plan == nil, Scan: true}
	t := target{key: core.Key{}}
	p := &ScanPlan{Schema: s.Schema, Entity: s.Plan, Access: s.Access, Strong: s.Strong}
	if s.Plan != nil {
		var err error
		if t, err = q.target(); err != nil {
			return nil, err
		}
		p.Index = t.index
	}
	p.Position = t.position(s.Schema)
	t.key = core.Key{} // a scan reads by none: a filter may ask for all of them
	c := compiler{query: q, target: t, schema: s.Schema}
	if s.Plan != nil && s.Schema.TypeAttr != "" && (t.index == nil || t.index.Projects(s.Schema, s.Schema.TypeAttr)) {
		c.only = []*core.Plan{s.Plan}
	}
	p.Filter = c.filter()
	if err := c.err(); err != nil {
		return nil, err
	}
	p.Names, p.Values = c.b.Names(), c.b.Values()
	return p, c.b.Check()
}

// ScanInput compiles one request for a segment, of as many as there are: from its beginning or after the key of an item, and for so many
// items at the most; 0 is as many as a page holds.
func (p *ScanPlan) ScanInput(table string, segment, segments int, after op.Item, limit int) *dynamodb.ScanInput {
	in := &dynamodb.ScanInput{
		TableName:                 &table,
		ExpressionAttributeNames:  p.Names,
		ExpressionAttributeValues: p.Values,
		ExclusiveStartKey:         after,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if segments > 1 {
		in.Segment, in.TotalSegments = aws.Int32(int32(segment)), aws.Int32(int32(segments)) //nolint:gosec // bounded by the builder
	}
	if limit > 0 {
		in.Limit = aws.Int32(int32(min(limit, math.MaxInt32))) //nolint:gosec // bounded here
	}
	if p.Index != nil {
		in.IndexName = aws.String(p.Index.Name)
	}
	if p.Filter != "" {
		in.FilterExpression = &p.Filter
	}
	if p.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return in
}
