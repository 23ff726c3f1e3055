package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/removal"
)

// PruneTenant deletes the entries that name empty partitions of a tenant. It deletes no items. It
// is called on the table that [Schema.Open] returned, or on the handle of that tenant, and can run
// beside writers and again at any time.
//
// Each partition of a tenant that is recorded has an entry (RecordPartitions of the [Config]). The
// entry stays when the items of the partition are deleted or expire, and a removal reads the
// partition nevertheless. So call PruneTenant from time to time for a tenant whose items come and
// go in partitions of their own, such as sessions, or locks and counters with many names.
//
// An entry is only deleted if its partition is empty and no program relies on it any more, which
// [Table.RemoveTenant] explains. RemovalReport.Partitions is the number of entries that were found,
// and Left that of those that stay; Again is zero. The options are those for the concurrency, the
// budget and the progress; RemoveByScan and RemoveIdle are [trestle.ErrInvalid]. A budget ends the
// run with query.ErrBudget, and another run begins at the first entry again.
//
// It reads strongly consistent: 16 units for the entries, or one per 4 KB of them, and for each
// entry that no program relies on, one unit per 4 KB of the first item of its partition, or one if
// there is none. A deleted entry costs one write unit. It returns a report, also with an error. The
// observer is notified of operations with the name "prune tenant". The permissions are those of a
// query and a deletion.
func (t *Table) PruneTenant(ctx context.Context, tenant string, options ...RemovalOption) (trestle.RemovalReport, error) {
	of, o, err := t.removal(tenant, removal.PruneName, trestle.NotApplied, options)
	if err != nil {
		return trestle.RemovalReport{}, err
	}
	return of.Prune(ctx, o)
}
