package schemadiff

import (
	"strings"

	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

const repairGuards = "deploy all writers, then call RepairGuards"

// uniques compares the unique values of a type, and what their guards depend on.
func (c *comparison) uniques(was, is *schemadoc.Entity) {
	if was.Name != is.Name && len(was.Uniques) > 0 && len(is.Uniques) > 0 {
		c.add("the guards of the unique values of %s have its name in their keys, and remain: stored items have no guards as %s; %s", was.Name, is.Name, repairGuards)
		return
	}
	for _, name := range sorted(was.Uniques) {
		before := was.Uniques[name]
		after, exists := is.Uniques[name]
		if !exists {
			c.removedUnique(was, is, name)
			continue
		}
		if changes := c.formatChanges(before.Template); before.Template == after.Template && len(changes) > 0 {
			c.add("unique value %s of %s is still %s, but %s: the guards of stored items are under other keys; %s",
				name, was.Name, after.Text, strings.Join(changes, ", and "), repairGuards)
		}
		switch {
		case before.Text == after.Text || sameValues(before, after):
		case before.Template == after.Template:
			c.add("unique value %s of %s changed from %s to %s: guards of stored items may be missing or left over; %s", name, was.Name, before.Text, after.Text, repairGuards)
		default:
			c.add("unique value %s of %s changed from %s to %s: the guards of stored items are under other keys; %s", name, was.Name, before.Text, after.Text, repairGuards)
		}
	}
	for _, name := range sorted(is.Uniques) {
		if _, existed := was.Uniques[name]; !existed && renamedFrom(was, is, name) == "" {
			c.add("unique value %s of %s is new, with the value %s: stored items have no guards; %s", name, was.Name, is.Uniques[name].Text, repairGuards)
		}
	}
}

// removedUnique reports a unique value that was removed or renamed.
func (c *comparison) removedUnique(was, is *schemadoc.Entity, name string) {
	for _, other := range sorted(is.Uniques) {
		if renamedFrom(was, is, other) == name {
			c.add("unique value %s of %s has the new name %s, which is part of the keys of guards: stored items have no guards; %s", name, was.Name, other, repairGuards)
			return
		}
	}
	c.add("unique value %s of %s was removed: its guards remain until RepairGuards deletes them", name, was.Name)
}

// renamedFrom returns the removed unique value with the same values as a new one, or "". Fields may
// be renamed, too.
func renamedFrom(was, is *schemadoc.Entity, name string) string {
	if _, existed := was.Uniques[name]; existed {
		return ""
	}
	after := is.Uniques[name]
	for _, before := range sorted(was.Uniques) {
		if _, exists := is.Uniques[before]; !exists && (sameValues(was.Uniques[before], after) || renamed(was.Uniques[before].Text, after.Text, was, is)) {
			return before
		}
	}
	return ""
}
