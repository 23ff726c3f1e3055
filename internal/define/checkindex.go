package define

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

func indexField(nth int, x *core.Index) string {
	if x.Name == "" {
		return fmt.Sprintf(".Indexes[%d]", nth)
	}
	return ".Indexes " + x.Name
}

// indexes checks each index and the limits on their number.
func (c *configChecker) indexes(s *core.Schema) {
	local, included := 0, 0
	for i, x := range s.Indexes {
		field := indexField(i, x)
		c.indexName(field, x.Name)
		if s.Index(x.Name) != x {
			c.fault(field, "", "the table has another index of that name", "rename one of the two")
		}
		c.indexKey(field, x)
		c.projection(field, x)
		if x.Local {
			local++
			c.localIndex(field, s, x)
		}
		included += len(x.Include)
	}
	if local > maxLocalIndexes {
		c.fault(".Indexes", "", fmt.Sprintf("the table has %d local indexes, and %d are the most", local, maxLocalIndexes), "make some of them global ones")
	}
	if included > maxIncluded {
		c.fault(".Indexes", "", fmt.Sprintf("the indexes include %d attributes together, and %d are the most", included, maxIncluded), "project all, or keys only")
	}
}

func (c *configChecker) indexName(field, name string) {
	switch {
	case len(name) < minIndexName || len(name) > maxIndexName:
		c.fault(field, name, fmt.Sprintf("an index's name has %d to %d characters", minIndexName, maxIndexName), "rename it")
	case slices.ContainsFunc([]byte(name), notInName):
		c.fault(field, name, "an index's name is made of letters, digits, '_', '-' and '.'", "rename it")
	}
}

func notInName(b byte) bool {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '-', b == '.':
		return false
	}
	return true
}

func (c *configChecker) indexKey(field string, x *core.Index) {
	seen := map[string]bool{}
	for _, side := range [][]core.Attribute{x.Partition, x.Sort} {
		for i := range side {
			a := &side[i]
			c.keyAttribute(field, a)
			if seen[a.Name] {
				c.fault(field, a.Name, "the attribute stands twice in the index's key", "drop one of the two")
				a.Name += " (again)"
			}
			seen[a.Name] = true
		}
	}
	if len(x.Partition) > maxKeyAttributes || len(x.Sort) > maxKeyAttributes {
		c.fault(field, "", fmt.Sprintf("a key has at most %d attributes on each side: Partition has %d, and Sort %d", maxKeyAttributes, len(x.Partition), len(x.Sort)), "drop some")
	}
}

func (c *configChecker) projection(field string, x *core.Index) {
	if x.KeysOnly && len(x.Include) > 0 {
		c.fault(field, "", "the index has KeysOnly and Include", "drop KeysOnly: keys are always projected")
	}
	for i, name := range x.Include {
		c.attributeName(field+" Include", name)
		if slices.Contains(x.Include[:i], name) {
			c.fault(field+" Include", name, "the attribute is included twice", "drop one of the two")
		}
	}
}

func (c *configChecker) localIndex(field string, s *core.Schema, x *core.Index) {
	if s.Sort.Name == "" {
		c.fault(field, "", "the table of a local index has a sort key", "make the index a global one")
	}
	if !slices.Equal(x.Partition, []core.Attribute{s.Partition}) {
		c.fault(field, "", "a local index has the table's partition key", "leave Partition out")
		x.Partition = []core.Attribute{s.Partition}
	}
	if len(x.Sort) != 1 {
		c.fault(field, "", "a local index has one sort key attribute", "give it one")
	}
}
