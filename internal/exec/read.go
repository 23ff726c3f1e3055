package exec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// Page sends one request of a query or of a scan. The other input is nil.
func (c *Config) Page(ctx context.Context, query *dynamodb.QueryInput, scan *dynamodb.ScanInput) Response {
	if scan != nil {
		out, r := send(ctx, c, trestle.Client.Scan, scan, always, nil)
		if out != nil {
			r.Rows, r.Count, r.Scanned, r.Last = r.rowsOr(out.Items), int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey
			r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
		}
		return r
	}
	out, r := send(ctx, c, trestle.Client.Query, query, always, nil)
	if out != nil {
		r.Rows, r.Count, r.Scanned, r.Last = r.rowsOr(out.Items), int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey
		r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
	}
	return r
}

// BatchGet sends one request of a batch read. The input has the keys, or list has them if it is not
// nil.
func (c *Config) BatchGet(ctx context.Context, in *dynamodb.BatchGetItemInput, list *KeyList) Response {
	out, r := send(ctx, c, trestle.Client.BatchGetItem, in, always, c.keyWriter(in, list))
	if out != nil {
		r.Tables, r.Unprocessed = r.tablesOr(out.Responses), out.UnprocessedKeys
		r.setMeta(out.ResultMetadata, nil)
		r.capacity = out.ConsumedCapacity
	}
	return r
}

// Pause waits before unprocessed keys are sent again. It uses full jitter: at most 20 ms after the
// first try, doubled after each further try, at most 2.56 s. If the context ends, the error has the
// cause of the pause, too.
func (c *Call) Pause(ctx context.Context, tries int, cause error) error {
	if err := c.Config.Pause(ctx, tries); err != nil {
		return c.Fail(errs.Ended(err, cause))
	}
	return nil
}
