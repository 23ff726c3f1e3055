package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// noLimit is the value that removes a limit.
const noLimit = -1

// limitMember is a member of OnDemandThroughput.
type limitMember struct {
	name  string
	units *int64
}

func limitMembers(in *api.OnDemandThroughput) []limitMember {
	if in == nil {
		return nil
	}
	return []limitMember{{"MaxReadRequestUnits", in.MaxReadRequestUnits}, {"MaxWriteRequestUnits", in.MaxWriteRequestUnits}}
}

// hasLimit reports whether the request has a limit. The service ignores an OnDemandThroughput
// without members.
func hasLimit(in *api.OnDemandThroughput) bool {
	return in != nil && (in.MaxReadRequestUnits != nil || in.MaxWriteRequestUnits != nil)
}

// newLimit returns the limit of a new table or index.
func newLimit(in *api.OnDemandThroughput, onDemand bool, what string) (store.OnDemandLimit, error) {
	if hasLimit(in) && !onDemand {
		return store.OnDemandLimit{}, invalid("%s for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.", firstMember(in))
	}
	for _, m := range limitMembers(in) {
		if m.units != nil && *m.units < 1 {
			return store.OnDemandLimit{}, errLimitRange(m.name, what)
		}
	}
	return changedLimit(store.OnDemandLimit{}, in, onDemand, what)
}

// changedLimit returns a limit after an update. An absent member stays as it is.
func changedLimit(from store.OnDemandLimit, in *api.OnDemandThroughput, onDemand bool, what string) (store.OnDemandLimit, error) {
	if hasLimit(in) && !onDemand {
		return from, invalid("%s for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED", firstMember(in))
	}
	to := []*int64{&from.Read, &from.Write}
	for i, m := range limitMembers(in) {
		switch {
		case m.units == nil:
		case *m.units == noLimit:
			*to[i] = 0
		case *m.units < 1:
			return from, errLimitRange(m.name, what)
		default:
			*to[i] = *m.units
		}
	}
	return from, nil
}

// firstMember returns the name of the first member that the request has.
func firstMember(in *api.OnDemandThroughput) string {
	for _, m := range limitMembers(in) {
		if m.units != nil {
			return m.name
		}
	}
	return ""
}

func errLimitRange(member, what string) error {
	return invalid("Requested %s for OnDemandThroughput for %s is outside of valid range", member, what)
}

// describeLimit is nil if there is no limit.
func describeLimit(l store.OnDemandLimit) *api.OnDemandThroughput {
	if l == (store.OnDemandLimit{}) {
		return nil
	}
	d := &api.OnDemandThroughput{}
	if l.Read != 0 {
		d.MaxReadRequestUnits = api.Pointer(l.Read)
	}
	if l.Write != 0 {
		d.MaxWriteRequestUnits = api.Pointer(l.Write)
	}
	return d
}

// planLimit plans the limit of the table. Provisioned tables and their indexes have none.
func (u *update) planLimit() error {
	if !u.onDemand() {
		u.addStep(func() {
			u.t.OnDemandLimit = store.OnDemandLimit{}
			for _, ix := range u.t.Indexes {
				ix.Limit = store.OnDemandLimit{}
			}
		})
	}
	to, err := changedLimit(u.t.OnDemandLimit, u.in.OnDemandThroughput, u.onDemand(), "table")
	if hasLimit(u.in.OnDemandThroughput) {
		u.addStep(func() { u.t.OnDemandLimit = to })
	}
	return err
}
