package write

import (
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Overwrite plans a replacement that checks no version. A versioned type's version still never repeats: the plan reads the one that is
// there first, and puts one more on condition that it is there still.
func Overwrite(a PutArgs) (op.Operation, Stamps, error) {
	if a.Plan.Version == nil {
		return a.plan("overwrite", 0, func(*conditions) op.Why { return op.Why{} })
	}
	// Planned once as if nothing were there, so that what is wrong with the entity is said before the read.
	_, stamps, err := a.over(nil)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	key, err := Key(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	again := func(met op.Item) (op.Action, error) {
		o, _, err := a.over(met)
		return o.Primary, err
	}
	read := readFor(a.Plan, key, []string{a.Plan.Version.Name})
	return op.Operation{Name: "overwrite", Plan: a.Plan, PreRead: &op.PreRead{Read: read, Plan: again}}, stamps, nil
}

// over plans the replacement of an item that was read, or of none.
func (a PutArgs) over(met op.Item) (op.Operation, Stamps, error) {
	if met != nil && a.Plan.Shared && !a.Plan.Owns(met) {
		return op.Operation{}, Stamps{}, fail.Exists
	}
	old, err := storedVersion(a.Plan, met)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	partition, version := a.Plan.Schema.Partition.Name, a.Plan.Version.Name
	return a.plan("overwrite", old, func(c *conditions) op.Why {
		if met == nil {
			c.absent()
			return op.Why{Stale: true, Guards: []op.Guard{{Attribute: partition}}}
		}
		c.guard(version, met[version])
		return op.Why{Stale: true, Version: version, Expect: met[version], Guards: []op.Guard{{Attribute: version, Value: met[version]}}}
	})
}
