package define

import (
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle"
)

// side is one half of a key: the partition key or the sort key.
type side uint8

const (
	partition side = iota
	sort
)

// tag returns the struct tag key of the side's template.
func (s side) tag() string { return [...]string{"pk", "sk"}[s] }

func (s side) String() string { return [...]string{"partition", "sort"}[s] }

// declaration holds the keys that a type declares, by tags or by a Spec.
type declaration struct {
	name    string // the value of the type attribute; may be empty
	table   *entry // nil: not declared
	indexes []*entry
}

// entry is a declared key: the table's key, or an access pattern on an index.
type entry struct {
	place         // the whole tag
	name   string // the name of the access pattern
	on     string // the name of the index
	sides  [2]string
	given  [2]bool
	shared bool
	// shards are the numbers of shards of the partition key. It is nil after an issue.
	shards  []int
	sharded bool // numbers of shards are given
	// lifetime is that of the type's items. It counts only if lives is set.
	lifetime time.Duration
	lives    bool
	broken   bool // the tag has issues; a missing key of the tag may be misspelled
}

// readSpec adds the keys of a Spec to the declaration. A Spec comes before the fields.
func (c *compiler) readSpec() {
	spec := c.spec
	if spec == nil {
		return
	}
	pos := -1 - len(spec.Indexes) - len(spec.Counted)
	add := func(field string, x trestle.IndexSpec) *entry {
		pos++
		return &entry{
			place: place{field: field, pos: pos - 1}, name: x.Name, on: x.On,
			sides: [2]string{x.PK, x.SK}, given: [2]bool{x.PK != "", x.SK != ""}, shared: x.Shared, shards: x.Shards, sharded: len(x.Shards) > 0,
		}
	}
	c.decl.name = spec.Type
	c.decl.table = add("Spec.Key", trestle.IndexSpec{PK: spec.Key.PK, SK: spec.Key.SK, Shared: spec.Key.Shared, Shards: spec.Key.Shards})
	c.decl.table.lifetime, c.decl.table.lives = spec.Key.Lifetime, spec.Key.Lifetime != 0
	for i, u := range spec.Uniques {
		c.uniques = append(c.uniques, &declaredUnique{place: place{fmt.Sprintf("Spec.Uniques[%d]", i), "", u.Key, -1}, name: u.Name, text: u.Key})
	}
	for i, x := range spec.Counted {
		e := add(strings.TrimSpace(fmt.Sprintf("Spec.Counted[%d] %s", i, x.In)), trestle.IndexSpec{PK: x.PK, SK: x.SK})
		c.counted = append(c.counted, &declaredCount{entry: e, in: x.In, as: x.As})
	}
	for i, x := range spec.Indexes {
		field := strings.TrimSpace(fmt.Sprintf("Spec.Indexes[%d] %s", i, x.Name))
		c.decl.indexes = append(c.decl.indexes, add(field, x))
	}
}

// at returns the place of a tag key in the whole tag.
func (e *entry) at(tag string) place {
	p := e.place
	p.tag = tag
	return p
}

// side returns the place of the text of one side.
func (e *entry) side(s side) place {
	return place{field: e.field, tag: s.tag(), text: e.sides[s], pos: e.pos}
}
