package maintain

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/op"
)

// ExportTenant calls f with all items of a tenant as they are stored: those of all types, the
// guards of their unique values, and the library's own. The calls do not overlap. It finds the
// items as [RemoveTenant] does, and costs what its dry run costs. An error of f ends the run.
//
// The export is not made at one moment. An item that is written meanwhile is passed as it was or as
// it is then. The observer is notified of operations with the name "export tenant".
func ExportTenant(ctx context.Context, t *entity.Table, tenant string, run Run, f func(items []map[string]types.AttributeValue) error) (Report, error) {
	run.DryRun = true
	k, err := run.newTenant(t, exportTenantName, tenant)
	if err != nil {
		return Report{}, err
	}
	return k.do(ctx, func(_ context.Context, items []op.Item, _ int) (bool, error) {
		if len(items) == 0 {
			return false, nil
		}
		k.countAll(items)
		if err := f(items); err != nil {
			return false, k.Fail(trestle.NoWrite, err)
		}
		return false, nil
	})
}
