package query

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
)

// Items streams an item collection in the order of the sort key. It yields each item as a value of
// its Go type (Company, never *Company), and items of unregistered types as [entity.Raw]. A program
// therefore keeps working when another program adds a type. Items skips the library's own items. It
// yields an error last.
func Items(ctx context.Context, c Collection) iter.Seq2[any, error] {
	return stream[any](ctx, c.runner())
}

func (c Collection) runner() *runner {
	return &runner{request: c.q, sink: func(l *list) core.Sink { return &mixedSink{list: l, schema: c.q.query.Schema} }}
}

// raw returns an item as an [entity.Raw].
func raw(s *core.Schema, row core.Row) entity.Raw {
	name, _ := row.Attribute(s.TypeAttr).(*types.AttributeValueMemberS)
	if name == nil {
		return entity.Raw{Item: row.Item()}
	}
	return entity.Raw{Type: name.Value, Item: row.Item()}
}
