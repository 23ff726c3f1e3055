package entity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
)

// CheckItems reads items of the table, as many as are asked for, and compares each with what a Put of it
// would store. It returns a [*DriftError] that says, for each type and attribute, of how many items the
// attribute is
//
//   - a time in another zone than UTC, which conditions and filters do not compare as a time,
//   - stored in another form than Put stores it, or with parts that Put would drop,
//   - an index key that the item's fields do not give, or one that is missing,
//
// and how many items cannot be decoded. Other programs write such items, and so did older types of this
// one. A Put of an item mends it. Items of no registered type, and the library's own, are passed over.
//
// The items are the first of a scan, so they are a sample of a large table and all of a small one. It
// costs half a read unit for each 4 KB of what it reads.
func (t *Table) CheckItems(ctx context.Context, items int) error {
	if err := t.opened(); err != nil {
		return refused(checkItemsVerb, nil, err)
	}
	if items <= 0 {
		return t.view.refused(checkItemsVerb, nil, fail.Refuse("", "the number of items is not above 0", "ask for 1000 items, or for all with a large number"))
	}
	plan, err := read.Scan{Schema: t.schema.core}.Compile()
	if err != nil {
		return t.view.refused(checkItemsVerb, nil, err)
	}
	c := itemCheck{left: items, looked: map[*core.Plan]int{}, found: map[itemDrift]int{}}
	run := fetch.NewScanner(&t.view.env, plan, &c, fetch.Bounds{PageSize: min(items, 1000)}, 1, nil)
	err = run.Each(ctx, func() error {
		if c.left <= 0 {
			return errEnough
		}
		return nil
	}, nil)
	if err != nil && !errors.Is(err, errEnough) {
		return failure(err)
	}
	if found := c.differences(t.schema.core); len(found) > 0 {
		return &DriftError{Table: t.Name(), Differences: found}
	}
	return nil
}

const checkItemsVerb = "check items"

// errEnough ends a scan that has what was asked for.
var errEnough = errors.New("enough")

// itemCheck compares the items of a scan, without decoding them into anything that is kept.
type itemCheck struct {
	left   int
	looked map[*core.Plan]int // items of each type
	found  map[itemDrift]int  // items with the difference
}

type itemDrift struct {
	plan *core.Plan
	write.Difference
}

// Place has none: the items are taken as they are stored.
func (c *itemCheck) Place(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Take is never called.
func (c *itemCheck) Take(*core.Plan, codec.Ptr) error { return nil }

// Raw compares an item.
func (c *itemCheck) Raw(p *core.Plan, item op.Item) (bool, error) {
	if c.left <= 0 {
		return false, nil
	}
	c.left--
	if p == nil {
		return false, nil
	}
	c.looked[p]++
	for _, d := range write.Differences(p, item) {
		c.found[itemDrift{p, d}]++
	}
	return true, nil
}

// differences lists what was found, by type in the order of their definition.
func (c *itemCheck) differences(s *core.Schema) []string {
	var list []string
	for _, p := range s.Plans {
		var lines []string
		for d, n := range c.found {
			switch {
			case d.plan != p:
			case d.Attribute == "":
				lines = append(lines, fmt.Sprintf("%s: %d of %d items: the item %s", p.Name, n, c.looked[p], d.Reason))
			default:
				lines = append(lines, fmt.Sprintf("%s: %d of %d items: %s %s", p.Name, n, c.looked[p], d.Attribute, d.Reason))
			}
		}
		slices.Sort(lines)
		list = append(list, lines...)
	}
	return list
}
