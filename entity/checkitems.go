package entity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
)

// CheckItems reads at most the given number of items and compares each with the item that Put would
// store. It returns a [*DriftError] that lists, for each type and attribute, how many items differ,
// and how:
//
//   - the attribute holds a time in another zone than UTC, which conditions cannot
//     compare;
//   - the attribute is stored in another form than Put stores it, or with parts that Put drops;
//   - the attribute is an index key that does not follow from the item's fields, or one that
//     follows from them and is missing;
//   - the item cannot be decoded, lacks a part of its key, or holds a value that Put rejects.
//
// Such items come from other programs, or from earlier versions of the type. A Put of an item
// stores it in the current form. An item that lacks a plain number of an index key is not on the
// index. CheckItems lists it, because the number is read as 0 and a Put adds the item to the index.
// CheckItems reads items of unregistered types, but does not compare them.
//
// The items are the first ones of a scan: a sample of a large table, or all of a small one.
// CheckItems costs half a read unit per 4 KB read. The observer is notified of one operation,
// "check items".
func (t *Table) CheckItems(ctx context.Context, items int) error {
	if err := t.opened(); err != nil {
		return refused(checkItemsVerb, nil, err)
	}
	if items <= 0 {
		return t.view.refused(checkItemsVerb, nil, errs.New("", "the number of items is not above 0", "ask for 1000 items, or for all with a large number"))
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

// errEnough ends a scan that has read the requested number of items.
var errEnough = errors.New("enough")

// itemCheck compares the items of a scan and keeps no decoded entity.
type itemCheck struct {
	left   int
	looked map[*core.Plan]int // compared items, by type
	found  map[itemDrift]int  // items with the difference
}

type itemDrift struct {
	plan *core.Plan
	write.Difference
}

// Place returns no target, so the scan passes the stored items to Raw.
func (c *itemCheck) Place(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Take is never called.
func (c *itemCheck) Take(*core.Plan, codec.Ptr) error { return nil }

// Raw compares one item.
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

// differences lists the differences, by type in the order of definition.
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
