package exec

import (
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// take sets what an output of the SDK has. The items are those that the reader has read from the
// reply, or else those of the output. Operations on tables have none.
func (r *Response) take(output any) {
	var meta middleware.Metadata
	switch out := output.(type) {
	case *dynamodb.GetItemOutput:
		r.Rows, r.consumed, meta = core.OneRow(out.Item), out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.PutItemOutput:
		r.Rows, r.consumed, meta = core.OneRow(out.Attributes), out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.UpdateItemOutput:
		r.Rows, r.consumed, meta = core.OneRow(out.Attributes), out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.DeleteItemOutput:
		r.Rows, r.consumed, meta = core.OneRow(out.Attributes), out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.QueryOutput:
		r.Rows, r.consumed, meta = core.NewRows(out.Items), out.ConsumedCapacity, out.ResultMetadata
		r.Count, r.Scanned, r.Last = int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey
	case *dynamodb.ScanOutput:
		r.Rows, r.consumed, meta = core.NewRows(out.Items), out.ConsumedCapacity, out.ResultMetadata
		r.Count, r.Scanned, r.Last = int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey
	case *dynamodb.BatchGetItemOutput:
		r.Unprocessed, r.capacity, meta = out.UnprocessedKeys, out.ConsumedCapacity, out.ResultMetadata
		if len(out.Responses) > 0 {
			r.Tables = make(map[string]core.Rows, len(out.Responses))
		}
		for table, items := range out.Responses {
			r.Tables[table] = core.NewRows(items)
		}
	case *dynamodb.BatchWriteItemOutput:
		r.Unwritten, r.capacity, meta = out.UnprocessedItems, out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.TransactGetItemsOutput:
		items := make([]op.Item, len(out.Responses))
		for i := range items {
			items[i] = out.Responses[i].Item
		}
		r.Rows, r.capacity, meta = core.NewRows(items), out.ConsumedCapacity, out.ResultMetadata
	case *dynamodb.TransactWriteItemsOutput:
		r.capacity, meta = out.ConsumedCapacity, out.ResultMetadata
	}
	r.requestID, _ = awsmiddleware.GetRequestIDMetadata(meta)
	if reader := r.attempts.reader; reader != nil && reader.reply.complete {
		r.Rows, r.Tables = reader.reply.rows, reader.reply.tables
	}
}
