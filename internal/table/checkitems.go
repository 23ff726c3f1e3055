package table

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
)

// CheckItems reads at most n items and compares each with the item that Put would store. It returns
// a *trestle.DriftError for differences.
func (t Table) CheckItems(ctx context.Context, n int) error {
	if n <= 0 {
		return t.invalid(CheckItemsName, trestle.NoWrite, errs.New("", "the number of items is not above 0", "ask for 1000 items, or for all with a large number"))
	}
	query, plan := read.Query{Schema: t.Schema, Segments: 1}, new(read.Plan)
	if err := query.Compile(plan); err != nil {
		return t.invalid(CheckItemsName, trestle.NoWrite, err)
	}
	plan.Name = CheckItemsName
	c := itemCheck{now: t.Config.Now, left: n, compared: map[*core.Plan]int{}, found: map[itemDrift]int{}}
	run := fetch.New(t.Config, plan, &c, fetch.Bounds{PageSize: min(n, 1000)}, fetch.InTurn, nil)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	for c.left > 0 && run.Next(ctx) {
	}
	run.Stop()
	run.Close(ctx)
	if err := run.Err(); err != nil {
		return err
	}
	if found := c.differences(t.Schema); len(found) > 0 {
		return &trestle.DriftError{Table: t.Config.Table, Differences: found}
	}
	return nil
}

// itemCheck compares the items of a scan and keeps no decoded entity.
type itemCheck struct {
	noSink
	now      func() time.Time
	left     int
	compared map[*core.Plan]int // compared items, by type
	found    map[itemDrift]int  // items with the difference
}

type itemDrift struct {
	plan *core.Plan
	write.Difference
}

// Unmatched compares one item.
func (c *itemCheck) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if c.left <= 0 {
		return false, nil
	}
	c.left--
	if p == nil {
		return false, nil
	}
	c.compared[p]++
	for _, d := range write.Differences(p, row.Item(), core.ExpiryOf(p, c.now)) {
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
				lines = append(lines, fmt.Sprintf("%s: %d of %d items: the item %s", p.Name, n, c.compared[p], d.Reason))
			default:
				lines = append(lines, fmt.Sprintf("%s: %d of %d items: %s %s", p.Name, n, c.compared[p], d.Attribute, d.Reason))
			}
		}
		slices.Sort(lines)
		list = append(list, lines...)
	}
	return list
}
