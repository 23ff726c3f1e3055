package scan

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/exec"
)

// Page sends a query of a call, when the rate allows it, and adds its cost.
func (r *Run) Page(ctx context.Context, call *exec.Call, in *dynamodb.QueryInput) (*exec.Response, error) {
	if err := r.awaitRate(ctx); err != nil {
		return nil, err
	}
	before := call.Capacity
	page := call.Config.Page(ctx, in, nil)
	if err := call.Account(&page); err != nil {
		return nil, err
	}
	r.Spend(trestle.Capacity{Read: call.Capacity.Read - before.Read})
	return &page, nil
}
