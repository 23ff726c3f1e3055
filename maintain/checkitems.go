package maintain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// CheckItems reads at most the given number of items and compares each with the item that Put would
// store. It changes nothing. The error lists, for each type and attribute, how many items differ,
// and how:
//
//   - the attribute holds a time in another zone than UTC, which conditions cannot
//     compare;
//   - the attribute is stored in another form than Put stores it, with parts that Put drops, or
//     with more digits than the field holds;
//   - the attribute has no field, so Put drops it; a field with the role rest keeps it;
//   - the attribute has an empty value that Put omits, such as "" of a field with omitempty;
//   - the type attribute is missing;
//   - the attribute is an index key that does not follow from the item's fields, or one that
//     follows from them and is missing;
//   - the item cannot be decoded, lacks a part of its key, or holds a value that Put rejects;
//   - the item never expires, because DynamoDB ignores its time to live: it is in milliseconds, of
//     another type than N, or more than five years in the past. The error says what to store.
//
// So an item that Get returns and Put stores is stored as it was, unless CheckItems lists it. An
// absent attribute, NULL, and the zero value of a field without omitempty make no difference: Put
// may store one for another.
//
// The items that it lists come from other programs, or from earlier versions of the type. A Put of
// an item that it accepts stores it in the current form. An item is not in an index if it lacks a
// number of the index key. CheckItems lists such an item if the field is not a pointer or
// omitempty: the number is then read as 0, so a Put would add the item to the index.
//
// CheckItems also counts the items of no type (entity.Raw): those without a type attribute whose
// key is of no type, or of several that share it, and those with a rendered key of a type and a
// type attribute that names none. It does not compare items of types that other programs
// registered.
//
// The items are the first ones of a scan: a sample of a large table, or all of a small one. Up to
// 1,000 items are one segment, whatever the Concurrency is. CheckItems reads eventually consistent,
// for half a read unit per 4 KB. It needs the permission of a scan. The observer is notified of one
// operation, "check items".
func CheckItems(ctx context.Context, t *entity.Table, items int, run Run) (Report, error) {
	run.DryRun = true
	k, err := run.newTask(t, checkItemsName, max(1, items))
	if err != nil {
		return Report{}, err
	}
	if items <= 0 {
		return Report{}, k.Fail(k.Outcome, errs.New("", "the number of items is not above 0", "ask for 1000 items, or for all with a large number"))
	}
	r := &itemTask{task: k, untyped: map[string]int{}, found: map[itemDifference]int{}}
	k.pending = func() int { return len(r.found) + len(r.untyped) }
	return k.do(ctx, 1, nil, func(ctx context.Context) error {
		defer r.list()
		return k.Scan(ctx, &scan.Sink{Item: r.compare, Untyped: r.addUntyped}, func(context.Context) (bool, error) { return true, nil })
	})
}

// itemTask compares the items of a scan and keeps no decoded entity.
type itemTask struct {
	*task
	found   map[itemDifference]int // items with the difference
	untyped map[string]int         // items of no type, by the reason
}

type itemDifference struct {
	plan *core.Plan
	write.Difference
}

// compare compares one item.
func (r *itemTask) compare(p *core.Plan, row core.Row) {
	r.counts(p.Name)
	for _, d := range write.Differences(p, row.Item(), core.ExpiryOf(p, r.Config.Now)) {
		r.found[itemDifference{p, d}]++
	}
}

// addUntyped notes an item of no type: one without a type attribute whose key is of no type, or of
// several, and one under a rendered key of a type whose type attribute names none. Other items with
// a type attribute are of types that other programs know: a key of plain fields fits any item.
func (r *itemTask) addUntyped(row core.Row) {
	r.counts("")
	attribute := r.Schema.TypeAttr
	has := attribute != "" && row.Has(attribute)
	var under []string
	for _, p := range r.Schema.Plans {
		if p.MatchesKey(row) && (!has || p.Table.Rendered()) {
			under = append(under, p.Name)
		}
	}
	of := strings.Join(under, ", ")
	switch {
	case has && of != "":
		r.untyped["under a key of "+of+", "+attribute+" names no type of the schema"]++
	case has:
	case of != "":
		r.untyped["under a key that "+of+" share, "+attribute+" is absent"]++
	case attribute != "":
		r.untyped[attribute+" is absent, and the key is of no type"]++
	default:
		r.untyped["the key is of no type"]++
	}
}

// list lists the differences, by type in the order of definition.
func (r *itemTask) list() {
	var list []Problem
	for d, n := range r.found {
		of := fmt.Sprintf("%d of %d items: ", n, r.report.ByType[d.plan.Name])
		if d.Attribute == "" {
			of += "the item " + d.Reason
		} else {
			of += d.Attribute + " " + d.Reason
		}
		list = append(list, Problem{Kind: ItemDiffers, Entity: d.plan.Name, Text: of})
	}
	for reason, n := range r.untyped {
		list = append(list, Problem{Kind: ItemDiffers, Text: fmt.Sprintf("%d items have no type: %s; reads of a type leave them out", n, reason)})
	}
	slices.SortFunc(list, func(a, b Problem) int { return strings.Compare(a.Text, b.Text) })
	clear(r.found)
	clear(r.untyped)
	for _, p := range list {
		r.problems.add(p)
	}
}
