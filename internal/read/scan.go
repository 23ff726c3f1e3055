package read

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Scan describes a read of a whole table or index to be planned. It is a value: builders change
// copies of it.
type Scan struct {
	Schema *core.Schema
	Plan   *core.Plan // the wanted type; nil: every type
	Access string     // the access pattern whose index is read; empty: the table
	Filter []Filter
	Strong bool
}

// ScanPlan is a compiled scan.
type ScanPlan struct {
	Schema   *core.Schema
	Entity   *core.Plan // nil: every type
	Access   string
	Index    *core.Index // nil: the table
	Filter   string
	Names    map[string]string
	Values   op.Item
	Strong   bool
	Position []core.Attribute // the attributes of an item's position
}

// Compile compiles the scan. It reports all problems at once.
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
	t.key = core.Key{} // a scan has no key condition, so that filters may use key attributes
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

// ScanInput returns one request for a segment. It starts at the beginning of the segment, or after
// the key in after. It reads at most limit items; 0 is no limit.
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
