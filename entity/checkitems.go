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

// CheckItems reads up to so many items of the table, and compares each with what a Put of it would store.
// It returns a [*DriftError] that lists, for each type and attribute, how many items differ, and how:
//
//   - the attribute holds a time in another zone than UTC, which conditions do not compare as a time;
//   - it is stored in another form than Put stores it, or with parts that Put drops;
//   - it is an index key that the item's fields do not give, or one that they give and that is missing;
//   - the item cannot be decoded.
//
// Other programs write such items, and so did older types of this one. A Put of an item stores it as the
// type is now. An item that lacks a plain number of an index key is off the index, and is listed: it is
// read as 0, and a Put of it is on the index. Items of no registered type are read and not compared.
//
// The items are the first of a scan: a sample of a large table, all of a small one. It costs half a read
// unit for each 4 KB that is read. The observer is notified of one operation, "check items".
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
	run.Call().Operation = checkItemsVerb
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
