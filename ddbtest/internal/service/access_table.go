package service

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/policy"
)

// addTable adds the access of an operation on a table or on a stream. A table that is created with
// tags needs the action TagResource too.
func (b *accessBuilder) addTable(r *Request) {
	resource := b.namedResource(r)
	b.list = append(b.list, policy.Access{Action: "dynamodb:" + r.Operation, Resource: resource})
	if in, ok := r.input.(*api.CreateTableInput); ok && len(in.Tags) > 0 {
		b.list = append(b.list, policy.Access{Action: "dynamodb:TagResource", Resource: resource})
	}
}

// namedResource returns the ARN of the table or of the stream of a request, or "*" for a list.
func (b *accessBuilder) namedResource(r *Request) string {
	switch in := r.input.(type) {
	case *api.ListTablesInput, *api.ListStreamsInput:
		return "*"
	case *api.DescribeStreamInput:
		return in.StreamArn
	case *api.GetShardIteratorInput:
		return in.StreamArn
	case *api.GetRecordsInput:
		arn, _, _ := strings.Cut(in.ShardIterator, "|")
		return arn
	}
	if len(r.Targets) == 0 {
		return "*"
	}
	t := r.Targets[0]
	if t.Index != "" {
		return b.config.ARN(t.Table, t.Index)
	}
	return b.resource(t.Table)
}
