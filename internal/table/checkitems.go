package table

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	c := itemCheck{schema: t.Schema, untyped: map[string]int{}, now: t.Config.Now, left: n, compared: map[*core.Plan]int{}, found: map[itemDrift]int{}}
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
	if found := append(c.differences(t.Schema), c.withoutType()...); len(found) > 0 {
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
	schema   *core.Schema
	untyped  map[string]int // items of no type, by the reason
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
		c.addUntyped(row)
		return false, nil
	}
	c.compared[p]++
	for _, d := range write.Differences(p, row.Item(), core.ExpiryOf(p, c.now)) {
		c.found[itemDrift{p, d}]++
	}
	return true, nil
}

// addUntyped notes an item of no type: one without a type attribute whose key is of no type, or of
// several, and one under a rendered key of a type whose type attribute names none. Other items with
// a type attribute are of types that other programs know: a key of plain fields fits any item.
func (c *itemCheck) addUntyped(row core.Row) {
	attribute := c.schema.TypeAttr
	has := attribute != "" && row.Has(attribute)
	var under []string
	for _, p := range c.schema.Plans {
		if p.MatchesKey(row) && (!has || p.Table.Rendered()) {
			under = append(under, p.Name)
		}
	}
	of := strings.Join(under, ", ")
	switch {
	case has && of != "":
		c.untyped["under a key of "+of+", "+attribute+" names no type of the schema"]++
	case has:
	case of != "":
		c.untyped["under a key that "+of+" share, "+attribute+" is absent"]++
	case attribute != "":
		c.untyped[attribute+" is absent, and the key is of no type"]++
	default:
		c.untyped["the key is of no type"]++
	}
}

// withoutType lists the items of no type.
func (c *itemCheck) withoutType() (list []string) {
	for reason, n := range c.untyped {
		list = append(list, fmt.Sprintf("%d items have no type: %s; reads of a type leave them out", n, reason))
	}
	slices.Sort(list)
	return list
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
