package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// initialWarm is the warm throughput of a new table or index: on demand that of the service, and
// provisioned that which is provisioned.
func initialWarm(onDemand bool, p store.Throughput) store.WarmThroughput {
	if onDemand {
		return store.WarmThroughput{Read: 12_000, Write: 4_000}
	}
	return store.WarmThroughput{Read: p.Read, Write: p.Write}
}

// currentWarm returns the warm throughput. It is at least the initial one.
func currentWarm(warm store.WarmThroughput, onDemand bool, p store.Throughput) store.WarmThroughput {
	initial := initialWarm(onDemand, p)
	return store.WarmThroughput{Read: max(warm.Read, initial.Read), Write: max(warm.Write, initial.Write)}
}

// storedWarm returns a warm throughput without what is the initial one, so that tables which are
// described alike have the same hash.
func storedWarm(warm store.WarmThroughput, onDemand bool, p store.Throughput) store.WarmThroughput {
	initial := initialWarm(onDemand, p)
	if warm.Read <= initial.Read {
		warm.Read = 0
	}
	if warm.Write <= initial.Write {
		warm.Write = 0
	}
	return warm
}

// warmMember is a member of WarmThroughput, with that of the table or index which it replaces.
type warmMember struct {
	name, provisioned string
	units             *int64
	of                *int64
}

func warmMembers(in *api.WarmThroughput, of *store.WarmThroughput) []warmMember {
	if in == nil {
		return nil
	}
	return []warmMember{
		{"ReadUnitsPerSecond", "ReadCapacityUnits", in.ReadUnitsPerSecond, &of.Read},
		{"WriteUnitsPerSecond", "WriteCapacityUnits", in.WriteUnitsPerSecond, &of.Write},
	}
}

// hasWarm reports whether the request has a warm throughput.
func hasWarm(in *api.WarmThroughput) bool {
	return in != nil && (in.ReadUnitsPerSecond != nil || in.WriteUnitsPerSecond != nil)
}

// onDemandGuide is the page that the error of a low warm throughput names.
const onDemandGuide = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"

// newWarm returns the warm throughput of a new table or index. An absent member is the initial one.
func newWarm(in *api.WarmThroughput, onDemand bool, p store.Throughput, what string) (store.WarmThroughput, error) {
	warm := initialWarm(onDemand, p)
	for _, m := range warmMembers(in, &warm) {
		switch {
		case m.units == nil:
			continue
		case *m.units < *m.of && onDemand:
			return warm, invalid("Requested %s for WarmThroughput for %s is lower than initial throughput for OnDemand. See: %s", m.name, what, onDemandGuide)
		case *m.units < *m.of:
			return warm, invalid("Requested %s for WarmThroughput for %s is lower than %s of ProvisionedThroughput", m.name, what, m.provisioned)
		}
		*m.of = *m.units
	}
	return storedWarm(warm, onDemand, p), nil
}

// raisedWarm returns a warm throughput after an update, which does not lower it.
func raisedWarm(from store.WarmThroughput, in *api.WarmThroughput, what string) (store.WarmThroughput, error) {
	for _, m := range warmMembers(in, &from) {
		switch {
		case m.units == nil:
			continue
		case *m.units < *m.of:
			return from, invalid("Requested %s for WarmThroughput for %s is lower than current WarmThroughput, decreasing WarmThroughput is not supported", m.name, what)
		}
		*m.of = *m.units
	}
	return from, nil
}

// describeWarm describes a warm throughput. The service raises it in the background, while the
// table stays ACTIVE. Here it has the status of its table or index, and the new units at once.
func describeWarm(warm store.WarmThroughput, status string) *api.WarmThroughputDescription {
	return &api.WarmThroughputDescription{ReadUnitsPerSecond: &warm.Read, WriteUnitsPerSecond: &warm.Write, Status: status}
}

// planWarm plans the warm throughput of the table and its global indexes. It is the last step,
// because a change of the billing mode or the provisioned throughput raises it too, and never
// lowers it.
func (u *update) planWarm() error {
	t := u.t
	table, err := raisedWarm(currentWarm(t.Warm, t.OnDemandBilling, t.Throughput), u.in.WarmThroughput, "table")
	if err != nil {
		return err
	}
	u.addStep(func() { t.Warm = storedWarm(table, t.OnDemandBilling, t.Throughput) })
	for _, ix := range t.Indexes {
		if ix.Local {
			continue
		}
		warm, err := raisedWarm(currentWarm(ix.Warm, t.OnDemandBilling, ix.Throughput), u.indexWarm(ix.Name), "index "+ix.Name)
		if err != nil {
			return err
		}
		u.addStep(func() { ix.Warm = storedWarm(warm, t.OnDemandBilling, ix.Throughput) })
	}
	return nil
}

// indexWarm returns the warm throughput that the request has for an existing index.
func (u *update) indexWarm(name string) *api.WarmThroughput {
	for _, up := range u.in.GlobalSecondaryIndexUpdates {
		if up.Update != nil && up.Update.IndexName == name {
			return up.Update.WarmThroughput
		}
	}
	return nil
}
