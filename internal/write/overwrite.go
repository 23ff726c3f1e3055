package write

import (
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Overwrite plans a put that checks no version. The versions of an item still never repeat: for a
// versioned type, the plan reads the stored version and puts the next one, on the condition that
// the stored version has not changed.
func Overwrite(a PutArgs) (op.Operation, Stamps, error) {
	if a.Plan.Version == nil {
		return a.plan("overwrite", 0, func(*conditions) op.ConditionCheck { return op.ConditionCheck{} })
	}
	// Plan once for a missing item to report errors of the entity before the read.
	_, stamps, err := a.planOverwrite(nil)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	key, err := Key(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	again := func(met op.Item) (op.Action, error) {
		o, _, err := a.planOverwrite(met)
		return o.Primary, err
	}
	read := readBefore(a.Plan, key, []string{a.Plan.Version.Name})
	return op.Operation{Name: "overwrite", Plan: a.Plan, PreRead: &op.PreRead{Read: read, Plan: again}}, stamps, nil
}

// planOverwrite plans the replacement of the item that was read, or of a missing item if met is
// nil.
func (a PutArgs) planOverwrite(met op.Item) (op.Operation, Stamps, error) {
	if met != nil && a.Plan.Shared && !a.Plan.Matches(met) {
		return op.Operation{}, Stamps{}, errs.Exists
	}
	old, err := storedVersion(a.Plan, met)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	partition, version := a.Plan.Schema.Partition.Name, a.Plan.Version.Name
	return a.plan("overwrite", old, func(c *conditions) op.ConditionCheck {
		if met == nil {
			c.requireNoItem()
			return op.ConditionCheck{Stale: true, Planned: []op.Expected{{Attribute: partition}}}
		}
		c.requireValue(version, met[version])
		return op.ConditionCheck{Stale: true, VersionAttribute: version, ExpectedVersion: met[version], Planned: []op.Expected{{Attribute: version, Value: met[version]}}}
	})
}
