package schemadiff

import (
	"slices"

	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

const repairCounts = "deploy all writers, then call RepairCounts"

// counts compares the items that count those of a type.
func (c *comparison) counts(was, is *schemadoc.Entity) {
	removed := c.countsWithout(was.Counts, is.Counts)
	added := c.countsWithout(is.Counts, was.Counts)
	for _, before := range removed {
		label := before.In + "." + before.As
		i := slices.IndexFunc(added, func(after schemadoc.Count) bool {
			return after.In == c.countedIn(before) && after.As == before.As
		})
		switch {
		case i >= 0:
			c.add("count %s of %s changed from %s to %s: stored items are counted by the earlier key; %s", label, was.Name, before.Text, added[i].Text, repairCounts)
			added = slices.Delete(added, i, i+1)
		case c.stillCounted(before):
			c.add("count %s of %s was removed: its stored items remain counted; %s", label, was.Name, repairCounts)
		default:
			c.add("count %s of %s was removed: if %s still has the attribute, it keeps the last count, and no write changes it", label, was.Name, c.countedIn(before))
		}
	}
	for _, after := range added {
		c.add("count %s.%s of %s is new, by %s: its stored items are not counted; %s", after.In, after.As, was.Name, after.Text, repairCounts)
	}
}

// countsWithout returns the counts of a list that another list does not have.
func (c *comparison) countsWithout(list, other []schemadoc.Count) []schemadoc.Count {
	return slices.DeleteFunc(slices.Clone(list), func(a schemadoc.Count) bool {
		return slices.ContainsFunc(other, func(b schemadoc.Count) bool {
			return c.countedIn(a) == c.countedIn(b) && a.As == b.As && a.Text == b.Text
		})
	})
}

// countedIn returns the present name of the type that holds a count.
func (c *comparison) countedIn(count schemadoc.Count) string {
	was := c.was.Entity(count.In)
	if was == nil || c.is.Entity(count.In) != nil {
		return count.In
	}
	if renamed := c.successor(was); renamed != nil {
		return renamed.Name
	}
	return count.In
}

// stillCounted reports whether the attribute still counts items of any type.
func (c *comparison) stillCounted(count schemadoc.Count) bool {
	return slices.ContainsFunc(c.is.Entities, func(e *schemadoc.Entity) bool {
		return slices.ContainsFunc(e.Counts, func(other schemadoc.Count) bool {
			return other.In == c.countedIn(count) && other.As == count.As
		})
	})
}

// removedCounts reports the counts of a type that was removed.
func (c *comparison) removedCounts(was *schemadoc.Entity) {
	for i, count := range was.Counts {
		first := slices.IndexFunc(was.Counts, func(other schemadoc.Count) bool { return other.In == count.In && other.As == count.As })
		if first == i && c.is.Entity(c.countedIn(count)) != nil {
			c.add("count %s.%s still has the items of %s: delete them with the earlier build, which changes the count too", count.In, count.As, was.Name)
		}
	}
}
