package exec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// Page sends one request of a query or of a scan. The other input is nil.
func (c *Config) Page(ctx context.Context, query *dynamodb.QueryInput, scan *dynamodb.ScanInput) Response {
	var r Response
	if scan != nil {
		_, r = send(ctx, c, trestle.Client.Scan, scan, always, nil)
	} else {
		_, r = send(ctx, c, trestle.Client.Query, query, always, nil)
	}
	return r
}

// BatchGet sends one request of a batch read. The input has the keys, or list has them if it is not
// nil.
func (c *Config) BatchGet(ctx context.Context, in *dynamodb.BatchGetItemInput, list *KeyList) Response {
	_, r := send(ctx, c, trestle.Client.BatchGetItem, in, always, c.keyWriter(in, list))
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
