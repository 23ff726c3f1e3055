package table

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// onDemand reports whether the table is on demand after the update.
func (u *update) onDemand() bool {
	if u.in.BillingMode == "" {
		return u.t.OnDemandBilling
	}
	return u.in.BillingMode == payPerRequest
}

// planBilling plans the billing mode and the throughput of the table.
func (u *update) planBilling() error {
	if u.onDemand() && u.in.ProvisionedThroughput != nil {
		return errUnitsOnDemand()
	}
	t := u.t
	switch switched := u.onDemand() != t.OnDemandBilling; {
	case switched && u.onDemand():
		u.addStep(u.switchToOnDemand)
		return nil
	case switched:
		return u.planToProvisioned()
	case u.in.ProvisionedThroughput == nil:
		return nil
	}
	moved, err := u.changeThroughput(t.Throughput, u.in.ProvisionedThroughput, "table")
	if err == nil {
		u.addStep(func() { t.Throughput = moved })
	}
	return err
}

// switchToOnDemand takes the units of the table and of its indexes away. The service counts that as
// a decrease of an index, but not of the table.
func (u *update) switchToOnDemand() {
	t := u.t
	t.OnDemandBilling, t.OnDemandSince = true, u.s.Now
	t.Throughput.Read, t.Throughput.Write = 0, 0
	for _, ix := range t.Indexes {
		ix.Throughput = ix.Throughput.ChangeTo(0, 0, u.change())
	}
}

// change returns the times of a change of throughput.
func (u *update) change() store.ThroughputChange {
	return store.ThroughputChange{Requested: u.s.Now, Done: u.s.Now.Add(u.cfg.TableDelay)}
}

// planToProvisioned plans the switch to provisioned billing. Each global index then needs a
// throughput.
func (u *update) planToProvisioned() error {
	var missing []string
	for _, ix := range u.t.Indexes {
		named := func(up api.GlobalSecondaryIndexUpdate) bool {
			return up.Update != nil && up.Update.IndexName == ix.Name && up.Update.ProvisionedThroughput != nil ||
				up.Delete != nil && up.Delete.IndexName == ix.Name
		}
		if !ix.Local && !slices.ContainsFunc(u.in.GlobalSecondaryIndexUpdates, named) {
			missing = append(missing, ix.Name)
		}
	}
	if len(missing) > 0 {
		return invalid("ProvisionedThroughput must be specified for index: %s", strings.Join(missing, ","))
	}
	to, err := throughput(u.in.ProvisionedThroughput, false)
	u.addStep(func() {
		u.t.OnDemandBilling = false
		u.t.Throughput = u.t.Throughput.ChangeTo(to.Read, to.Write, u.change())
	})
	return err
}

// changeThroughput returns the changed throughput of a table or an index. It returns an error if
// the units do not change.
func (u *update) changeThroughput(from store.Throughput, to *api.ProvisionedThroughput, what string) (store.Throughput, error) {
	read, write := *to.ReadCapacityUnits, *to.WriteCapacityUnits
	if from.Read == read && from.Write == write {
		return from, awserr.Validation("The provisioned throughput for the %[1]s will not change. The requested value equals the current value. "+
			"Current ReadCapacityUnits provisioned for the %[1]s: %[2]d. Requested ReadCapacityUnits: %[3]d. "+
			"Current WriteCapacityUnits provisioned for the %[1]s: %[4]d. Requested WriteCapacityUnits: %[5]d. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			what, from.Read, read, from.Write, write)
	}
	return from.ChangeTo(read, write, u.change()), nil
}
