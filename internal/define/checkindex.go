package define

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

func indexField(nth int, x *core.Index) string {
	if x.Name == "" {
		return fmt.Sprintf(".Indexes[%d]", nth)
	}
	return ".Indexes " + x.Name
}

// indexChecks are the checks of one index, in order.
var indexChecks = []func(c *configChecker, field string, x *core.Index){
	(*configChecker).checkIndexName,
	(*configChecker).checkIndexKind,
	(*configChecker).checkIndexKey,
	(*configChecker).checkProjection,
	(*configChecker).checkLocalIndex,
}

func (c *configChecker) checkIndexes() {
	for i, x := range c.schema.Indexes {
		field := indexField(i, x)
		if given := c.config.Indexes[i]; given.NoSort && len(given.Sort) > 0 {
			c.add(field, given.Sort[0].Name, "Sort and NoSort are both set", "drop one of the two")
		}
		for _, check := range indexChecks {
			check(c, field, x)
		}
	}
}

// checkIndexLimits checks the limits of all indexes together.
func (c *configChecker) checkIndexLimits() {
	local, included := 0, 0
	for _, x := range c.schema.Indexes {
		if x.Kind == trestle.LocalIndex {
			local++
		}
		included += len(x.Include)
	}
	if local > maxLocalIndexes {
		c.add(".Indexes", "", fmt.Sprintf("the table has %d local indexes; the maximum is %d", local, maxLocalIndexes), "make some of them global")
	}
	if included > maxIncluded {
		c.add(".Indexes", "", fmt.Sprintf("the indexes include %d attributes in total; the maximum is %d", included, maxIncluded), "project all, or keys only")
	}
}

func (c *configChecker) checkIndexName(field string, x *core.Index) {
	switch name := x.Name; {
	case len(name) < minIndexName || len(name) > maxIndexName:
		c.add(field, name, fmt.Sprintf("an index name must have %d to %d characters", minIndexName, maxIndexName), "rename it")
	case slices.ContainsFunc([]byte(name), invalidInIndexName):
		c.add(field, name, "an index name can only contain letters, digits, '_', '-' and '.'", "rename it")
	}
	if c.schema.Index(x.Name) != x {
		c.add(field, "", "another index of the table has the same name", "rename one of the two")
	}
}

func invalidInIndexName(b byte) bool {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '-', b == '.':
		return false
	}
	return true
}

func (c *configChecker) checkIndexKind(field string, x *core.Index) {
	if !core.KnownKind(x.Kind) {
		c.add(field, "", fmt.Sprintf("%d is not a kind of index", x.Kind), "leave Kind out for a global index")
		x.Kind = trestle.GlobalIndex
	}
}

func (c *configChecker) checkIndexKey(field string, x *core.Index) {
	seen := map[string]bool{}
	for _, side := range [][]core.Attribute{x.Partition, x.Sort} {
		for i := range side {
			a := &side[i]
			c.checkKeyAttribute(field, a)
			if seen[a.Name] {
				c.add(field, a.Name, "the attribute appears twice in the index's key", "drop one of the two")
				a.Name += " (again)"
			}
			seen[a.Name] = true
		}
	}
	if len(x.Partition) > maxKeyAttributes || len(x.Sort) > maxKeyAttributes {
		c.add(field, "", fmt.Sprintf("a key can have at most %d partition and %d sort key attributes; this one has %d and %d", maxKeyAttributes, maxKeyAttributes, len(x.Partition), len(x.Sort)), "drop some")
	}
}

func (c *configChecker) checkProjection(field string, x *core.Index) {
	if x.KeysOnly && len(x.Include) > 0 {
		c.add(field, "", "KeysOnly and Include are both set", "drop KeysOnly: an index always projects the keys")
	}
	for i, name := range x.Include {
		c.checkAttributeName(field+" Include", name)
		if slices.Contains(x.Include[:i], name) {
			c.add(field+" Include", name, "the attribute is included twice", "drop one of the two")
		}
	}
}

func (c *configChecker) checkLocalIndex(field string, x *core.Index) {
	s := c.schema
	if x.Kind != trestle.LocalIndex {
		return
	}
	if s.Sort.Name == "" {
		c.add(field, "", "a local index needs a table with a sort key", "make the index global")
	}
	if !slices.Equal(x.Partition, []core.Attribute{s.Partition}) {
		c.add(field, "", "a local index must have the table's partition key", "leave Partition out")
		x.Partition = []core.Attribute{s.Partition}
	}
	if len(x.Sort) != 1 {
		c.add(field, "", "a local index must have exactly one sort key attribute", "set one attribute in Sort")
	}
}
